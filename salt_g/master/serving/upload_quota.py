"""How much a minion may have pushed in all.

Why its own file: the size of one file is bounded by the command; what a minion has here already is known by
looking, which takes long, so it is remembered and counted on.
Units: bytes, seconds of the monotonic clock.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from salt_g.process.offload import offload

#: What a file counts at least.
BLOCK = 4096
#: How long a minion that has no room left is believed to have none.
PAUSE = 10.0


class UploadQuota:
    """Tells whether a folder may take another piece; `max_bytes` 0 for no limit."""

    def __init__(self, max_bytes: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._max_bytes = max_bytes
        self._clock = clock
        #: Bytes in each folder, and when they were counted.
        self._held: dict[str, tuple[int, float]] = {}

    def admits(self, folder: str, size: int) -> bool:
        """Return whether there is room for `size` bytes more, and count them."""
        if not self._max_bytes:
            return True
        held, counted = self._held.get(folder, (self._max_bytes, -PAUSE))
        size = max(size, BLOCK)
        if held + size > self._max_bytes and self._clock() - counted >= PAUSE:
            # What was written twice or removed since has been counted once too often.
            held, counted = offload(bytes_below, folder), self._clock()
        is_room = held + size <= self._max_bytes
        self._held[folder] = (held + size if is_room else held, counted)
        return is_room


def bytes_below(folder: str) -> int:
    """Return the size of all files below a folder; links are not followed. Raises OSError."""
    total = 0
    for directory, _, names in os.walk(folder, onerror=_fail):
        for name in names:
            try:
                total += max(BLOCK, os.lstat(os.path.join(directory, name)).st_size)
            except FileNotFoundError:
                continue
    return total


def _fail(exc: OSError) -> None:
    """Pass on what keeps a folder from being counted; one that is gone holds nothing."""
    if not isinstance(exc, FileNotFoundError):
        raise exc
