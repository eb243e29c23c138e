"""Leases granted by one master: the resources that this minion may act on, and until when.

Leases fence resources: if two minions manage one resource, the master leases it to one minion at a time, and
a minion without a lease starts nothing.
Shapes: the answer to a registration or a renewal: `true` (all leases are held and never expire), or
{"leases": {srn: seconds}, "standby": [srn], "refused": {srn: reason}}.
Units: seconds of the monotonic clock, counted from before the request was sent.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import Any


class HeldLeases:
    """Leases of resources, granted by one master."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._all_until = 0.0
        self._until: dict[str, float] = {}
        self._without: frozenset[str] = frozenset()

    def now(self) -> float:
        """Return the time at which leases begin if they are requested now."""
        return self._clock()

    def take(self, answer: Any, *, asked: float) -> None:
        """Store the leases in the master's answer to a request that was sent at `asked`."""
        if not isinstance(answer, Mapping):
            # A master that grants no leases answers `true`: all resources count as held.
            self._until, self._without = {}, frozenset()
            self._all_until = math.inf if answer is True else 0.0
            return
        given = answer.get("leases")
        leases = given if isinstance(given, Mapping) else {}
        standby = answer.get("standby")
        refused = answer.get("refused")
        self._without = frozenset(
            (*map(str, standby if isinstance(standby, (list, tuple)) else ()),)
            + (*map(str, refused if isinstance(refused, Mapping) else ()),)
        )
        self._all_until = 0.0
        self._until = {str(srn): _end(asked, length) for srn, length in leases.items()}

    def forget(self) -> None:
        """Drop all leases, because the master has changed."""
        self._until, self._without, self._all_until = {}, frozenset(), 0.0

    def is_held(self, srn: str) -> bool:
        """Return whether this minion may act on a resource now."""
        return self.left(srn) > 0

    def left(self, srn: str) -> float:
        """Return the remaining time of a resource's lease; 0 without one, infinity if it has no end."""
        if srn in self._without:
            return 0.0
        return max(0.0, self._until.get(srn, self._all_until) - self._clock())

    def soonest(self) -> float:
        """Return the remaining time of the shortest lease; 0 if there is none, infinity if no lease ends."""
        ends = set(self._until.values()) or {self._all_until}
        return max(0.0, min(ends) - self._clock())


def _end(asked: float, length: Any) -> float:
    """Return the end of a lease; a lease without length (null) has no end."""
    if length is None:
        return math.inf
    return asked + float(length) if isinstance(length, (int, float)) else 0.0
