"""Turns of long work on the hub: one slice of it in each pass, and the oldest work first.

When many greenlets compute and yield in between, each pass of the hub runs a slice of all of them, and a
short request waits for hundreds. Greenlets that share a `FairSlices` wait in line instead: the hub serves its
sockets between two slices. Whoever waits for something else holds up nobody, because only `yield_to_hub`
enters the line. The oldest first, so that a storm is finished one by one, and not all at its end.
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
    """Line of greenlets that do work of one kind; they are as many as their owner lets begin."""

    def __init__(self) -> None:
        self._numbers = itertools.count()
        #: (number of the work, number of the wait, its Waiter), the oldest work first.
        self._line: list[tuple[int, int, Any]] = []
        self._timer: Any = None

    def __len__(self) -> int:
        return len(self._line)

    @contextlib.contextmanager
    def taken(self) -> Iterator[None]:
        """Work in turns with others: `yield_to_hub` waits for the next turn, as does the beginning."""
        number = next(self._numbers)
        with pausing_by(lambda: self._wait(number)):
            yield_to_hub()
            yield

    def _wait(self, number: int) -> None:
        hub = gevent.get_hub()
        if self._timer is None:
            self._timer = hub.loop.timer(MOMENT)
        elif self._timer.loop is not hub.loop:
            # A native thread with a hub of its own.
            gevent.sleep(MOMENT)
            return
        waiter: Any = gevent.hub.Waiter(hub)
        heapq.heappush(self._line, (number, next(self._numbers), waiter))
        if not self._timer.active:
            self._timer.start(self._let_one_go)
        waiter.get()

    def _let_one_go(self) -> None:
        """Run in the hub: continue the oldest work, and come back in the next pass."""
        _, _, waiter = heapq.heappop(self._line)
        self._timer.stop()
        if self._line:
            self._timer.start(self._let_one_go)
        # One that was killed meanwhile has left its Waiter, which then keeps the value for nobody.
        waiter.switch(None)
