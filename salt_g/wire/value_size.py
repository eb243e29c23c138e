"""Estimates of the work that a value causes: entries of its maps and lists, length of its texts.

Code that packs, reads or fires data of a peer checks first whether the hub may handle it or a native
thread must. The check costs a microsecond for small values, and ends early for large ones.
Units: entries; characters or bytes.
"""

from __future__ import annotations

from typing import Any

#: Limits for work that occupies the hub for some 2 ms: number of entries, and of characters in all texts
#: together.
LIGHT_ENTRIES = 10_000
LIGHT_SIZE = 256 * 1024
#: Maximum number of entries of an event, and of a minion's grains, because both are searched repeatedly.
FEW_ENTRIES = 50_000
_NO_MATTER = 1 << 62


def is_light(value: Any, *, entries: int = LIGHT_ENTRIES, size: int = LIGHT_SIZE) -> bool:
    """Return whether a value is within limits for its entries and the length of its texts, keys included."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        kind = type(one)
        if kind is str or kind is bytes:
            size -= len(one)
            if size < 0:
                return False
        elif kind is dict or kind is list or kind is tuple:
            entries -= len(one)
            if entries < 0:
                return False
            waiting.extend(one)
            if kind is dict:
                waiting.extend(one.values())
    return True


def has_few_entries(value: Any, most: int = FEW_ENTRIES) -> bool:
    """Return whether a value has at most `most` entries; for large values, call it in a native thread."""
    return is_light(value, entries=most, size=_NO_MATTER)
