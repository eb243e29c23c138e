"""Comma-separated lists."""

from __future__ import annotations

from typing import Any


def split(value: Any) -> list[Any]:
    """Return a list from a list or a comma-separated text."""
    if isinstance(value, (list, tuple)):
        return list(value)
    return [part.strip() for part in str(value).split(",")]
