"""Quota for the files pushed by a minion.

The command limits the size of one file. Measuring a minion's folder is slow, so its size is cached and
updated.
Units: bytes, seconds of the monotonic clock.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from salt_g.process.offload import offload

#: Minimum size counted for a file.
BLOCK = 4096
#: How long a full folder is assumed to stay full (s).
PAUSE = 10.0


class UploadQuota:
    """Quota of the minions' folders; `max_bytes` 0 sets no limit."""

    def __init__(self, max_bytes: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._max_bytes = max_bytes
        self._clock = clock
        #: {folder: (bytes in it, time of the measurement)}
        self._held: dict[str, tuple[int, float]] = {}

    def admits(self, folder: str, size: int) -> bool:
        """Return whether there is room for `size` more bytes; if so, count them."""
        if not self._max_bytes:
            return True
        held, counted = self._held.get(folder, (self._max_bytes, -PAUSE))
        size = max(size, BLOCK)
        if held + size > self._max_bytes and self._clock() - counted >= PAUSE:
            # Measured again, because files that were overwritten or removed since then still count.
            held, counted = offload(bytes_below, folder), self._clock()
        is_room = held + size <= self._max_bytes
        self._held[folder] = (held + size if is_room else held, counted)
        return is_room


def bytes_below(folder: str) -> int:
    """Return the size of all files below a folder; links are not followed. Raise OSError."""
    total = 0
    for directory, _, names in os.walk(folder, onerror=_fail):
        for name in names:
            try:
                total += max(BLOCK, os.lstat(os.path.join(directory, name)).st_size)
            except FileNotFoundError:
                continue
    return total


def _fail(exc: OSError) -> None:
    """Raise the error of an unreadable folder; a missing one counts as empty."""
    if not isinstance(exc, FileNotFoundError):
        raise exc
