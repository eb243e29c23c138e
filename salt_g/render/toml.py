"""The `toml` renderer: text to data."""

from __future__ import annotations

from typing import Any

from salt_g.errors import CommandExecutionError, RenderError
from salt_g.formats.serializers import read_toml
from salt_g.render.request import RenderRequest


def render(text: str, request: RenderRequest) -> Any:
    """Parse TOML text; raise RenderError if it is invalid or no TOML package is installed."""
    try:
        return read_toml(text) or {}
    except ValueError as exc:
        raise RenderError(f"invalid TOML: {exc}") from exc
    except CommandExecutionError as exc:
        raise RenderError(str(exc)) from exc
