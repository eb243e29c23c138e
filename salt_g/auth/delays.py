"""Make guessing slow: a login that fails is answered late, and later the more of them fail.

Why its own file: every kind of login waits here, so that the causes of a failure cannot be told apart by
their time. What is counted is a name at a source, so that wrong logins keep no other user out; who logs in
while wrong logins of the same name are looked at waits for a turn, which comes in order.
Units: seconds of the monotonic clock.
"""

from __future__ import annotations

import collections
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: How late the first failure is answered, and the latest.
FIRST, LAST = 1.0, 8.0
#: After so long without a failure a name or a source begins anew.
FORGOTTEN = 300.0
#: Logins of one name, and of one source, that are looked at or answered late at once.
AT_ONCE, SOURCE_AT_ONCE = 4, 32
#: Logins of one name, and of one source, that wait for their turn; further ones fail at once.
WAITING, SOURCE_WAITING = 16, 64
#: However many wait for their answers, the next login of a name is looked at after so long.
PACE = 2.0
#: Longest wait for a turn.
PATIENCE = 45.0
#: Names and sources that are remembered.
_REMEMBERED = 10_000

Key = tuple[str, str]


class Delays:
    """What is remembered of names at sources (an address, or a user of this machine)."""

    def __init__(
        self, *, pause: Callable[[float], object] = time.sleep, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._pause = pause
        self._clock = clock
        self._failures = _Failures(clock)
        self._sources: dict[str, _Source] = {}

    @contextmanager
    def turn(self, source: str, name: str = "") -> Iterator[bool]:
        """Wait for a turn of a name at a source, which lasts as long as the block.

        Yields False when too many wait already, or the turn does not come in time. What has no name (a token
        that stands for nobody) does not wait.
        """
        place = self._sources.setdefault(source, _Source(self._clock))
        try:
            has_turn = place.enter(name)
            try:
                yield has_turn
            finally:
                if has_turn:
                    place.leave(name)
        finally:
            if place.is_empty:
                self._sources.pop(source, None)

    def failed(self, source: str, began: float, name: str = "") -> None:
        """Note a failure and wait, so that it takes the same time since `began` whatever the cause."""
        count = self._failures.add(source, name)
        wanted = min(LAST, FIRST * 2.0 ** min(count - 1, 10)) * random.SystemRandom().uniform(0.75, 1.25)
        self._pause(max(0.0, began + wanted - self._clock()))

    def succeeded(self, source: str, name: str = "") -> None:
        """Forget the failures of a name at a source."""
        self._failures.forget(source, name)

    def now(self) -> float:
        """Return the moment, to be given to `failed` later."""
        return self._clock()


class _Failures:
    """How often logins have failed: of a name at a source, and of all names there together."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._counts: dict[Key | str, tuple[int, float]] = {}

    def add(self, source: str, name: str) -> int:
        """Note a failure; return the count that matters: who goes through names counts, too, only slower."""
        of_name = self._add((source, name))
        return max(of_name, self._add(source) // AT_ONCE)

    def forget(self, source: str, name: str) -> None:
        """Forget a name's failures, and that they were failures of the source."""
        own = self._count((source, name))
        self._counts.pop((source, name), None)
        count, last = self._counts.pop(source, (0, 0.0))
        if count > own:
            self._counts[source] = (count - own, last)

    def _add(self, key: Key | str) -> int:
        count = self._count(key) + 1
        self._counts.pop(key, None)
        if len(self._counts) >= _REMEMBERED:
            # The one whose latest failure is oldest.
            self._counts.pop(next(iter(self._counts)))
        self._counts[key] = (count, self._clock())
        return count

    def _count(self, key: Key | str) -> int:
        count, last = self._counts.get(key, (0, 0.0))
        return count if self._clock() - last < FORGOTTEN else 0


class _Source:
    """Whose turn it is at one source."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._busy: collections.Counter[str] = collections.Counter()
        self._queues: dict[str, collections.deque[threading.Event]] = {}
        self._last: dict[str, float] = {}

    @property
    def is_empty(self) -> bool:
        """Whether nobody has a turn or waits for one."""
        return not self._busy and not self._queues

    def enter(self, name: str) -> bool:
        """Wait for a turn and take it; return False when there is none."""
        if name not in self._queues and self._until_free(name, self._clock()) == 0:
            return self._begin(name)
        waiting = sum(map(len, self._queues.values()))
        if not name or len(self._queues.get(name, ())) >= WAITING or waiting >= SOURCE_WAITING:
            return False
        ticket = threading.Event()
        self._queues.setdefault(name, collections.deque()).append(ticket)
        try:
            return self._wait(name, ticket) and self._begin(name)
        finally:
            self._queues[name].remove(ticket)
            if not self._queues[name]:
                del self._queues[name]
            self._wake()

    def leave(self, name: str) -> None:
        """Give a turn back."""
        self._busy[name] -= 1
        if not self._busy[name]:
            del self._busy[name], self._last[name]
        self._wake()

    def _wait(self, name: str, ticket: threading.Event) -> bool:
        """Wait until this one is the first in its queue and may begin."""
        came = self._clock()
        deadline = came + PATIENCE
        while (left := deadline - self._clock()) > 0:
            is_first = self._queues[name][0] is ticket
            free_in = self._until_free(name, came) if is_first else left
            if free_in == 0:
                return True
            ticket.wait(min(left, free_in))
            ticket.clear()
        return False

    def _until_free(self, name: str, came: float) -> float:
        """Return after how long a login of a name, which came at a moment, may be looked at at the latest."""
        if self._busy.total() >= SOURCE_AT_ONCE + SOURCE_WAITING:
            return PATIENCE
        if self._busy[name] < (AT_ONCE if self._busy.total() < SOURCE_AT_ONCE else 0):
            return 0.0
        return max(0.0, self._last.get(name, came) + PACE - self._clock())

    def _begin(self, name: str) -> bool:
        self._busy[name] += 1
        self._last[name] = self._clock()
        return True

    def _wake(self) -> None:
        """Let the first of each name look whether its turn has come."""
        for queue in self._queues.values():
            queue[0].set()
