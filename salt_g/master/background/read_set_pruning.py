"""Pruning of a master's read-sets: limits, applied periodically, and removal with the minion's key.

In a cluster only the leader applies the limits.
Units: seconds.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from salt_g.cache.read_sets import ReadSetLimits, ReadSets
from salt_g.cache.store import Store
from salt_g.errors import StoreError
from salt_g.process.periodic_loop import PeriodicLoop

log = logging.getLogger(__name__)

#: Pause between two removals of old read-sets (s).
PAUSE = 60.0


class ReadSetPruning:
    """Removal of old read-sets. Lifecycle: `run` in a greenlet."""

    def __init__(
        self,
        store: Store,
        limits: ReadSetLimits,
        *,
        is_leader: Callable[[], bool] | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._read_sets = ReadSets(store)
        self._limits = limits
        self._is_leader = is_leader or (lambda: True)
        self._now = now

    def run(self) -> None:
        """Prune until the greenlet ends."""
        PeriodicLoop("read-sets", self.prune, PAUSE).run()

    def forget(self, minion: str) -> None:
        """Remove the read-sets of a minion whose key was removed."""
        try:
            self._read_sets.forget(minion).result()
        except (StoreError, TimeoutError) as exc:
            log.error("the read-sets of %s cannot be removed: %s", minion, exc)

    def prune(self) -> None:
        """Remove the read-sets beyond the limits: one round of the loop."""
        if not self._is_leader():
            return
        try:
            while self._read_sets.prune(self._limits, self._now()).result():
                pass
        except (StoreError, TimeoutError) as exc:
            log.warning("old read-sets are not removed yet: %s", exc)
