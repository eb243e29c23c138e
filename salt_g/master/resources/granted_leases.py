"""Leases: time limits within which a minion may act on the resources it manages.

Fencing: a minion counts a lease from before its request, the master from after its answer, so two minions
never hold the same resource at once, whatever their clocks show. A standby minion gets the resource only
after the holder's lease has ended on the master.
Shapes: one lease for each minion; it covers what the minion manages, and each answer renews it. A minion
without lease support (stock's) holds its resources without a time limit. `registration.py` grants and
renews leases.
Units: seconds of the monotonic clock.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable


class GrantedLeases:
    """Leases of all minions; `length` is the setting `resource_lease`."""

    def __init__(self, length: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.length = length
        self._clock = clock
        self._ends: dict[str, float] = {}

    def restart(self, minions: Iterable[str]) -> None:
        """Restart all leases after a start, because an earlier run may have just renewed them."""
        for minion in minions:
            self.renew(minion)

    def renew(self, minion: str) -> None:
        """Renew a lease; called when its answer is built."""
        self._ends[minion] = self._clock() + self.length

    def set_unlimited(self, minion: str) -> None:
        """Record that a minion does not support leases."""
        self._ends[minion] = math.inf

    def end(self, minion: str) -> None:
        """Drop the lease of a removed minion."""
        self._ends.pop(minion, None)

    def takes_leases(self, minion: str) -> bool:
        """Return whether a minion supports leases."""
        return self._ends.get(minion, math.inf) < math.inf

    def is_living(self, minion: str) -> bool:
        """Return whether a minion may still act on the resources that it manages."""
        return self._clock() < self._ends.get(minion, 0.0)

    def end_of(self, minion: str) -> float:
        """Return the end of a lease, on the clock of `is_past`."""
        return self._ends.get(minion, 0.0)

    def is_past(self, moment: float) -> bool:
        """Return whether a time returned by `end_of` is past."""
        return self._clock() >= moment

    def left(self, minion: str) -> float | None:
        """Return the remaining time of a lease, or None for one that never expires."""
        end = self._ends.get(minion, 0.0)
        return None if end == math.inf else max(0.0, end - self._clock())
