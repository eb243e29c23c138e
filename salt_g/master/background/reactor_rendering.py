"""Rendering of the reactor files of an event: paths or `salt://` URLs in, data out.

Values of the event never become template text or YAML, see `event/template_escaping.py`.
Source: stock docs "Reactor System".
"""

from __future__ import annotations

import glob
from collections.abc import Iterator
from typing import Any

from salt_g import api
from salt_g.errors import CompileError
from salt_g.event.template_escaping import TemplateEscaping
from salt_g.shapes.loads import EventFields


def files_of(reference: str, tag: str) -> Iterator[str]:
    """Yield the reactor files that a path or URL in the settings names; raises CompileError."""
    if reference.startswith("salt://"):
        reference = api.services().files.cache_file(reference)
    paths = sorted(glob.glob(reference)) if reference else []
    if not paths:
        raise CompileError([f"no file {reference!r} for events {tag}; correct its path in `reactor`"])
    yield from paths


def rendered(path: str, tag: str, data: EventFields) -> Any:
    """Return the data of a reactor file; values of the event are inserted as values, never parsed as text."""
    escaping = TemplateEscaping()
    result = api.services().render.render_sls(
        path, sls=path, saltenv="base", tmplpath=path, tag=escaping.hide(tag), data=escaping.hide(data)
    )
    return escaping.show(result)
