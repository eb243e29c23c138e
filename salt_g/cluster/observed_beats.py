"""Detection of live masters by changes of their beats.

A master counts its beats in the database. Its lease ends when the count has not changed for `LEASE` seconds
on the observer's monotonic clock, so that no two clocks are compared.
Units: seconds of the observer's monotonic clock.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

#: Interval between two beats, and the time for which a lease lasts without a beat.
BEAT, LEASE = 1.0, 10.0
#: Age of the last beat from which a master has probably ended, long before its lease is over.
SILENT = 3.0


class Member(NamedTuple):
    """Row of a master.

    `epoch` is the number of its start, `beat` grows while it runs, `seen` is the time of its last beat, as
    text.
    """

    id: str
    slot: int
    epoch: int
    beat: int
    host: str = ""
    release: str = ""
    minions: int = 0
    seen: str = ""


class ObservedBeats:
    """Record of the times at which changes of masters' beats were observed."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[tuple[int, int], float]] = {}

    def note(self, members: Iterable[Member], now: float) -> None:
        """Record the rows read at the time `now`; forget masters that have no row."""
        before, self._last = self._last, {}
        for member in members:
            count = member.epoch, member.beat
            known = before.get(member.id)
            self._last[member.id] = known if known is not None and known[0] == count else (count, now)

    def live(self, now: float, lease: float = LEASE) -> frozenset[str]:
        """Return the ids of masters whose last beat was observed less than `lease` seconds ago."""
        return frozenset(id for id, (_, at) in self._last.items() if now - at < lease)
