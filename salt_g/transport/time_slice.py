"""Time slices for greenlets that would never wait on their own.

A socket, queue or ring that is never empty never makes its reader wait, so its producer could monopolize
the hub.
Units: seconds.
"""

from __future__ import annotations

import time

import gevent

from salt_g.process.offload import MOMENT

#: Maximum time without a pause (s).
SLICE = 0.005


class TimeSlice:
    """Share of the hub for one kind of work; greenlets that do the same work share it."""

    __slots__ = ("_began",)

    def __init__(self) -> None:
        self._began = 0.0

    def pause(self) -> None:
        """Yield to the hub if the last pause was `SLICE` or more ago; call this between units of work."""
        if time.monotonic() - self._began < SLICE:
            return
        # Set first, so that concurrent callers skip the pause.
        self._began = time.monotonic()
        gevent.sleep(MOMENT)
        self._began = time.monotonic()
