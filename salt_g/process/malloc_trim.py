"""Release of freed memory to the system.

A state run creates and frees tens of thousands of small objects on a minion, and a master frees messages that
waited for a slow subscriber; the C library keeps their pages for later use.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable


def _trim_of_libc() -> Callable[[int], int] | None:
    """Return `malloc_trim` of the GNU C library, or None with another C library."""
    try:
        trim: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError):
        return None
    return trim


def release_memory() -> None:
    """Collect garbage and release free pages; takes about ten milliseconds."""
    gc.collect()
    give_back_pages()


def give_back_pages() -> None:
    """Release free pages; takes less than a millisecond when there are few."""
    trim = _trim_of_libc()
    if trim is not None:
        trim(0)
