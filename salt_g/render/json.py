"""The `json` renderer: text to data; a `#!` line is skipped. Errors: ValueError of the standard library."""

from __future__ import annotations

import json
from typing import Any

from salt_g.render.request import RenderRequest


def render(text: str, request: RenderRequest) -> Any:
    """Parse JSON text; return {} for empty text."""
    if text.startswith("#!"):
        text = text.partition("\n")[2]
    return json.loads(text) if text.strip() else {}
