"""How much work a value makes: entries of its maps and lists, and the length of its texts.

Why its own file: whoever packs, reads or fires what a peer sent asks first whether the hub may do that
itself or a native thread does it. The question costs a microsecond for what is small, and ends early for
what is not.
Units: entries; characters or bytes.
"""

from __future__ import annotations

from typing import Any

#: What the hub handles itself, in some 2 ms: entries, and characters of all texts together.
LIGHT_ENTRIES = 10_000
LIGHT_SIZE = 256 * 1024
#: Most entries of an event, and of the grains of a minion: both are looked through again and again.
FEW_ENTRIES = 50_000
_NO_MATTER = 1 << 62


def is_light(value: Any, *, entries: int = LIGHT_ENTRIES, size: int = LIGHT_SIZE) -> bool:
    """Return whether a value has at most so many entries, keys and values, and so long texts."""
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
    """Return whether a value has at most so many entries; for native threads where it may be large."""
    return is_light(value, entries=most, size=_NO_MATTER)
