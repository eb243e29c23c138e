"""Outputters `quiet` and `no_out`: no text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def output(data: Any, opts: Mapping[str, Any], *, retcode: int = 0) -> str:
    """Return an empty text."""
    return ""
