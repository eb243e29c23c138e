"""Read what users write for true, and what they write for a list.

Why its own file: these arguments come from the command line, from SLS and from pillar, each
with its own idea of types.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def is_true(value: Any) -> bool:
    """Return whether a value means true: a number above 0, the word `true`, anything not empty."""
    if isinstance(value, str):
        try:
            return float(value) > 0
        except ValueError:
            return value.lower() == "true"
    return value > 0 if isinstance(value, (int, float)) else bool(value)


def as_list(value: Any) -> list[Any]:
    """Return a list of what stands between commas in a text, or in an iterable."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return list(value) if value else []


def one_mapping(items: Mapping[str, Any] | Iterable[Mapping[str, Any]] | None) -> dict[str, Any]:
    """Return one dict of a list of dicts, which is how SLS often writes a mapping."""
    if isinstance(items, Mapping):
        return dict(items)
    return {key: value for item in items or [] if isinstance(item, Mapping) for key, value in item.items()}
