"""Presence in a cluster: minions that are connected to this master or to another live one.

Other masters store their connected minions every second, so this data may be a second old.
Units: seconds.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Mapping

import gevent

from salt_g.cache.store import Store
from salt_g.cluster import tables
from salt_g.cluster.membership import Membership
from salt_g.errors import StoreError
from salt_g.master.background.presence import Presence

log = logging.getLogger(__name__)

#: Longest wait for the minions of a master that ended, and the pause between two checks.
ON_THEIR_WAY, LOOK = 30.0, 0.5


class SharedPresence:
    """Presence of minions at any master; see `services.daemons.Presence`."""

    def __init__(
        self,
        own: Presence,
        store: Store,
        membership: Membership,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._own = own
        self._store = store
        self._membership = membership
        self._clock = clock
        #: {(minion, master that ended): (time of the first query about the minion, time of the last one)}
        self._lost: dict[tuple[str, str], tuple[float, float]] = {}

    def connected(self) -> set[str]:
        """Return the ids of accepted minions that have a connection to a master."""
        return self._own.connected() | set(self.elsewhere())

    def elsewhere(self) -> Collection[str]:
        """Return the ids of minions that have a connection to another master."""
        return self._elsewhere(self._membership.live())

    def addresses(self) -> Mapping[str, str]:
        """Return the last known address of each connected minion."""
        return {**self._elsewhere(self._membership.live()), **self._own.addresses()}

    def gone(self, ids: Collection[str], answered: Collection[str]) -> set[str]:
        """Return the ids in `ids` that certainly have no connection, here or lately at another master."""
        # A minion of a master that ended is moving to another master.
        return self._own.gone(ids, answered) - set(self._elsewhere(None))

    def moving(self, ids: Collection[str]) -> set[str]:
        """Return the ids in `ids` that are moving from a master that ended, for a limited time.

        A minion that has arrived also counts, because it may still be sent the job again and return late.
        """
        there, now = self._membership.beating(), self._clock()
        try:
            rows = self._read()
        except StoreError:
            return set()
        lost = [(id, master) for id, _, master in rows if master not in there]
        # With a slow database, masters seem to end again and again, but their minions are waited for only
        # once.
        kept = {key: seen for key, seen in self._lost.items() if now - seen[1] < ON_THEIR_WAY}
        self._lost = kept | {key: (kept.get(key, (now, now))[0], now) for key in lost}
        return {key[0] for key in lost if key[0] in ids and now - self._lost[key][0] < ON_THEIR_WAY}

    def was_elsewhere(self, ids: set[str]) -> dict[str, bool]:
        """Return {id: True} for `ids` connected to another master, now or when it ended; raises StoreError.

        The value is also True for ids that were connected to this master before its start. It is False for
        ids that recently left a running master, including this one.
        """
        return dict(self._store.read(tables.ELSEWHERE, (sorted(ids), self._membership.id)))

    def wait_for_minions_of(self, master: str) -> None:
        """Wait, for a limited time, until the minions of a master that ended have come to other masters."""
        end = time.monotonic() + ON_THEIR_WAY
        while time.monotonic() < end:
            lost = set(self._elsewhere(frozenset((master, tables.former(master)))))
            if not lost - self.connected():
                return
            gevent.sleep(LOOK)

    def _elsewhere(self, masters: frozenset[str] | None) -> dict[str, str]:
        """Return {id: address} of the minions of these masters, of all other masters for None."""
        try:
            rows = self._read()
        except StoreError as exc:
            log.warning("minions of other masters count as disconnected: %s", exc)
            return {}
        return {id: address for id, address, master in rows if masters is None or master in masters}

    def _read(self) -> list[tuple[str, str, str]]:
        return self._store.read(tables.CONNECTED, (self._membership.id,))
