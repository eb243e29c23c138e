"""Presence in a cluster: minions that are connected to this master, or to another one that lives.

Other masters write theirs every second, so what they have may be that old.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping

from salt_g.cache.store import Store
from salt_g.cluster import tables
from salt_g.cluster.membership import Membership
from salt_g.errors import StoreError
from salt_g.master.background.presence import Presence

log = logging.getLogger(__name__)


class SharedPresence:
    """Presence of minions at any master; see `services.daemons.Presence`."""

    def __init__(self, own: Presence, store: Store, membership: Membership) -> None:
        self._own = own
        self._store = store
        self._membership = membership

    def connected(self) -> set[str]:
        """Return the ids of accepted minions that have a connection to a master."""
        return self._own.connected() | set(self._elsewhere(self._membership.live()))

    def addresses(self) -> Mapping[str, str]:
        """Return the last known address of each connected minion."""
        return {**self._elsewhere(self._membership.live()), **self._own.addresses()}

    def gone(self, ids: Collection[str], answered: Collection[str]) -> set[str]:
        """Return those of `ids` that certainly have no connection; none that another master had lately."""
        # A minion of a master that ended is on its way to another one.
        return self._own.gone(ids, answered) - set(self._elsewhere(None))

    def was_elsewhere(self, ids: set[str]) -> set[str]:
        """Return those of `ids` that another master has, or had when it ended."""
        return ids & set(self._elsewhere(None))

    def _elsewhere(self, masters: frozenset[str] | None) -> dict[str, str]:
        """Return {id: address} of the minions of these masters, of all with None."""
        try:
            rows = self._store.read(tables.CONNECTED, (self._membership.id,))
        except StoreError as exc:
            log.warning("minions of other masters count as disconnected: %s", exc)
            return {}
        return {id: address for id, address, master in rows if masters is None or master in masters}
