"""Make guessing slow: a login that fails is answered late, and later the more of them fail.

Why its own file: every kind of login waits here, so that the causes of a failure cannot be told
apart by their time, and one source cannot keep the others from logging in.
Units: seconds of the monotonic clock.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: How late the first failure of a source is answered, and the latest.
FIRST, LAST = 1.0, 8.0
#: After so long without a failure a source begins anew.
FORGOTTEN = 300.0
#: Logins of one source that are looked at or waited for at once; further ones fail at once.
AT_ONCE = 4
#: Sources that are remembered.
_SOURCES = 10_000


class Delays:
    """What is remembered of sources (an address, or a user of this machine)."""

    def __init__(
        self, *, pause: Callable[[float], object] = time.sleep, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._pause = pause
        self._clock = clock
        self._failures: dict[str, tuple[int, float]] = {}
        self._busy: dict[str, int] = {}

    @contextmanager
    def turn(self, source: str) -> Iterator[bool]:
        """Take a turn of a source while the block runs; yields False when it has too many already."""
        count = self._busy.get(source, 0)
        if count >= AT_ONCE:
            yield False
            return
        self._busy[source] = count + 1
        try:
            yield True
        finally:
            left = self._busy[source] - 1
            if left:
                self._busy[source] = left
            else:
                del self._busy[source]

    def failed(self, source: str, began: float) -> None:
        """Note a failure and wait, so that it takes the same time since `began` whatever the cause."""
        count = self._count(source) + 1
        if source not in self._failures and len(self._failures) >= _SOURCES:
            self._failures.pop(next(iter(self._failures)))
        self._failures[source] = (count, self._clock())
        wanted = min(LAST, FIRST * 2.0 ** (count - 1)) * random.SystemRandom().uniform(0.75, 1.25)
        self._pause(max(0.0, began + wanted - self._clock()))

    def succeeded(self, source: str) -> None:
        """Forget the failures of a source."""
        self._failures.pop(source, None)

    def now(self) -> float:
        """Return the moment, to be given to `failed` later."""
        return self._clock()

    def _count(self, source: str) -> int:
        count, last = self._failures.get(source, (0, 0.0))
        return count if self._clock() - last < FORGOTTEN else 0
