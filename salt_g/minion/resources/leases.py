"""Which resources this minion may work on, and until when, as one master says it.

Why its own file: fencing. Two minions may manage one resource; the master gives one of them a lease at a
time, and who has none starts nothing.
Shapes: the answer to a registration or a renewal: `true` (all is held without end), or
{"leases": {srn: seconds}, "standby": [srn], "refused": {srn: reason}}.
Units: seconds of the monotonic clock, counted from before the question was sent.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import Any


class Leases:
    """The leases of one master's resources."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._all_until = 0.0
        self._until: dict[str, float] = {}
        self._without: frozenset[str] = frozenset()

    def now(self) -> float:
        """Return the moment from which an answer to a question asked now counts."""
        return self._clock()

    def take(self, answer: Any, *, asked: float) -> None:
        """Take what the master answered to a question that was sent at `asked`."""
        if not isinstance(answer, Mapping):
            # A master that knows of no leases: what it took is ours.
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
        """Hold nothing: another master answers now."""
        self._until, self._without, self._all_until = {}, frozenset(), 0.0

    def is_held(self, srn: str) -> bool:
        """Return whether this minion may work on a resource now."""
        return self.left(srn) > 0

    def left(self, srn: str) -> float:
        """Return how long a resource is held, 0 when it is not, infinity without an end."""
        if srn in self._without:
            return 0.0
        return max(0.0, self._until.get(srn, self._all_until) - self._clock())

    def soonest(self) -> float:
        """Return how long the shortest lease goes on, infinity when none has an end."""
        ends = set(self._until.values()) or {self._all_until}
        return max(0.0, min(ends) - self._clock())


def _end(asked: float, length: Any) -> float:
    """Return when a lease ends; one of no length (null) has no end."""
    if length is None:
        return math.inf
    return asked + float(length) if isinstance(length, (int, float)) else 0.0
