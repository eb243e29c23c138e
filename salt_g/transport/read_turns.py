"""Time budget for reading from connections in each pass of the hub.

Parsing the bytes of one read takes up to 6 ms, and a TLS handshake 2 ms. Without a budget, the hub would read
from all readable connections in one pass, so a hundred peers that send at the same moment would stop
everything else for half a second. With it, connections for which no time is left wait in line for the next
pass, first come, first served. Watchers stay registered, because a socket with unread bytes calls again in
each pass, which advances the line.
Units: seconds.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol

import gevent

#: Time for reading in one pass of the hub (s); a read that began before its end is finished.
BUDGET = 0.01
#: Age after which a pass counts as over (s), for event loops that do not number their passes.
LONGEST_PASS = 0.1


class Readable(Protocol):
    """Connection with unread bytes."""

    def read(self) -> None:
        """Read and deliver some bytes; does nothing while the connection is closed or paused."""


def _pass_of_hub() -> int:
    return int(gevent.get_hub().loop.iteration)


class ReadTurns:
    """Waiting line of the readable connections of one port, served within a time budget."""

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
        """Queue a connection, then read from the head of the queue while this pass has time left."""
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
