"""Jobs that a minion missed while it moved from one master of a cluster to another, or to a new publish key.

A minion that was connected to another master, or to this one before its restart, and signs in here gets the
recent jobs again that expect it and that it has not returned, in `ROUNDS`: between its connection and its
subscription one may be lost. One that had an older publish key than a job was sent under signs in because of
that job, and may find a still newer key: it gets that job again after its sign-in. So does one that signs in
again soon after a sign-in whose answer it may not have received. Minions drop what they have received
already, by the jid. Stock's minions would run it again, so they get none.
While the database takes no jobs nothing is done: what could not be sent is sent later, as long as minions
know its jid.
Units: seconds of the monotonic clock. Bounds: `MOST` jobs of the last `RECENT` seconds.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from salt_g.cache.jobs import Jobs
from salt_g.errors import StoreError, WireError
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.shapes.loads import JobLoad

log = logging.getLogger(__name__)

#: How long a job is given again, and how many are remembered.
RECENT, MOST = 60.0, 2000
#: How long a job is remembered that could not be given again; minions know jids of five minutes.
LATE = 240.0
#: How long a minion may take from its sign-in to its connection: on a busy machine more than ten seconds.
ON_ITS_WAY = RECENT
#: How long after its sign-in a connected minion gets what it lacks at first, and after its connection again.
ROUNDS = (0.5, 3.0, 10.0)
#: Minions whose returns of a job are looked up one by one.
FEW = 20
#: Pause between two looks, and after one that sent jobs to more than a few: each of them is a message to all
#: minions, and more of those that moved arrive meanwhile.
LOOK, GATHER = 0.5, 2.0


class _Recent(NamedTuple):
    load: JobLoad
    ids: frozenset[str]
    at: float


class _Arrival(NamedTuple):
    """Sign-in of a minion, when its connection was seen (after the first round), and its number of rounds."""

    at: float
    connected_at: float = 0.0
    rounds: int = 0

    def is_due(self, now: float) -> bool:
        """Return whether its next round is due."""
        # It subscribes after it has connected, however long the connection took.
        return now - (self.connected_at if self.rounds else self.at) >= ROUNDS[self.rounds]

    def after_round(self, now: float) -> _Arrival:
        """Return it after a round."""
        return self._replace(rounds=self.rounds + 1, connected_at=self.connected_at or now)


class MissedJobs:
    """Recent jobs of the cluster, and the minions that moved here. Lifecycle: `run` in a greenlet.

    `connected` returns the minions of this master, `was_elsewhere(ids)` those that another master had;
    `drops_repeated(id)` returns whether a minion drops a job that it has received before.
    `send(job, ids)` gives a job to all masters.
    """

    def __init__(
        self,
        jobs: Jobs,
        connected: Callable[[], set[str]],
        was_elsewhere: Callable[[set[str]], set[str]],
        *,
        drops_repeated: Callable[[str], bool],
        send: Callable[[JobLoad, list[str]], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._jobs = jobs
        self._connected = connected
        self._was_elsewhere = was_elsewhere
        self._drops_repeated = drops_repeated
        self._send = send
        self._clock = clock
        self._recent: OrderedDict[str, _Recent] = OrderedDict()
        self._came: dict[str, _Arrival] = {}
        #: Returns the names of the resources that a minion manages.
        self.held_by: Callable[[str], Iterable[str]] = lambda id: ()
        self._moved: set[str] = set()
        self._has_failed = False
        self._pause = LOOK
        #: {minion: jids that were sent under a publish key which it did not have}
        self._unread: dict[str, set[str]] = {}
        #: {minion: jids that were sent soon after its sign-in}: the answer with their key may be lost.
        self._doubtful: dict[str, set[str]] = {}

    def note(self, load: JobLoad, ids: list[str], age: float = 0.0) -> bool:
        """Remember a job that was given to all masters; return False, and do nothing, for a repetition."""
        if load["jid"] in self._recent:
            return False
        self._remember(load["jid"], _Recent(load, frozenset(ids), self._clock() - age))
        return True

    def has_any(self, ids: Iterable[str]) -> bool:
        """Return whether one of these minions is connected here, or on its way."""
        return not self._came.keys().isdisjoint(ids) or not self._connected().isdisjoint(ids)

    def _remember(self, jid: str, one: _Recent) -> None:
        self._recent[jid] = one
        if len(self._recent) > MOST:
            self._recent.popitem(last=False)

    def note_sent(self, load: JobLoad, ids: list[str], unread: Iterable[str]) -> None:
        """Note that a job was sent to `ids` now, of which `unread` may never open it.

        Its age counts from now: it may have waited for minions before.
        """
        jid = load["jid"]
        known = self._recent.pop(jid, None) or _Recent(load, frozenset(ids), 0.0)
        self._remember(jid, known._replace(at=self._clock()))
        for id in unread:
            self._unread.setdefault(id, set()).add(jid)
        for id in self._came.keys() & set(ids):
            self._doubtful.setdefault(id, set()).add(jid)

    def note_sign_in(self, id: str) -> None:
        """Note that a minion was let in; its first round is not put off by one sign-in after another."""
        if id in self._doubtful:
            self._unread.setdefault(id, set()).update(self._doubtful.pop(id))
        known = self._came.get(id)
        if known is None or known.rounds:
            self._came[id] = _Arrival(self._clock())

    def run(self) -> None:
        """Send what was missed, until the greenlet ends."""
        PeriodicLoop("cluster missed jobs", self._try_to_send, lambda: self._pause, first=LOOK).run()

    def _try_to_send(self) -> None:
        level = logging.DEBUG if self._has_failed else logging.WARNING
        try:
            self.send_missed()
        except (StoreError, WireError) as exc:
            log.log(level, "minions do not get the jobs again yet that they missed: %s", exc)

    def send_missed(self) -> None:
        """Send the jobs that minions missed which have settled here; raise StoreError, WireError."""
        now, longest = self._clock(), LATE if self._has_failed else RECENT
        self._recent = OrderedDict((jid, one) for jid, one in self._recent.items() if now - one.at <= longest)
        came, moved = self._came.copy(), self._moved.copy()
        unread = {id: set(jids) for id, jids in self._unread.items()}
        try:
            self._send_due(now)
        except (StoreError, WireError):
            self._has_failed = True
            self._restore(came, moved, unread)
            raise
        self._has_failed = False

    def _restore(self, came: dict[str, _Arrival], moved: set[str], unread: dict[str, set[str]]) -> None:
        """Undo a look whose jobs could not be sent; minions may have signed in again meanwhile."""
        for id, arrival in came.items():
            if self._came.get(id, arrival).at == arrival.at:
                self._came[id] = arrival
        self._moved |= moved
        for id, jids in unread.items():
            self._unread.setdefault(id, set()).update(jids)

    def _send_due(self, now: float) -> None:
        self._pause = LOOK
        due = self._due(now)
        moved, unread = self._moved_here(due), self._taken_unread(due)
        for recent in list(self._recent.values()) if moved or unread else ():
            jid = recent.load["jid"]
            wanted = (moved & recent.ids) | unread.get(jid, set())
            # One question for each minion, or one for all that have returned.
            returned = set(self._jobs.get_returned(jid)) if len(wanted) > FEW else None
            missing = {id: names for id in sorted(wanted) if (names := self._owed(jid, id, returned))}
            if missing:
                log.info("job %s is sent again to %d minions that may have missed it", jid, len(missing))
                self._pause = GATHER if len(missing) > FEW else self._pause
                listed = [name for names in missing.values() for name in names]
                self._send(_listed(recent.load, listed), list(missing))

    def _owed(self, jid: str, id: str, returned: set[str] | None) -> list[str]:
        """Return those of a minion and its resources that a job expects and that have not returned.

        `returned` are all that have, None to ask for each.
        """
        resources = list(self.held_by(id))
        expected = self._jobs.get_expected(jid) if resources else [id]
        names = [id, *resources] if id in expected else resources
        if returned is not None:
            return [name for name in names if name in expected and name not in returned]
        return [name for name in names if name in expected and not self._jobs.has_returned(jid, name)]

    def _due(self, now: float) -> dict[str, int]:
        """Return {id: number of the round} of the minions that are due; forget those that had the last."""
        connected = self._connected() if self._came else set()
        due = {}
        for id, arrival in list(self._came.items()):
            if id in connected and arrival.is_due(now):
                due[id] = arrival.rounds
                self._came[id] = arrival.after_round(now)
            is_lost = id not in connected and now - arrival.at > ON_ITS_WAY
            if is_lost or self._came[id].rounds == len(ROUNDS):
                del self._came[id]
        return due

    def _taken_unread(self, due: Iterable[str]) -> dict[str, set[str]]:
        """Return {jid: minions} of the jobs that these minions may not have opened; forget them."""
        jobs: dict[str, set[str]] = {}
        for id in [id for id in due if id in self._unread]:
            jids = self._unread.pop(id)
            for jid in jids if self._drops_repeated(id) else ():
                jobs.setdefault(jid, set()).add(id)
        self._unread, self._doubtful = self._without_old(self._unread), self._without_old(self._doubtful)
        return jobs

    def _without_old(self, unread: dict[str, set[str]]) -> dict[str, set[str]]:
        return {id: kept for id, jids in unread.items() if (kept := jids & self._recent.keys())}

    def _moved_here(self, due: dict[str, int]) -> set[str]:
        """Return those of the minions that another master had; asked in the first round only."""
        first = {id for id, number in due.items() if not number}
        self._moved -= first
        able = {id for id in first if self._drops_repeated(id)}
        if able:
            self._moved |= self._was_elsewhere(able)
        moved = self._moved & due.keys()
        self._moved -= {id for id, number in due.items() if number == len(ROUNDS) - 1}
        return moved


def _listed(load: JobLoad, ids: list[str]) -> JobLoad:
    """Return the same job for these minions only."""
    again: Any = {**load, "tgt": ids, "tgt_type": "list"}
    again.pop("delimiter", None)
    job: JobLoad = again
    return job
