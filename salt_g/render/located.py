"""Rendering of an SLS file with the lines of its IDs, for locations in error messages.

The lines are those of the text from which the data is read. If a template rendered that text, the
corresponding source lines are included, because users know their file but not the rendered text.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

from salt_g.errors import YamlError
from salt_g.formats.ordered import Ordered
from salt_g.formats.yaml_load import load_located
from salt_g.render.pipe import PipeStep, run_pipe
from salt_g.render.request import RenderRequest
from salt_g.shapes import KeyLines, RenderedSls, SourceLine


def render_located(text: str, steps: Sequence[PipeStep], request: RenderRequest) -> RenderedSls:
    """Return the data, with lines if the last step is `yaml`; errors of the renderers propagate.

    If the text is not valid YAML, the data is empty, but the source lines are still useful.
    """
    if not steps or steps[-1].name != "yaml":
        return RenderedSls(run_pipe(steps, text, request), {}, "", request.path)
    rendered, sources = _input_of_yaml(text, steps[:-1], request)
    if not isinstance(rendered, str):
        return RenderedSls(rendered, {}, "", request.path)
    data: Any = {}
    lines: KeyLines = {}
    with contextlib.suppress(YamlError):
        data, lines = load_located(rendered, mapping=Ordered)
    return RenderedSls(data or {}, lines, rendered, request.path, sources)


def _input_of_yaml(
    text: str, steps: Sequence[PipeStep], request: RenderRequest
) -> tuple[Any, Sequence[SourceLine]]:
    """Run a text through the steps, with source lines if `jinja` is the only step."""
    if [step.name for step in steps] == ["jinja"]:
        from salt_g.render.jinja.renderer import render_with_sources

        return render_with_sources(text, request)
    return (run_pipe(steps, text, request) if steps else text), []
