"""Bounded caches: dicts that drop the oldest item when they are full.

If everything were dropped at the limit, a fleet just above the limit would refill the whole cache again and
again.
"""

from __future__ import annotations

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def remember(cache: dict[K, V], key: K, value: V, most: int) -> None:
    """Store an item as the newest of a cache; drop the oldest if there are more than `most` items."""
    cache.pop(key, None)
    if len(cache) >= most:
        del cache[next(iter(cache))]
    cache[key] = value
