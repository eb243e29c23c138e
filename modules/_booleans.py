"""Booleans, lists and mappings as users write them.

Arguments come from the command line, SLS and pillar, each with its own types.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def is_true(value: Any) -> bool:
    """Return whether a value means true.

    A number means true if it is above 0 (also as text), other text if it is the word `true`, and any other
    value if it is not empty.
    """
    if isinstance(value, str):
        try:
            return float(value) > 0
        except ValueError:
            return value.lower() == "true"
    return value > 0 if isinstance(value, (int, float)) else bool(value)


def as_list(value: Any) -> list[Any]:
    """Return the items of a comma-separated text or of an iterable as a list."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return list(value) if value else []


def one_mapping(items: Mapping[str, Any] | Iterable[Mapping[str, Any]] | None) -> dict[str, Any]:
    """Merge a list of mappings, a common way to write a mapping in SLS, into one dict; None gives {}."""
    if isinstance(items, Mapping):
        return dict(items)
    return {key: value for item in items or [] if isinstance(item, Mapping) for key, value in item.items()}
