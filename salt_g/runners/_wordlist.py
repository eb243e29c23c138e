"""Lists that users write with commas."""

from __future__ import annotations

from typing import Any


def split(value: Any) -> list[Any]:
    """Return a list for a list, or for a text with commas."""
    if isinstance(value, (list, tuple)):
        return list(value)
    return [part.strip() for part in str(value).split(",")]
