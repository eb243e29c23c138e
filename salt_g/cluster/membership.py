"""Membership of this master: joining, beats, and which other masters live.

A master whose writes do not reach the database takes no jobs after `REFUSE` seconds. Without beats it answers
no requests that a revoked minion must not have answered after `LEASE` seconds: from then on the others go on
without it.
Lifecycle: `join`, then `run` and `watch`, each in a greenlet, then `leave`.
Units: seconds of the monotonic clock.
Errors: ClusterRefused for a master that may not join; CommitsLost from `watch`; StoreError while the
database cannot be asked.
"""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable, Mapping
from typing import Any

import gevent
import gevent.event

from salt_g import __version__
from salt_g.cache.futures import WRITE_TIMEOUT, Future
from salt_g.cache.store import Store
from salt_g.cluster import tables
from salt_g.cluster.observed_beats import BEAT, LEASE, SILENT, Member, ObservedBeats
from salt_g.cluster.sealing import Sealing
from salt_g.errors import ClusterRefused, CommitsLost, StoreError
from salt_g.process.offload import offload
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.telemetry.metric_registry import Histogram
from salt_g.wire.aes import Crypticle

log = logging.getLogger(__name__)

#: Age of the last write of this master that succeeded, from which no job is taken.
REFUSE = 2.0
#: How long a job waits for an answer at least, and the pause between two looks at its write.
UNDERWAY, LOOK_AT_WRITE = 1.5, 0.25
#: How long a change may wait for the other masters, and the pause between two looks. A master that beats on a
#: busy machine may take longer than a lease to read what is new.
LONGEST_WAIT, LOOK = 4 * LEASE, 0.05
#: Beats between two removals of old rows.
PRUNE_EVERY = 60
#: Beats after which the minions that this master had before its start, or that have left it, are elsewhere
#: or gone.
FORGET_AFTER = 90


class Membership:
    """Master among the others of its cluster."""

    def __init__(
        self, store: Store, id: str, sealing: Sealing, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.id = id
        self.sealing = sealing
        self.member = Member(id, 0, 0, 0)
        self.others: Mapping[str, Member] = {}
        self._store = store
        self._clock = clock
        self._beats = ObservedBeats()
        self._lead = ObservedBeats()
        self._last = clock()
        self._led_at: float | None = None
        #: Number of the present holder's lead, when this master has it.
        self.led_epoch = 0
        self._connected: dict[str, str] = {}
        self._sets_aside = False
        self._turns, self._forget_at = 0, FORGET_AFTER
        #: {minion that has left this master: the turn}
        self._left: dict[str, int] = {}
        self.durations = Histogram()
        self._has_place = True
        self._lost: Any = gevent.event.AsyncResult()

    def join(self, make_key: Callable[[], bytes]) -> tables.Joined:
        """Become a member and return the answer; `make_key` makes the publish key of a new cluster.

        Raise ClusterRefused if the masters have another key pair, or are too many; StoreError.
        """
        began = self._clock()
        request = tables.Join(
            self.id,
            socket.gethostname(),
            __version__,
            self.sealing.fingerprint,
            self.sealing.seal(make_key()),
        )
        joined: tables.Joined = self._store.write(tables.JOIN, request).result()
        if joined.member is None:
            raise ClusterRefused(self._store.path, _refusal(joined, self.sealing.fingerprint))
        self.member, self._last = joined.member, began
        self._look()
        log.info("joined the cluster as master %d; there are %d others", self.member.slot, len(self.others))
        return joined

    def leave(self) -> None:
        """Notify the other masters that this one ends; its lease would be over later anyway."""
        try:
            self._store.write(tables.LEAVE, (self.id, self.member.epoch)).result(BEAT)
        except (StoreError, TimeoutError) as exc:
            log.warning("cannot leave the cluster in order: %s", exc)

    def run(self, connected: Callable[[], Mapping[str, str]]) -> None:
        """Beat until the greenlet ends."""
        PeriodicLoop("cluster beats", lambda: self.try_to_beat(connected), BEAT).run()

    def try_to_beat(self, connected: Callable[[], Mapping[str, str]]) -> None:
        """Beat, unless the database does not answer."""
        try:
            self.beat(connected())
        except (StoreError, TimeoutError) as exc:
            log.debug("no beat: %s", exc)

    def beat(self, connected: Mapping[str, str]) -> None:
        """Renew the lease, and look at those of the others."""
        began = self._clock()
        if self._sets_aside:
            self._store.write(tables.SET_ASIDE, (self.id, self.member.epoch))
        before = {} if self._sets_aside else self._connected
        came = {id: place for id, place in connected.items() if before.get(id) != place}
        gone = [id for id in before if id not in connected]
        if came or gone:
            self._store.write(tables.NOTE_CONNECTED, (self.id, self.member.epoch, came, gone))
            self._left.update(dict.fromkeys(gone, self._turns))
        row = (self.id, self.member.epoch, len(connected))
        beat = self._store.write(tables.CHECK_IN, row).result()
        self._note_place(beat is not None)
        self._check_place()
        if beat <= self.member.beat:
            self.note_lost(f"beat {beat} of this master came after {self.member.beat}")
        self.member = self.member._replace(beat=beat)
        self._connected, self._sets_aside = dict(connected), False
        self._last = began
        self.durations.observe(self._clock() - began)
        self._look()
        self._try_to_lead(began)
        self._turns += 1
        self._forget()
        if self.is_leader() and self._turns % PRUNE_EVERY == 0:
            self._store.write(tables.PRUNE, None)

    def _note_place(self, has_place: bool) -> None:
        """Log once that this master is not a member any more; only a start makes it one."""
        if self._has_place and not has_place:
            log.error("store %s: %s", self._store.path, _NO_PLACE)
        self._has_place = has_place

    def _check_place(self) -> None:
        if not self._has_place:
            raise StoreError(self._store.path, _NO_PLACE)

    def _forget(self) -> None:
        if self._turns == self._forget_at:
            self._store.write(tables.FORGET_FORMER, (self.id, list(self._left)))
        old = [id for id, turn in self._left.items() if turn <= self._turns - FORGET_AFTER]
        if old:
            self._store.write(tables.FORGET_LEFT, (self.id, old))
            for id in old:
                del self._left[id]

    def set_aside(self) -> None:
        """Remember the connected minions: they are sent away, and miss jobs until they come back."""
        self._sets_aside, self._forget_at = True, self._turns + FORGET_AFTER

    def note_lost(self, why: str) -> None:
        """Note that the database has lost commits: this master ends, with what it knows from memory."""
        if not self._lost.ready():
            self._lost.set(why)

    def watch(self) -> None:
        """Wait until the database has lost commits; then raise CommitsLost."""
        why = self._lost.get()
        # Minions refuse serials that they have seen under this key.
        _, generation, _, _ = self._store.read(tables.COUNTER)[0]
        sealed = self.sealing.seal(offload(Crypticle.generate).text)
        self._store.write(tables.RENEW, (generation, sealed)).result()
        raise CommitsLost(self._store.path, f"{_WENT_BACK} ({why})")

    def live(self) -> frozenset[str]:
        """Return the ids of the other masters whose lease is not over."""
        return self._beats.live(self._clock()) - {self.id}

    def beating(self) -> frozenset[str]:
        """Return the ids of the other masters that have not fallen silent; their leases may last longer."""
        return self._beats.live(self._clock(), SILENT) - {self.id}

    def is_leader(self) -> bool:
        """Return whether this master performs the duties that only one master has."""
        return self._led_at is not None and self._clock() - self._led_at < LEASE / 2

    def silent(self) -> float:
        """Return the time since the last beat that was stored."""
        return self._clock() - self._last

    def unanswered(self) -> float:
        """Return the time since the database confirmed a beat, or another write: then it can be reached.

        A beat takes its turn behind thousands of returns.
        """
        return self._clock() - max(self._last, self._store.committed_at)

    def check_jobs(self) -> None:
        """Raise StoreError while no job may be taken."""
        self._check_place()
        silent = self.unanswered()
        if silent > REFUSE:
            raise StoreError(self._store.path, f"cannot be reached for {silent:.0f} s; {_NO_JOB}")

    def check_answers(self, waited: float) -> None:
        """Raise StoreError for a job that has waited so long, if the database has confirmed nothing."""
        if waited > UNDERWAY:
            self.check_jobs()

    def outcome(self, write: Future[Any], withdraw: Callable[[], bool]) -> Any:
        """Return the result of a write of a job; raise StoreError as soon as the database does not answer.

        `withdraw` returns whether the write will have no effect; while it has begun, it is waited for.
        """
        began = self._clock()
        while True:
            try:
                return write.result(LOOK_AT_WRITE)
            except TimeoutError:
                waited = self._clock() - began
            try:
                self.check_answers(waited)
            except StoreError:
                if withdraw():
                    raise
            if waited > WRITE_TIMEOUT:
                problem = f"has not confirmed the job for {WRITE_TIMEOUT:.0f} s; it may still be run"
                raise StoreError(self._store.path, problem)

    def check_lease(self) -> None:
        """Raise StoreError while a minion may have been revoked without this master knowing."""
        self._check_place()
        silent = self.silent()
        if silent > LEASE - BEAT:
            raise StoreError(
                self._store.path, f"cannot be reached for {silent:.0f} s; keys of minions may have changed"
            )

    def wait_until_read(self, n: int) -> None:
        """Wait until the other live masters have read our log up to a place, for a limited time."""
        end = self._clock() + LONGEST_WAIT
        while self._clock() < end:
            # A master that has joined since the last beat counts, too: it may have read the keys before.
            self._look()
            found = self._store.read(tables.POSITIONS, (self.id,))
            read = {reader for reader, place in found if place >= n}
            if self.live() <= read:
                return
            gevent.sleep(LOOK)
        log.warning("not all masters of the cluster confirmed a change of keys in time")

    def refresh(self) -> None:
        """Read the beats of all masters now, not with the next beat of this one; raise StoreError."""
        self._look()

    def _look(self) -> None:
        members = [Member(*row) for row in self._store.read(tables.MEMBERS)]
        self._beats.note(members, self._clock())
        self.others = {member.id: member for member in members if member.id != self.id}

    def _try_to_lead(self, began: float) -> None:
        """Keep the lead, or take one that is free or whose count stood still for the length of a lease."""
        found = self._store.read(tables.LEADER)
        holder, epoch, beat = found[0] if found else ("", 0, 0)
        self._lead.note([Member("leader", 0, epoch, beat)] if found else [], self._clock())
        if holder not in (self.id, "") and self._lead.live(self._clock()):
            self._led_at = None
            return
        if self._store.write(tables.LEAD, (self.id, epoch, beat)).result():
            self.led_epoch = epoch if holder == self.id and epoch else epoch + 1
            if self._led_at is None:
                log.info("this master leads the cluster")
            self._led_at = began


_NO_JOB = "no job is taken until it can; minions keep their returns"


_NO_PLACE = (
    "has no place for this master any more: it was forgotten, or another one took its place; a restart lets"
    " it join again"
)


_WENT_BACK = (
    "has lost commits that it had confirmed: another server took over without them, or a backup was restored;"
    " this master ends, to start anew with what is there and another publish key"
)


def _refusal(joined: tables.Joined, fingerprint: str) -> str:
    if joined.fingerprint != fingerprint:
        return (
            f"is shared by masters with another key pair ({joined.fingerprint[:16]}..., here"
            f" {fingerprint[:16]}...); copy pki/master/master.pem and master.pub of one of them to this host"
        )
    return f"has {tables.SLOTS} masters already; `salt-g cluster status` shows them"
