"""Bounded caches: maps that drop the oldest item when they are full.

Dropping everything at the limit would let a fleet that is one larger fill the whole cache over and over.
"""

from __future__ import annotations

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def remember(cache: dict[K, V], key: K, value: V, most: int) -> None:
    """Set an item as the newest one of a cache; of more than `most` items, the oldest is dropped."""
    cache.pop(key, None)
    if len(cache) >= most:
        del cache[next(iter(cache))]
    cache[key] = value
