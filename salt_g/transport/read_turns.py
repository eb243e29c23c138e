"""Turns of readable connections: so much reading in each pass of the hub, and no more.

One read costs a peer's bytes up to 6 ms of parsing, and a handshake of TLS 2 ms. In one pass of the hub all
readable connections are read, so a hundred peers that send at the same moment would stop everything else for
half a second. With turns, what has no time left waits in line for the next pass, the first come first.
Nothing is unregistered: a socket with unread bytes calls again in each pass, which is what moves the line on.
Units: seconds.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol

import gevent

#: Reading in one pass, before which a last read may begin.
BUDGET = 0.01
#: Age of a pass from which it counts as over, for loops that do not number their passes.
LONGEST_PASS = 0.1


class Readable(Protocol):
    """Connection with unread bytes."""

    def read(self) -> None:
        """Read and deliver some bytes; does nothing while the connection is closed or does not want any."""


def _pass_of_hub() -> int:
    return int(gevent.get_hub().loop.iteration)


class ReadTurns:
    """Line of the readable connections of one port."""

    def __init__(
        self,
        *,
        clock: Callable[[], float] = time.perf_counter,
        current_pass: Callable[[], int] = _pass_of_hub,
    ) -> None:
        self._clock = clock
        self._current_pass = current_pass
        self._line: OrderedDict[Readable, None] = OrderedDict()
        self._pass = -1
        self._began = self._spent = 0.0

    def __len__(self) -> int:
        return len(self._line)

    def on_readable(self, connection: Readable) -> None:
        """Read from a connection, or from those before it in the line, while this pass has time left."""
        began = self._clock()
        number = self._current_pass()
        if number != self._pass or began - self._began >= LONGEST_PASS:
            self._pass, self._began, self._spent = number, began, 0.0
        if not self._line and self._spent < BUDGET:
            connection.read()
            self._spent += self._clock() - began
            return
        self._line.setdefault(connection)
        while self._line and self._spent < BUDGET:
            first, _ = self._line.popitem(last=False)
            first.read()
            now = self._clock()
            self._spent, began = self._spent + now - began, now

    def forget(self, connection: Readable) -> None:
        """Remove a closed connection from the line."""
        self._line.pop(connection, None)
