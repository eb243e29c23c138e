"""Fair scheduling of long computations on the hub: one slice in each pass, the oldest work first.

When many greenlets compute and yield in between, each pass of the hub runs a slice of every one of them, and
a short request waits for hundreds of slices. Greenlets that share a `FairSlices` wait in a queue instead, and
the hub serves its sockets between two slices. A greenlet that waits for something else delays no other,
because only `yield_to_hub` enters the queue. The oldest work comes first, so that the results of many
simultaneous requests are ready one after another, instead of all at the end.
"""

from __future__ import annotations

import contextlib
import heapq
import itertools
from collections.abc import Iterator
from typing import Any

import gevent
import gevent.hub

from salt_g.process.offload import MOMENT, pausing_by, yield_to_hub


class FairSlices:
    """Queue of greenlets that do work of one kind; the owner of the queue limits their number."""

    def __init__(self) -> None:
        self._numbers = itertools.count()
        #: (number of the work, number of the wait, its Waiter), the oldest work first.
        self._line: list[tuple[int, int, Any]] = []
        self._timer: Any = None

    def __len__(self) -> int:
        return len(self._line)

    @contextlib.contextmanager
    def taken(self) -> Iterator[None]:
        """Run the block in turns with others: it waits for a turn at its start and in each `yield_to_hub`."""
        number = next(self._numbers)
        with pausing_by(lambda: self._wait(number)):
            yield_to_hub()
            yield

    def _wait(self, number: int) -> None:
        hub = gevent.get_hub()
        if self._timer is None:
            self._timer = hub.loop.timer(MOMENT)
        elif self._timer.loop is not hub.loop:
            # The caller is a native thread that has its own hub.
            gevent.sleep(MOMENT)
            return
        waiter: Any = gevent.hub.Waiter(hub)
        heapq.heappush(self._line, (number, next(self._numbers), waiter))
        if not self._timer.active:
            self._timer.start(self._let_one_go)
        waiter.get()

    def _let_one_go(self) -> None:
        """Resume the oldest work, and schedule the next call; runs in the hub."""
        _, _, waiter = heapq.heappop(self._line)
        self._timer.stop()
        if self._line:
            self._timer.start(self._let_one_go)
        # A greenlet that was killed in the meantime has left its Waiter, which ignores the value.
        waiter.switch(None)
