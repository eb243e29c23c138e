"""Give other greenlets their turn while there is always something to do.

Why its own file: a socket, a queue or a ring that is never empty never makes its reader wait, and
whoever fills it would then have the hub for itself.
Units: seconds.
"""

from __future__ import annotations

import time

import gevent

from salt_g.process.offload import MOMENT

#: How long one part may go on without a pause.
SLICE = 0.005


class TimeSlice:
    """One part's share of the hub; greenlets that do the same work have one together."""

    __slots__ = ("_began",)

    def __init__(self) -> None:
        self._began = 0.0

    def pause(self) -> None:
        """Let others run if the last pause is `SLICE` ago; to be called between two pieces of work."""
        if time.monotonic() - self._began < SLICE:
            return
        # Set before as well: who comes here meanwhile need not pause for the same reason.
        self._began = time.monotonic()
        gevent.sleep(MOMENT)
        self._began = time.monotonic()
