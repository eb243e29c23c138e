"""After a start: wait for the minions that were connected before, so that no job passes them by.

Why its own file: what is published while a minion's subscription is away is lost for it, and stock's
minions come back between 1 and 11 s after the port does. A job for minions that were connected when the
last run ended waits until their addresses have as many connections again, at most `HOLD` seconds after the
start.
A master that was away for longer than `RECENT` waits for nobody: who was there then may be long gone, and who
ordered nothing for so long does not mind who comes back in the next seconds.
Shapes: what is kept is {"at": seconds since the epoch, "addresses": {id: address}}, in the bank `master`.
Of several minions at one address of which only some came back nobody knows which: they are asked, once.
Units: seconds.
"""

from __future__ import annotations

import collections
import logging
import time
from collections.abc import Callable, Collection, Mapping, Sequence

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
#: How often who is connected is written down when it changed, and when it did not.
WRITE_INTERVAL = 2.0
SAME_INTERVAL = 60.0
#: How long a master may have been away and still wait for those who were connected.
RECENT = 600.0


class Reconnecting:
    """Holds jobs after a start. Life: `begin` when the publish port listens."""

    def __init__(
        self,
        banks: Banks,
        sessions: Sessions,
        presence: Presence,
        *,
        ask: Callable[[Sequence[str]], None] = lambda ids: None,
        clock: Callable[[], float] = time.monotonic,
        moment: Callable[[], float] = time.time,
    ) -> None:
        self._banks = banks
        self._sessions = sessions
        self._presence = presence
        self._ask = ask
        self._clock = clock
        self._moment = moment
        self._until = 0.0
        self._away: dict[str, set[str]] = {}
        self._doubtful: set[str] = set()
        self._written: Mapping[str, str] = {}
        self._written_at = 0.0

    def begin(self) -> None:
        """Read who was connected when the last run ended."""
        try:
            kept = self._banks.fetch(BANK, KEY)
        except StoreError:
            return
        before = kept.get("addresses") or {}
        self._written, self._written_at = before, float(kept.get("at") or 0.0)
        away: dict[str, set[str]] = collections.defaultdict(set)
        for id, address in before.items():
            away[normal(str(address))].add(str(id))
            session = self._sessions.get(id)
            if session is not None:
                session.note(str(address), self._clock())
        if self._moment() - self._written_at < RECENT:
            self._away, self._until = dict(away), self._clock() + HOLD

    def note(self, *, at_the_end: bool = False) -> None:
        """Write down who is connected now, when it changed or was not written for long, and at the end."""
        self._forget_those_back()
        if self._clock() < self._until:
            if self._away:
                # Not all are back yet; a second restart now must wait for the same.
                return
        elif self._doubtful:
            doubtful, self._doubtful = sorted(self._doubtful), set()
            self._ask(doubtful)
        now, moment = dict(self._presence.addresses()), self._moment()
        if at_the_end or now != self._written or moment - self._written_at >= SAME_INTERVAL:
            self._banks.store(BANK, KEY, {"at": moment, "addresses": now})
            self._written, self._written_at = now, moment

    def wait(self, ids: Collection[str]) -> None:
        """Wait until those of `ids` that were connected before are so again, or long enough."""
        began = self._clock()
        while self.is_waited_for(ids) and self._clock() < self._until:
            gevent.sleep(LOOK)
        if self._clock() - began >= LOOK / 2:
            gevent.sleep(SETTLED)

    def is_waited_for(self, ids: Collection[str]) -> bool:
        """Return whether one of `ids` was connected before and may still come back."""
        if not self._away:
            return False
        self._forget_those_back()
        return any(not away.isdisjoint(ids) for away in self._away.values())

    def _forget_those_back(self) -> None:
        if not self._away:
            return
        connections = self._presence.connections()
        if connections is None or self._clock() >= self._until:
            some: Mapping[str, int] = connections or {}
            self._doubtful = {id for address, ids in self._away.items() if some.get(address) for id in ids}
            self._away = {}
            return
        self._away = {address: ids for address, ids in self._away.items() if connections[address] < len(ids)}
