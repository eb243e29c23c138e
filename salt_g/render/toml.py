"""The `toml` renderer: text to data, where this Python reads TOML (3.11 or newer, else `tomli`)."""

from __future__ import annotations

import importlib
from typing import Any

from salt_g.errors import RenderError
from salt_g.render.request import Request


def render(text: str, request: Request) -> Any:
    """Return the data of a TOML text. Raises RenderError, also when there is no reader."""
    reader = _reader()
    try:
        return reader.loads(text) or {}
    except reader.TOMLDecodeError as exc:
        raise RenderError(f"not TOML: {exc}") from exc


def _reader() -> Any:
    for name in ("tomllib", "tomli"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise RenderError("the toml renderer needs Python 3.11 or the package tomli")
