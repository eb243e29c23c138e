"""Until when a minion may work on what it manages.

Why its own file: fencing. A minion counts a lease from before it asked, the master from after it
has answered, so on no clock two minions hold the same resource at once; whoever stands by gets it only
when the master's lease of the holder is over.
Shapes: one lease for each minion; it covers what the minion manages, and each answer renews it. A minion
that takes no leases (stock's) holds what it has without end.
Units: seconds of the monotonic clock.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable


class Leases:
    """The leases of all minions; `length` is the setting `resource_lease`."""

    def __init__(self, length: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.length = length
        self._clock = clock
        self._ends: dict[str, float] = {}

    def take_up(self, minions: Iterable[str]) -> None:
        """After a start: an earlier run may have renewed these leases a moment ago."""
        for minion in minions:
            self.renew(minion)

    def renew(self, minion: str) -> None:
        """Begin a lease anew; called when its answer is made."""
        self._ends[minion] = self._clock() + self.length

    def give_for_good(self, minion: str) -> None:
        """Note that a minion takes no leases."""
        self._ends[minion] = math.inf

    def end(self, minion: str) -> None:
        """Forget a minion that is gone for good."""
        self._ends.pop(minion, None)

    def takes_leases(self, minion: str) -> bool:
        """Return whether a minion takes leases."""
        return self._ends.get(minion, math.inf) < math.inf

    def is_living(self, minion: str) -> bool:
        """Return whether a minion may still be at work on what it manages."""
        return self._clock() < self._ends.get(minion, 0.0)

    def end_of(self, minion: str) -> float:
        """Return when a lease ends, on the clock of `is_past`."""
        return self._ends.get(minion, 0.0)

    def is_past(self, moment: float) -> bool:
        """Return whether a moment that `end_of` named is over."""
        return self._clock() >= moment

    def left(self, minion: str) -> float | None:
        """Return how long a lease goes on, None for one without end."""
        end = self._ends.get(minion, 0.0)
        return None if end == math.inf else max(0.0, end - self._clock())
