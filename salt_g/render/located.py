"""Rendering of an SLS file with the lines of its IDs, for locations in error messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from salt_g.formats.ordered import Ordered
from salt_g.formats.yaml_load import load_located
from salt_g.render.pipe import Step, run_pipe
from salt_g.render.request import RenderRequest
from salt_g.shapes import RenderedSls


def render_located(text: str, steps: Sequence[Step], request: RenderRequest) -> RenderedSls:
    """Return the data, with lines if the last step is `yaml`; errors of the renderers propagate."""
    if not steps or steps[-1].name != "yaml":
        return RenderedSls(run_pipe(steps, text, request), {}, "", request.path)
    rendered: Any = run_pipe(steps[:-1], text, request) if len(steps) > 1 else text
    if not isinstance(rendered, str):
        return RenderedSls(rendered, {}, "", request.path)
    data, lines = load_located(rendered, mapping=Ordered)
    return RenderedSls(data or {}, lines, rendered, request.path)
