"""The pipe of renderers: which ones a text asks for, and sending it through them.

Why its own file: this is the whole of the `#!a|b|c` line, the `renderer` setting and the
black and white lists; each renderer stands in a file of its own name.

Shapes: text in, data (or text) out. Errors: what the renderers raise.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from salt_g.errors import RenderError
from salt_g.process.offload import yield_to_hub
from salt_g.render.renderers import Renderer, find
from salt_g.render.request import RenderRequest

log = logging.getLogger(__name__)

#: Names of old for a template language and a data format in one.
_COMBINED = {
    f"{data}_{template}": f"{template}|{data}"
    for data in ("yaml", "json")
    for template in ("jinja", "mako", "wempy")
} | {"yamlex_jinja": "jinja|yamlex"}

#: Renderers for the beginning of a pipe, or behind others of text.
_READS_TEXT = frozenset(("jinja", "json", "msgpack", "pyobjects", "stateconf", "toml", "yaml", "yamlex"))


class Step(NamedTuple):
    """One renderer of a pipe and the text behind its name."""

    name: str
    argline: str = ""


def asked_pipe(first_line: str, default: str) -> str:
    """Return the pipe that a text's first line asks for, else `default`; `#!/bin/sh` asks for none."""
    if first_line.startswith("#!") and not first_line.startswith("#!/"):
        return first_line.strip()[2:]
    return default


def parse_pipe(pipe: str, *, blacklist: Collection[str] = (), whitelist: Collection[str] = ()) -> list[Step]:
    """Return the steps of a pipe like `jinja -s|yaml`, without those that the lists forbid."""
    steps = []
    for part in _COMBINED.get(pipe, pipe).split("|"):
        name, _, argline = part.strip().partition(" ")
        if (whitelist and name not in whitelist) or (blacklist and name in blacklist):
            log.warning('The renderer "%s" is disallowed by configuration and will be skipped.', name)
            continue
        steps.append(Step(name, argline.strip()))
    return steps


def run_pipe(steps: Sequence[Step], text: str, request: RenderRequest) -> Any:
    """Send `text` through the steps; {} when one of them is not there (stock says it in the log only)."""
    renderers: list[Renderer] = []
    for step in steps:
        renderer = find(step.name)
        if renderer is None:
            pipe = "|".join(step.name for step in steps)
            log.error('The renderer "%s" is not available (pipe "%s")', step.name, pipe)
            return {}
        renderers.append(renderer)
    data: Any = text if renderers else {}
    for step, renderer in zip(steps, renderers, strict=True):
        if step.name in _READS_TEXT and not isinstance(data, (str, bytes)):
            raise RenderError(f"the renderer {step.name} reads text, and the one before it made data of it")
        data = renderer(data, request.with_argline(step.argline))
        yield_to_hub()
    return _with_line_ends_of(text, data)


def _with_line_ends_of(source: str, data: Any) -> Any:
    if isinstance(data, str) and "\r\n" in source and "\r\n" not in data:
        return data.replace("\n", "\r\n")
    return data
