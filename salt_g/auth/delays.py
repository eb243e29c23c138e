"""Delays against password guessing: each failure delays the answers to further failed logins.

All kinds of logins share the delay, so that timing does not reveal the cause of a failure. Failures are
counted per name and source, so that failed logins do not lock out other users. While several logins of the
same name are checked or delayed, further ones are queued.
Units: seconds of the monotonic clock.
"""

from __future__ import annotations

import collections
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: Delay after the first failure, and the longest delay.
FIRST, LAST = 1.0, 8.0
#: Time without a failure after which the delay for a name or a source starts again at `FIRST`.
FORGOTTEN = 300.0
#: Maximum number of logins of one name, and of one source, that are checked or delayed at the same time.
AT_ONCE, SOURCE_AT_ONCE = 4, 32
#: Maximum number of queued logins of one name, and of one source; further ones fail at once.
WAITING, SOURCE_WAITING = 16, 64
#: Time after which the next login of a name is checked, however many are still delayed.
PACE = 2.0
#: Longest wait in the queue.
PATIENCE = 45.0
#: Maximum number of names and sources remembered.
_REMEMBERED = 10_000

Key = tuple[str, str]


class Delays:
    """Delays and queues for logins of names from sources (an address, or a user of this machine)."""

    def __init__(
        self, *, pause: Callable[[float], object] = time.sleep, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._pause = pause
        self._clock = clock
        self._failures = _Failures(clock)
        self._sources: dict[str, _Source] = {}

    @contextmanager
    def turn(self, source: str, name: str = "") -> Iterator[bool]:
        """Hold a slot for a name at a source for the duration of the block; wait for one first.

        Yield True, or False if the queue is full or the wait takes too long. Logins without a name (an
        invalid token) do not wait.
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
        """Record a failure and wait, so that the time since `began` does not depend on the cause."""
        count = self._failures.add(source, name)
        wanted = min(LAST, FIRST * 2.0 ** min(count - 1, 10)) * random.SystemRandom().uniform(0.75, 1.25)
        self._pause(max(0.0, began + wanted - self._clock()))

    def succeeded(self, source: str, name: str = "") -> None:
        """Reset the failures of a name at a source."""
        self._failures.forget(source, name)

    def now(self) -> float:
        """Return the current time, to be passed to `failed` later."""
        return self._clock()


class _Failures:
    """Counter of failed logins: of a name at a source, and of all names of the source together."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._counts: dict[Key | str, tuple[int, float]] = {}

    def add(self, source: str, name: str) -> int:
        """Record a failure; return the effective count, to which failures of other names contribute less."""
        of_name = self._add((source, name))
        return max(of_name, self._add(source) // AT_ONCE)

    def forget(self, source: str, name: str) -> None:
        """Reset a name's failures and subtract them from its source."""
        own = self._count((source, name))
        self._counts.pop((source, name), None)
        count, last = self._counts.pop(source, (0, 0.0))
        if count > own:
            self._counts[source] = (count - own, last)

    def _add(self, key: Key | str) -> int:
        count = self._count(key) + 1
        self._counts.pop(key, None)
        if len(self._counts) >= _REMEMBERED:
            # Forget the entry whose latest failure is oldest.
            self._counts.pop(next(iter(self._counts)))
        self._counts[key] = (count, self._clock())
        return count

    def _count(self, key: Key | str) -> int:
        count, last = self._counts.get(key, (0, 0.0))
        return count if self._clock() - last < FORGOTTEN else 0


class _Source:
    """Slots and queue of one source."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._busy: collections.Counter[str] = collections.Counter()
        self._queues: dict[str, collections.deque[threading.Event]] = {}
        self._last: dict[str, float] = {}

    @property
    def is_empty(self) -> bool:
        """Whether no slot is taken and the queue is empty."""
        return not self._busy and not self._queues

    def enter(self, name: str) -> bool:
        """Wait for a slot and take it; return False if the queue is full or no slot became free."""
        if name not in self._queues and self._latest_start(name, self._clock()) == 0:
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
        """Release a slot."""
        self._busy[name] -= 1
        if not self._busy[name]:
            del self._busy[name], self._last[name]
        self._wake()

    def _wait(self, name: str, ticket: threading.Event) -> bool:
        """Wait until this login is first in its queue and may start; return False after `PATIENCE`."""
        came = self._clock()
        deadline = came + PATIENCE
        while (left := deadline - self._clock()) > 0:
            is_first = self._queues[name][0] is ticket
            free_in = self._latest_start(name, came) if is_first else left
            if free_in == 0:
                return True
            ticket.wait(min(left, free_in))
            ticket.clear()
        return False

    def _latest_start(self, name: str, came: float) -> float:
        """Return the longest time until a login that arrived at `came` can start; 0.0 if it can start now."""
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
        """Wake the first login of each name to check for a free slot."""
        for queue in self._queues.values():
            queue[0].set()
