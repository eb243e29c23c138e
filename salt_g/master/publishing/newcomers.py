"""Newcomers: minions whose key was just accepted, awaited so that the first jobs after `key -A` reach them.

A minion whose key is pending asks again every `acceptance_wait_time` seconds (10 by default) and subscribes
after that, so a job that is published right after the acceptance would miss it. A job for such a minion waits
until it has started, at most `HOLD` seconds after its last request.
Units: seconds. Bounds: `MOST` minions are remembered, for `HOLD` seconds each.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Collection

import gevent

log = logging.getLogger(__name__)

#: Default `acceptance_wait_time`, plus two seconds for sign-in and connection.
HOLD = 12.0
#: Longest time from a minion's sign-in to its subscription and its start event.
ON_ITS_WAY = 5.0
#: Pause between two checks.
LOOK = 0.1
#: Maximum number of pending keys remembered; the oldest are forgotten first.
MOST = 10_000


class Newcomers:
    """Minions that signed in with a pending key and have not started yet."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic, most: int = MOST) -> None:
        self._clock = clock
        self._most = most
        #: {id: time until which jobs wait for this minion}, oldest entry first.
        self._until: OrderedDict[str, float] = OrderedDict()

    def note_pending(self, id: str) -> None:
        """Record that a minion with a pending key signed in, and will retry."""
        self._note(id, HOLD)

    def note_sign_in(self, id: str) -> None:
        """Record that a minion was admitted; only one that was pending is waited for."""
        if id in self._until:
            self._note(id, ON_ITS_WAY)

    def note_started(self, id: str) -> None:
        """Record that a minion has fired its start event and receives jobs."""
        self._until.pop(id, None)

    def wait(self, ids: Collection[str]) -> None:
        """Wait, for a limited time, until the newly accepted minions among `ids` have started."""
        end = self._clock() + HOLD
        coming = self._coming(ids)
        if coming:
            log.info("a job waits for newly accepted minions: %s", ", ".join(sorted(coming)[:10]))
        while coming and self._clock() < end:
            gevent.sleep(LOOK)
            coming = self._coming(ids)

    def _coming(self, ids: Collection[str]) -> set[str]:
        now = self._clock()
        for id in [id for id, until in self._until.items() if until <= now]:
            del self._until[id]
        return self._until.keys() & set(ids) if self._until else set()

    def _note(self, id: str, seconds: float) -> None:
        self._until.pop(id, None)
        self._until[id] = self._clock() + seconds
        if len(self._until) > self._most:
            self._until.popitem(last=False)
