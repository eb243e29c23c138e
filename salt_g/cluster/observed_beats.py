"""Living masters: their beats, as one observer sees them change.

A master counts its beats in the database. Its lease is over when the count stood still for `LEASE` seconds on
the observer's own monotonic clock, so no two clocks are compared.
Units: seconds of the observer's monotonic clock.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

#: Pause between two beats, and how long a lease lasts without one.
BEAT, LEASE = 1.0, 10.0
#: Age of the last beat from which a master has probably ended, long before its lease is over.
SILENT = 3.0


class Member(NamedTuple):
    """Row of a master: `epoch` counts its starts, `beat` grows while it runs; `seen` is text for display."""

    id: str
    slot: int
    epoch: int
    beat: int
    host: str = ""
    release: str = ""
    minions: int = 0
    seen: str = ""


class ObservedBeats:
    """Moments at which the beats of masters were seen to change."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[tuple[int, int], float]] = {}

    def note(self, members: Iterable[Member], now: float) -> None:
        """Note the rows as they were read at a moment; a master that has no row is forgotten."""
        before, self._last = self._last, {}
        for member in members:
            count = member.epoch, member.beat
            known = before.get(member.id)
            self._last[member.id] = known if known is not None and known[0] == count else (count, now)

    def live(self, now: float, lease: float = LEASE) -> frozenset[str]:
        """Return the ids of masters whose lease is not over, or whose last beat is not older than `lease`."""
        return frozenset(id for id, (_, at) in self._last.items() if now - at < lease)
