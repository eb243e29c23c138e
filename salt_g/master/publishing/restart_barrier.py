"""After a start: wait for the minions that were connected before, so that no job passes them by.

Why its own file: what is published while a minion's subscription is away is lost for it, and stock's
minions come back between 1 and 11 s after the port does. A job for minions that were connected when the
last run ended waits until their addresses have as many connections again, at most `HOLD` seconds after the
start.
A master that was away for longer than `RECENT` waits for nobody: who was there then may be long gone, and who
ordered nothing for so long does not mind who comes back in the next seconds.
Shapes: what is kept is {"at": seconds since the epoch, "addresses": {id: address}}, in the bank `master`; who
came since it was written is in the bank `connecting`, {id: {"at", "address"}}.
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
from salt_g.master.admission.sessions import Sessions
from salt_g.master.background.presence import Presence, normal

log = logging.getLogger(__name__)

BANK, KEY = "master", "connected"
#: Who has signed in since `KEY` was written: each is written at once, a killed master must not forget it.
NEW = "connecting"
#: How long after its sign-in a minion may still have no connection to the publish port.
ON_ITS_WAY = 5.0
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


class RestartBarrier:
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
        self._coming: dict[str, tuple[str, float]] = {}

    def begin(self) -> None:
        """Read who was connected when the last run ended."""
        try:
            kept, came = self._banks.fetch(BANK, KEY), self._banks.list_all(NEW)
        except StoreError:
            return
        before = {**(kept.get("addresses") or {}), **{id: entry["address"] for id, entry in came.items()}}
        moments = [float(entry.get("at") or 0.0) for entry in (kept, *came.values())]
        self._written, self._written_at = before, max(moments)
        away: dict[str, set[str]] = collections.defaultdict(set)
        for id, address in before.items():
            away[normal(str(address))].add(str(id))
            session = self._sessions.get(id)
            if session is not None:
                session.note(str(address), self._clock())
        if self._moment() - self._written_at < RECENT:
            self._away, self._until = dict(away), self._clock() + HOLD

    def came(self, id: str) -> None:
        """Note that a minion has signed in, and is about to connect; written at once when that is news."""
        session = self._sessions.get(id)
        if session is None or self._written.get(id) == session.address:
            return
        is_known = self._coming.get(id, ("", 0.0))[0] == session.address
        self._coming[id] = session.address, self._clock()
        if is_known:
            return
        try:
            self._banks.store(NEW, id, {"at": self._moment(), "address": session.address})
        except StoreError as exc:
            log.warning("%s: it cannot be kept that it came: %s", id, exc)

    def note(self, *, at_the_end: bool = False) -> None:
        """Write down who is connected now, when it changed or was not written for long, and at the end."""
        self._forget_those_back()
        if self._clock() < self._until:
            if self._away:
                # Not all are back yet; a second restart now must wait for the same.
                return
        elif self._doubtful and not at_the_end:
            doubtful, self._doubtful = sorted(self._doubtful), set()
            self._ask(doubtful)
        now, moment = {**self._on_their_way(), **self._presence.addresses()}, self._moment()
        if at_the_end or now != self._written or moment - self._written_at >= SAME_INTERVAL:
            self._write(now, moment)

    def _write(self, now: Mapping[str, str], moment: float) -> None:
        try:
            self._banks.store(BANK, KEY, {"at": moment, "addresses": now})
            self._banks.flush(NEW)
        except StoreError as exc:
            log.warning("it cannot be kept who is connected: %s", exc)
        else:
            self._written, self._written_at = now, moment

    def _on_their_way(self) -> dict[str, str]:
        """Return {id: address} of those who came a moment ago, and forget the others."""
        oldest = self._clock() - ON_ITS_WAY
        self._coming = {id: entry for id, entry in self._coming.items() if entry[1] > oldest}
        return {id: address for id, (address, _) in self._coming.items()}

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
