"""Differences between two results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def differences(stock: Any, ours: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield (dotted path, stock's value, ours) for every leaf that differs."""
    if isinstance(stock, dict) and isinstance(ours, dict):
        for key in dict.fromkeys([*stock, *ours]):
            yield from differences(stock.get(key, "<absent>"), ours.get(key, "<absent>"), f"{path}.{key}")
    elif isinstance(stock, list) and isinstance(ours, list) and len(stock) == len(ours):
        for number, (theirs, mine) in enumerate(zip(stock, ours, strict=True)):
            yield from differences(theirs, mine, f"{path}.{number}")
    elif stock != ours:
        yield path.lstrip("."), stock, ours
