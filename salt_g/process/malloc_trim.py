"""Give memory back to the system.

Why its own file: a run of states on a minion makes tens of thousands of small objects and frees them, and a
master lets go of what waited for a slow subscriber; the C library keeps their pages for later.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable


def _trim_of_libc() -> Callable[[int], int] | None:
    """Return `malloc_trim`, which only the GNU C library has."""
    try:
        trim: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError):
        return None
    return trim


def release_memory() -> None:
    """Collect what nobody needs, and give free pages back; takes some ten milliseconds."""
    gc.collect()
    give_back_pages()


def give_back_pages() -> None:
    """Give free pages back; takes less than a millisecond when there are few."""
    trim = _trim_of_libc()
    if trim is not None:
        trim(0)
