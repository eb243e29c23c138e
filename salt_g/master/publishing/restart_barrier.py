"""Restart barrier: the first jobs after a start wait for the minions that were connected before it.

A publication is lost for a minion without a subscription, and stock's minions reconnect between 1 and 11 s
after the port opens. A job for minions that were connected when the last run ended waits until their
addresses have as many connections again, at most `HOLD` seconds after the start. In a cluster, minions that
have come to another master meanwhile are not waited for.
A master that was down for longer than `RECENT` does not wait, because its list of connected minions is out of
date.
Shapes: the saved state is {"at": seconds since the epoch, "addresses": {id: address}}, in the bank `master`;
sign-ins since it was written are in the bank `connecting`, {id: {"at", "address"}}.
If only some of several minions at one address have reconnected, it is unknown which, so they are queried,
once.
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
from salt_g.master.admission.sessions import SessionTable
from salt_g.master.background.presence import Presence, normal

log = logging.getLogger(__name__)

BANK, KEY = "master", "connected"
#: Bank of the sign-ins since `KEY` was written; each is written at once, so that a killed master does not
#: lose it.
NEW = "connecting"
#: Longest time from a minion's sign-in to its connection to the publish port.
ON_ITS_WAY = 5.0
#: Stock's `recon_default` + `recon_max`, plus a second for the connection.
HOLD = 12.0
#: Pause between two checks, and time from a new connection to its subscription.
LOOK = 0.25
SETTLED = 0.3
#: Pause between two checks of the minions that other masters record, which they do every second.
LOOK_ELSEWHERE = 1.0
#: Interval at which the connected minions are saved if they have changed, and if they have not.
WRITE_INTERVAL = 2.0
SAME_INTERVAL = 60.0
#: Longest downtime after which a master still waits for the minions that were connected before.
RECENT = 600.0


class RestartBarrier:
    """Barrier for jobs after a start. Lifecycle: `begin` when the publish port listens."""

    def __init__(
        self,
        banks: Banks,
        sessions: SessionTable,
        presence: Presence,
        *,
        clock: Callable[[], float] = time.monotonic,
        moment: Callable[[], float] = time.time,
        master: str = "",
        elsewhere: Callable[[], Collection[str]] = tuple,
    ) -> None:
        """Initialize; `master` is the id of a master in a cluster, where each keeps its own list.

        `elsewhere` returns the minions of the other masters.
        """
        self._key, self._new = (f"{KEY}/{master}", f"{NEW}/{master}") if master else (KEY, NEW)
        self._banks = banks
        self._sessions = sessions
        self._presence = presence
        self._clock = clock
        self._moment = moment
        self._until = 0.0
        self._away: dict[str, set[str]] = {}
        self._doubtful: set[str] = set()
        self._written: Mapping[str, str] = {}
        self._written_at = 0.0
        self._coming: dict[str, tuple[str, float]] = {}
        self._elsewhere = elsewhere
        self._found_elsewhere: frozenset[str] = frozenset()
        self._look_elsewhere_at = 0.0

    def begin(self) -> None:
        """Read the minions that were connected when the last run ended."""
        try:
            kept, came = self._banks.fetch(BANK, self._key), self._banks.list_all(self._new)
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
            # Not checked at once, because what other masters recorded before the restart may still be there.
            self._look_elsewhere_at = self._clock() + LOOK_ELSEWHERE

    def note_sign_in(self, id: str) -> None:
        """Record that a minion has signed in and is about to connect; a new entry is saved at once."""
        session = self._sessions.get(id)
        if session is None or self._written.get(id) == session.address:
            return
        is_known = self._coming.get(id, ("", 0.0))[0] == session.address
        self._coming[id] = session.address, self._clock()
        if is_known:
            return
        try:
            self._banks.store(self._new, id, {"at": self._moment(), "address": session.address})
        except StoreError as exc:
            log.warning("cannot save the sign-in of %s: %s", id, exc)

    def note(self, *, ask: Callable[[Sequence[str]], None]) -> None:
        """Save the connected minions if they have changed or the last save is old.

        `ask` queries minions of which it is unknown whether they have reconnected.
        """
        self._forget_those_back()
        if self._is_awaiting():
            return
        if self._doubtful and self._clock() >= self._until:
            doubtful, self._doubtful = sorted(self._doubtful), set()
            ask(doubtful)
        now = self._connected_or_coming()
        if now != self._written or self._moment() - self._written_at >= SAME_INTERVAL:
            self._write(now)

    def note_at_the_end(self) -> None:
        """Save the connected minions at shutdown, for the next start."""
        self._forget_those_back()
        if not self._is_awaiting():
            self._write(self._connected_or_coming())

    def _is_awaiting(self) -> bool:
        """Return whether minions are still awaited, during which the saved list must not change."""
        return bool(self._away) and self._clock() < self._until

    def _connected_or_coming(self) -> dict[str, str]:
        return {**self._recent_sign_ins(), **self._presence.addresses()}

    def _write(self, now: Mapping[str, str]) -> None:
        moment = self._moment()
        try:
            self._banks.store(BANK, self._key, {"at": moment, "addresses": now})
            self._banks.flush(self._new)
        except StoreError as exc:
            log.warning("cannot save the list of connected minions: %s", exc)
        else:
            self._written, self._written_at = now, moment

    def _recent_sign_ins(self) -> dict[str, str]:
        """Return {id: address} of the minions that signed in recently, and drop older entries."""
        oldest = self._clock() - ON_ITS_WAY
        self._coming = {id: entry for id, entry in self._coming.items() if entry[1] > oldest}
        return {id: address for id, (address, _) in self._coming.items()}

    def wait(self, ids: Collection[str]) -> None:
        """Wait, for a limited time, until the previously connected minions among `ids` have reconnected."""
        began = self._clock()
        while self.is_waited_for(ids) and self._clock() < self._until:
            gevent.sleep(LOOK)
        if self._clock() - began >= LOOK / 2:
            gevent.sleep(SETTLED)

    def wait_for_all(self) -> None:
        """Wait, for a limited time, until all previously connected minions have reconnected."""
        self.wait({id for away in self._away.values() for id in away})

    def is_waited_for(self, ids: Collection[str]) -> bool:
        """Return whether any of `ids` was connected before and may still reconnect."""
        if not self._away:
            return False
        self._forget_those_back()
        return any(not away.isdisjoint(ids) for away in self._away.values())

    def _forget_those_back(self) -> None:
        if not self._away:
            return
        elsewhere = self._minions_elsewhere()
        connections = self._presence.connections()
        if self._clock() >= self._until:
            self._doubtful = {id for address, ids in self._away.items() if connections[address] for id in ids}
            self._away = {}
            return
        left = ((address, ids - elsewhere) for address, ids in self._away.items())
        self._away = {address: ids for address, ids in left if connections[address] < len(ids)}

    def _minions_elsewhere(self) -> frozenset[str]:
        """Return the minions that are connected to other masters, as of the last look-up."""
        now = self._clock()
        if now >= self._look_elsewhere_at:
            self._look_elsewhere_at = now + LOOK_ELSEWHERE
            self._found_elsewhere = frozenset(self._elsewhere())
        return self._found_elsewhere
