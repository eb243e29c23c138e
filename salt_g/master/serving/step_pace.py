"""Pace of live steps: the pause of a minion between two events, which limits the rate of all minions.

A thousand minions that run states at once would send ten thousand events a second. Users who watch need to
see progress; the returns have the rest.
Units: seconds.
Bounds: the ids of two windows, at most `MAX_IDS` in each.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from salt_g.report.step_feed import INTERVAL

#: Maximum number of events per second from all minions together.
MOST_PER_SECOND = 200
#: Time for which a minion counts after it has sent steps, and the longest pause (s).
WINDOW = 10.0
#: Maximum number of minions counted in a window.
MAX_IDS = 50_000


class StepPace:
    """Pause between a minion's step events, which grows with the number of minions that send them."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._ends = 0.0
        self._before: set[str] = set()
        self._now: set[str] = set()

    def pause_of(self, id: str) -> float:
        """Return the pause of a minion that has just sent steps."""
        now = self._clock()
        if now >= self._ends:
            self._before = self._now if now < self._ends + WINDOW else set()
            self._now, self._ends = set(), now + WINDOW
        if len(self._now) < MAX_IDS:
            self._now.add(id)
        senders = max(len(self._before), len(self._now))
        return min(WINDOW, max(INTERVAL, senders / MOST_PER_SECOND))
