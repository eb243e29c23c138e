"""Selection and execution of the pipe of renderers.

Covers the `#!a|b|c` line, the `renderer` setting and the black and white lists.

Shapes: `run_pipe` takes text and returns data or text. Errors: those of the renderers.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from salt_g import api
from salt_g.errors import NoCallContext, RenderError
from salt_g.process.offload import yield_to_hub
from salt_g.render.renderers import Renderer, find, names
from salt_g.render.request import RenderRequest

log = logging.getLogger(__name__)

#: Legacy names of pairs of a template language and a data format.
_COMBINED = {
    f"{data}_{template}": f"{template}|{data}"
    for data in ("yaml", "json")
    for template in ("jinja", "mako", "wempy")
} | {"yamlex_jinja": "jinja|yamlex"}

#: Renderers that need text, and so cannot follow a renderer that returns data.
_READS_TEXT = frozenset(("jinja", "json", "msgpack", "pyobjects", "stateconf", "toml", "yaml", "yamlex"))


class PipeStep(NamedTuple):
    """One renderer of a pipe and the arguments after its name."""

    name: str
    argline: str = ""


def requested_pipe(first_line: str, default: str) -> str:
    """Return the pipe named in a text's first line, else `default`; `#!/bin/sh` names none."""
    if first_line.startswith("#!") and not first_line.startswith("#!/"):
        return first_line.strip()[2:]
    return default


def parse_pipe(
    pipe: str, *, blacklist: Collection[str] = (), whitelist: Collection[str] = ()
) -> list[PipeStep]:
    """Return the steps of a pipe like `jinja -s|yaml`, without those forbidden by the lists."""
    steps = []
    for part in _COMBINED.get(pipe, pipe).split("|"):
        name, _, argline = part.strip().partition(" ")
        if (whitelist and name not in whitelist) or (blacklist and name in blacklist):
            log.warning('The renderer "%s" is disallowed by configuration and will be skipped.', name)
            continue
        steps.append(PipeStep(name, argline.strip()))
    return steps


def _report_missing(name: str, pipe: str, request: RenderRequest) -> None:
    """Report a missing renderer with the SLS and the nearest name; outside a call, log this."""
    import difflib  # Imported lazily: only needed after a failure.

    text = f'The renderer "{name}" is not available (pipe "{pipe}")'
    about = f" in SLS {request.sls!r}" if request.sls else ""
    near = difflib.get_close_matches(name, names(), n=1)
    text += f"{about}; nearest: {near[0]!r}" if near else about
    try:
        api.advise(text, in_templates=True)
    except NoCallContext:
        log.error("%s", text)


def run_pipe(steps: Sequence[PipeStep], text: str, request: RenderRequest) -> Any:
    """Run `text` through the steps; if a renderer is missing, report it and return {}, as stock does."""
    renderers: list[Renderer] = []
    for step in steps:
        renderer = find(step.name)
        if renderer is None:
            pipe = "|".join(step.name for step in steps)
            _report_missing(step.name, pipe, request)
            return {}
        renderers.append(renderer)
    data: Any = text if renderers else {}
    for step, renderer in zip(steps, renderers, strict=True):
        if step.name in _READS_TEXT and not isinstance(data, (str, bytes)):
            raise RenderError(f"the renderer {step.name} needs text, but the previous renderer returned data")
        data = renderer(data, request.with_argline(step.argline))
        yield_to_hub()
    return _with_line_ends_of(text, data)


def _with_line_ends_of(source: str, data: Any) -> Any:
    if isinstance(data, str) and "\r\n" in source and "\r\n" not in data:
        return data.replace("\n", "\r\n")
    return data
