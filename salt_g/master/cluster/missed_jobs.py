"""Delivery of jobs that minions missed while they moved to another master or to a new publish key.

A minion that was connected to another master, or to this one before, is sent again the recent jobs that
expect it and that it has not returned: once as soon as a connection subscribes to the minion's topic, and
once more because this master may have learned of some jobs late. It may come without a sign-in, for example
after a short restart of this master.
A minion of an earlier version does not subscribe to its topic. So it is sent the jobs after its sign-in, in
`ROUNDS`, because a job between its connection and its subscription is lost. A minion whose publish key is
older than that of a job signs in because of that job, and may then get a still newer key; so it is sent that
job again after its sign-in. The same applies to a minion that signs in again soon after a sign-in whose
answer it may not have received. Minions of salt-g drop jobs that they have already received, by the jid.
Stock's minions would run them again, so nothing is sent to them again.
While the database accepts no jobs, nothing is sent; this is made up for later, as long as minions remember
the jids.
Units: seconds of the monotonic clock. Bounds: `MOST` jobs of the last `KEPT` seconds.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from salt_g.cache.jobs import Jobs
from salt_g.errors import StoreError, WireError
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.shapes.loads import JobLoad

log = logging.getLogger(__name__)

#: Maximum age of a job that is sent again to a minion on its arrival, and the number of jobs remembered.
RECENT, MOST = 60.0, 10_000
#: The same maximum age for a minion that was connected to a master until it moved: whatever it had not yet
#: read from that connection is lost, and on a busy machine a minion can be more than a minute behind.
BEHIND = 180.0
#: Time for which a job is remembered, for minions that have arrived but could not be sent the job yet.
#: Minions remember jids for five minutes.
KEPT = 240.0
#: Longest time from a minion's sign-in to its connection, which takes more than ten seconds on a busy
#: machine.
ON_ITS_WAY = RECENT
#: Times after its arrival at which a minion is sent the jobs that it lacks. If its connection has no name,
#: the first time counts from its sign-in, and the others from its connection.
ROUNDS = (0.5, 3.0, 10.0)
#: Such times for an arrival by subscription. The second one is for jobs that reach this master late: a minion
#: drops a publication that is older than the newest one it has received, perhaps from another master.
SUBSCRIBED = (0.5, 10.0)
#: Shortest time between two rounds of a minion that subscribes again and again.
CALM = 5.0
#: Pause between two checks, and after one that sent a job to more than `FEW` minions: each such job is a
#: message to all minions, and more of the moved minions arrive meanwhile.
LOOK, GATHER, FEW = 0.5, 2.0, 20
#: Maximum number of returns asked for in one query.
PAGE = 5000


#: Names of minions and their resources, by the id of the minion.
_Names = dict[str, list[str]]


class _Part(NamedTuple):
    """Minions to which a job was sent at one time."""

    ids: frozenset[str]
    at: float


class _Recent(NamedTuple):
    """Job with the minions of each of its publications; the slices of a batch share one jid."""

    load: JobLoad
    parts: tuple[_Part, ...]

    @property
    def at(self) -> float:
        """Time of the last publication."""
        return max(part.at for part in self.parts)


class _Arrival(NamedTuple):
    """Arrival of a minion: its sign-in, or the subscription of its named connection (`is_subscribed`).

    `since` is the time of the first sign-in or subscription whose missed jobs have not all been sent yet.
    `is_back` marks a minion that had lost a connection to this master. `connected_at` is when the connection
    of a sign-in was first seen (after the first round), `rounds` the number of rounds so far.
    """

    at: float
    since: float
    is_subscribed: bool = False
    is_back: bool = False
    connected_at: float = 0.0
    rounds: int = 0

    def is_due(self, now: float) -> bool:
        """Return whether the next round of this arrival is due."""
        # Later rounds count from the connection, however long it took, because only then does the minion
        # subscribe.
        return now - (self.connected_at if self.rounds else self.at) >= self._rounds()[self.rounds]

    def is_done(self) -> bool:
        """Return whether the last round of this arrival is over."""
        return self.rounds == len(self._rounds())

    def after_round(self, now: float) -> _Arrival:
        """Return this arrival after one more round."""
        return self._replace(rounds=self.rounds + 1, connected_at=self.connected_at or now)

    def _rounds(self) -> tuple[float, ...]:
        return SUBSCRIBED if self.is_subscribed else ROUNDS


class _Move(NamedTuple):
    """Move of a minion: the time of its arrival here, and the maximum age of the jobs to send again."""

    since: float
    reach: float


class MissedJobs:
    """Recent jobs of the cluster, and the minions that moved here. Lifecycle: `run` in a greenlet.

    `connected(ids)` returns the ids that are connected to this master, `was_elsewhere(ids)` {id: bool} of
    those that another master had, True if they were connected until they came here or until that master
    ended;
    `returned(jids, names)` returns the pairs (jid, name) of stored returns, `drops_repeated(id)` whether a
    minion drops a job that it has received before, `resources_of(id)` the names of the resources that it
    manages. `send(jobs)` passes pairs (job, ids) to all masters.
    """

    def __init__(
        self,
        jobs: Jobs,
        connected: Callable[[Collection[str]], set[str]],
        was_elsewhere: Callable[[set[str]], Mapping[str, bool]],
        *,
        returned: Callable[[Sequence[str], Sequence[str]], set[tuple[str, str]]],
        drops_repeated: Callable[[str], bool],
        send: Callable[[Iterable[tuple[JobLoad, list[str]]]], None],
        resources_of: Callable[[str], Iterable[str]] = lambda id: (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._jobs = jobs
        self._connected = connected
        self._was_elsewhere = was_elsewhere
        self._returned = returned
        self._drops_repeated = drops_repeated
        self._send = send
        self._resources_of = resources_of
        self._clock = clock
        self._recent: OrderedDict[str, _Recent] = OrderedDict()
        #: Arrivals by a sign-in, and arrivals by the subscription of a named connection.
        self._came: dict[str, _Arrival] = {}
        self._subscribed: dict[str, _Arrival] = {}
        #: Minions whose named connection has had a round, and the times of recent first rounds.
        self._here: set[str] = set()
        self._served: dict[str, float] = {}
        #: {minion without a named connection: time at which its last one ended}
        self._left: dict[str, float] = {}
        self._moved: dict[str, _Move] = {}
        self._has_failed = False
        self._pause = LOOK
        #: {minion: jids that were sent under a publish key that the minion did not have}
        self._unread: dict[str, set[str]] = {}
        #: {minion: jids that were sent soon after its sign-in, whose answer with the key may have been lost}
        self._doubtful: dict[str, set[str]] = {}

    def note(self, load: JobLoad, ids: list[str], age: float = 0.0) -> bool:
        """Remember a job that was given to all masters; return False if its jid is already known.

        A known jid is a repetition, which is not remembered, or another slice of a batch.
        """
        jid, at, new = load["jid"], self._clock() - age, frozenset(ids)
        known = self._recent.get(jid)
        if known is None:
            self._remember(jid, load, (_Part(new, at),))
            return True
        new = new.difference(*(part.ids for part in known.parts))
        if new:
            self._remember(jid, load, (*known.parts, _Part(new, at)))
        return False

    def has_any(self, ids: Collection[str]) -> bool:
        """Return whether one of these minions is connected here or about to be."""
        # A minion with a named connection may have no session, because it came without a sign-in.
        known = (self._came, self._subscribed, self._here)
        return any(id in some for some in known for id in ids) or bool(self._connected(ids))

    def _remember(self, jid: str, load: JobLoad, parts: tuple[_Part, ...]) -> None:
        self._recent.pop(jid, None)
        last = next(reversed(self._recent.values()), None)
        if last is not None and last.parts[-1].ids == parts[-1].ids:
            # Successive jobs are often for the same minions, perhaps ten thousand, so they share one set of
            # ids.
            parts = (*parts[:-1], parts[-1]._replace(ids=last.parts[-1].ids))
        oldest = self._clock() - KEPT
        self._recent[jid] = _Recent(load, (*(part for part in parts[:-1] if part.at >= oldest), parts[-1]))
        if len(self._recent) > MOST:
            self._recent.popitem(last=False)

    def note_sent(self, load: JobLoad, ids: Sequence[str], unread: Iterable[str]) -> None:
        """Record that a job was sent to `ids` now; those in `unread` may be unable to decrypt it.

        The job's age counts from now, because it may have waited for minions before.
        """
        jid, now, known = load["jid"], self._clock(), self._recent.get(load["jid"])
        parts = (_Part(frozenset(ids), now),) if known is None else known.parts
        self._remember(
            jid, load, tuple(one if one.ids.isdisjoint(ids) else one._replace(at=now) for one in parts)
        )
        for id in unread:
            self._unread.setdefault(id, set()).add(jid)
        for id in self._came.keys() & set(ids):
            self._doubtful.setdefault(id, set()).add(jid)

    def note_sign_in(self, id: str) -> None:
        """Record that a minion was admitted; repeated sign-ins do not delay its first round."""
        if id in self._doubtful:
            self._unread.setdefault(id, set()).update(self._doubtful.pop(id))
        known, now = self._came.get(id), self._clock()
        if known is None or known.rounds:
            self._came[id] = _Arrival(now, known.since if known else now)

    def note_subscribed(self, id: str) -> None:
        """Record that a connection has subscribed to this minion's topic."""
        now = self._clock()
        known = [one for one in (self._came.pop(id, None), self._subscribed.get(id)) if one]
        # A second connection means that the first one is broken and this master has not noticed.
        is_back = id in self._here or self._left.pop(id, None) is not None
        self._here.discard(id)
        self._subscribed[id] = _Arrival(
            now,
            min([now, *(one.since for one in known)]),
            is_subscribed=True,
            is_back=is_back or any(one.is_back for one in known),
        )

    def note_left(self, id: str) -> None:
        """Record that the last connection with this minion's topic has ended."""
        self._here.discard(id)
        self._left[id] = self._clock()
        self._subscribed.pop(id, None)

    def run(self) -> None:
        """Send missed jobs until the greenlet ends."""
        PeriodicLoop("cluster missed jobs", self._try_to_send, lambda: self._pause, first=LOOK).run()

    def _try_to_send(self) -> None:
        level = logging.DEBUG if self._has_failed else logging.WARNING
        try:
            self.send_missed()
        except (StoreError, WireError) as exc:
            log.log(level, "jobs that minions missed cannot be sent again yet: %s", exc)

    def send_missed(self) -> None:
        """Send missed jobs to the minions that have settled here; raises StoreError, WireError."""
        now = self._clock()
        self._forget_old(now)
        arrivals, moved = (self._came.copy(), self._subscribed.copy()), self._moved.copy()
        unread = {id: set(jids) for id, jids in self._unread.items()}
        try:
            self._send_due(now)
        except (StoreError, WireError):
            self._has_failed = True
            for now_there, before in zip((self._came, self._subscribed), arrivals, strict=True):
                _restore(now_there, before)
            self._moved.update(moved)
            for id, jids in unread.items():
                self._unread.setdefault(id, set()).update(jids)
            raise
        self._has_failed = False

    def _forget_old(self, now: float) -> None:
        while self._recent and now - next(iter(self._recent.values())).at > KEPT:
            self._recent.popitem(last=False)
        self._left = {id: at for id, at in self._left.items() if now - at <= RECENT}
        self._served = {id: at for id, at in self._served.items() if now - at <= CALM}

    def _send_due(self, now: float) -> None:
        self._pause = LOOK
        due = self._due(now)
        moved, unread = self._moved_here(due), self._taken_unread(due)
        expected = self._expected(moved, unread) if moved or unread else {}
        self._send(self._repetitions(expected))

    def _repetitions(self, expected: dict[str, _Names]) -> Iterator[tuple[JobLoad, list[str]]]:
        # A job may have been forgotten before its turn comes.
        loads = {jid: self._recent[jid].load for jid in expected if jid in self._recent}
        for jid, missing in self._not_returned({jid: expected[jid] for jid in loads}):
            log.info("job %s is sent again to %d minions that may have missed it", jid, len(missing))
            self._pause = GATHER if len(missing) > FEW else self._pause
            listed = [name for names in missing.values() for name in names]
            yield _listed(loads[jid], listed), list(missing)

    def _expected(self, moved: dict[str, _Move], unread: dict[str, set[str]]) -> dict[str, _Names]:
        """Return {jid: {minion: names of it and its resources that the job expects}}, in order."""
        found = {}
        for jid, recent in list(self._recent.items()):
            wanted = {
                id
                for part in recent.parts
                for id in moved.keys() & part.ids
                if moved[id].since - part.at <= moved[id].reach
            }
            wanted |= unread.get(jid, set())
            names = {id: self._names(jid, id) for id in sorted(wanted)}
            if names:
                found[jid] = names
        return found

    def _names(self, jid: str, id: str) -> list[str]:
        """Return the names of a minion and its resources that a job expects."""
        resources = list(self._resources_of(id))
        if not resources:
            return [id]
        expected = self._jobs.get_expected(jid)
        return [name for name in (id, *resources) if name in expected]

    def _not_returned(self, expected: dict[str, _Names]) -> Iterator[tuple[str, _Names]]:
        """Yield (jid, {minion: names}) of the missing returns; each query covers many jobs."""
        for page in _pages(expected):
            ids = {name for names in page.values() for some in names.values() for name in some}
            returned = self._returned(list(page), sorted(ids))
            for jid, names in page.items():
                left = {id: [one for one in some if (jid, one) not in returned] for id, some in names.items()}
                missing = {id: some for id, some in left.items() if some}
                if missing:
                    yield jid, missing

    def _due(self, now: float) -> dict[str, _Arrival]:
        """Return {id: arrival} of the minions whose next round is due; forget those after the last round."""
        connected = self._connected(self._came) if self._came else set()
        for id in [id for id, one in self._came.items() if id not in connected and now - one.at > ON_ITS_WAY]:
            del self._came[id]
        due = {id: arrival for id, arrival in self._came.items() if id in connected and arrival.is_due(now)}
        _advance(self._came, due, now)
        subscribed = {
            id: arrival
            for id, arrival in self._subscribed.items()
            if arrival.is_due(now) and (arrival.rounds or id not in self._served)
        }
        _advance(self._subscribed, subscribed, now)
        self._here.update(subscribed)
        self._served.update((id, now) for id, arrival in subscribed.items() if not arrival.rounds)
        return due | subscribed

    def _taken_unread(self, due: Iterable[str]) -> dict[str, set[str]]:
        """Return {jid: minions} of jobs that these minions may have been unable to decrypt; forget them."""
        jobs: dict[str, set[str]] = {}
        for id in [id for id in due if id in self._unread]:
            jids = self._unread.pop(id)
            for jid in jids if self._drops_repeated(id) else ():
                jobs.setdefault(jid, set()).add(id)
        self._unread, self._doubtful = self._without_old(self._unread), self._without_old(self._doubtful)
        return jobs

    def _without_old(self, unread: dict[str, set[str]]) -> dict[str, set[str]]:
        return {id: kept for id, jids in unread.items() if (kept := jids & self._recent.keys())}

    def _moved_here(self, due: dict[str, _Arrival]) -> dict[str, _Move]:
        """Return the moves of minions that were elsewhere or are back, looked up in the first round only.

        A minion whose named connection has had its round missed nothing before its sign-in.
        """
        known = self._here | self._subscribed.keys()
        asked = {id for id, one in due.items() if not one.rounds and (one.is_subscribed or id not in known)}
        for id in asked:
            self._moved.pop(id, None)
        able = {id for id in asked if self._drops_repeated(id)}
        # No query for minions that are back, because they left this master less than RECENT ago.
        found = {id: True for id in able if due[id].is_back}
        if others := able - found.keys():
            found.update(self._was_elsewhere(others))
        for id, was_connected in found.items():
            self._moved[id] = _Move(due[id].since, BEHIND if was_connected else RECENT)
        moved = {id: move for id, move in self._moved.items() if id in due}
        for id in due.keys() - self._came.keys() - self._subscribed.keys():
            self._moved.pop(id, None)
        return moved


def _advance(arrivals: dict[str, _Arrival], due: dict[str, _Arrival], now: float) -> None:
    """Count a round of the due minions, and forget those that have had the last one."""
    for id, arrival in due.items():
        arrivals[id] = arrival.after_round(now)
        if arrivals[id].is_done():
            del arrivals[id]


def _restore(arrivals: dict[str, _Arrival], before: dict[str, _Arrival]) -> None:
    """Restore the arrivals of a round whose jobs could not be sent, unless the minion arrived again."""
    for id, arrival in before.items():
        if arrivals.get(id, arrival).at == arrival.at:
            arrivals[id] = arrival


def _pages(expected: dict[str, _Names]) -> Iterator[dict[str, _Names]]:
    """Yield the jobs in parts, one for each query, with at least one job in each."""
    page: dict[str, _Names] = {}
    longest = 0
    for jid, names in expected.items():
        longest = max(longest, len(names))
        if page and (len(page) + 1) * longest > PAGE:
            yield page
            page, longest = {}, len(names)
        page[jid] = names
    if page:
        yield page


def _listed(load: JobLoad, ids: list[str]) -> JobLoad:
    """Return the same job with these minions as its target."""
    again: Any = {**load, "tgt": ids, "tgt_type": "list"}
    again.pop("delimiter", None)
    job: JobLoad = again
    return job
