"""After a start: wait for the minions that were connected before, so that no job passes them by.

Why its own file: what is published while a minion's subscription is away is lost for it, and stock's
minions come back between 1 and 11 s after the port does. A job for minions that were connected when the
last run ended waits until their addresses have as many connections again, at most `HOLD` seconds after the
start.
Shapes: what is kept is {id: address}, in the bank `master`.
Units: seconds.
"""

from __future__ import annotations

import collections
import logging
import time
from collections.abc import Callable, Collection, Mapping

import gevent

from salt_g.cache.banks import Banks
from salt_g.errors import StoreError
from salt_g.master.presence import Presence, normal
from salt_g.master.sessions import Sessions

log = logging.getLogger(__name__)

BANK, KEY = "master", "connected"
#: Stock's `recon_default` + `recon_max`, and a second for the connection.
HOLD = 12.0
#: Pause between two looks, and how long a new connection needs until it has subscribed.
LOOK = 0.25
SETTLED = 0.3
#: How often who is connected is written down.
WRITE_INTERVAL = 2.0


class Reconnecting:
    """Holds jobs after a start. Life: `begin` when the publish port listens."""

    def __init__(
        self,
        banks: Banks,
        sessions: Sessions,
        presence: Presence,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._banks = banks
        self._sessions = sessions
        self._presence = presence
        self._clock = clock
        self._until = 0.0
        self._away: dict[str, set[str]] = {}
        self._written: Mapping[str, str] = {}

    def begin(self) -> None:
        """Read who was connected when the last run ended."""
        try:
            before = self._banks.fetch(BANK, KEY)
        except StoreError:
            return
        self._written = before
        away: dict[str, set[str]] = collections.defaultdict(set)
        for id, address in before.items():
            away[normal(str(address))].add(str(id))
            session = self._sessions.get(id)
            if session is not None:
                session.note(str(address), self._clock())
        self._away, self._until = dict(away), self._clock() + HOLD

    def note(self) -> None:
        """Write down who is connected now, when it changed."""
        if self._clock() < self._until:
            # Not all are back yet; a second restart now must wait for the same.
            self._forget_those_back()
            if self._away:
                return
        now = dict(self._presence.addresses())
        if now != self._written:
            self._banks.store(BANK, KEY, now)
            self._written = now

    def wait(self, ids: Collection[str]) -> None:
        """Wait until those of `ids` that were connected before are so again, or long enough."""
        began = self._clock()
        while self._are_away(ids) and self._clock() < self._until:
            gevent.sleep(LOOK)
        if self._clock() - began >= LOOK / 2:
            gevent.sleep(SETTLED)

    def _are_away(self, ids: Collection[str]) -> bool:
        if not self._away:
            return False
        self._forget_those_back()
        return any(not away.isdisjoint(ids) for away in self._away.values())

    def _forget_those_back(self) -> None:
        connections = self._presence.connections()
        if connections is None or self._clock() >= self._until:
            self._away = {}
            return
        self._away = {address: ids for address, ids in self._away.items() if connections[address] < len(ids)}
