"""Membership of this master in a cluster: joining, beats, and the other live masters.

A master whose writes do not reach the database refuses jobs after `REFUSE` seconds. Shortly before its lease
of `LEASE` seconds ends, it also refuses all requests that depend on valid keys, because after that the other
masters no longer wait for it when they revoke a minion.
Lifecycle: `join`, then `run` and `watch`, each in a greenlet, then `leave`.
Units: seconds of the monotonic clock.
Errors: ClusterRefused for a master that must not join; CommitsLost from `watch`; StoreError while the
database is unavailable.
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

#: Age of this master's last successful write from which jobs are refused.
REFUSE = 2.0
#: Time for which every job may wait for the database to answer, and the pause between two checks of the job's
#: write.
UNDERWAY, LOOK_AT_WRITE = 1.5, 0.25
#: Longest time for which a change of keys waits for the other masters, and the pause between two checks. On a
#: busy machine, a master that beats may need longer than a lease to read what is new.
LONGEST_WAIT, LOOK = 4 * LEASE, 0.05
#: Beats between two removals of old rows.
PRUNE_EVERY = 60
#: Number of beats after which the minions that this master had before its start, or that have left it, are
#: assumed to be elsewhere or gone.
FORGET_AFTER = 90


class Membership:
    """Membership of one master in its cluster."""

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
        #: Epoch of this master's leadership, valid while this master is the leader.
        self.led_epoch = 0
        self._connected: dict[str, str] = {}
        self._sets_aside = False
        self._turns, self._forget_at = 0, FORGET_AFTER
        #: {minion that has left this master: turn in which it left}
        self._left: dict[str, int] = {}
        self.durations = Histogram()
        self._has_place = True
        self._lost: Any = gevent.event.AsyncResult()

    def join(self, make_key: Callable[[], bytes]) -> tables.Joined:
        """Join the cluster and return the answer; `make_key` creates the publish key of a new cluster.

        Raise ClusterRefused if the other masters have another key pair or the cluster is full, and
        StoreError.
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
        log.info("joined the cluster as master %d; other masters: %d", self.member.slot, len(self.others))
        return joined

    def leave(self) -> None:
        """Leave the cluster, so that the other masters need not wait for the end of this master's lease."""
        try:
            self._store.write(tables.LEAVE, (self.id, self.member.epoch)).result(BEAT)
        except (StoreError, TimeoutError) as exc:
            log.warning("cannot leave the cluster properly: %s", exc)

    def run(self, connected: Callable[[], Mapping[str, str]]) -> None:
        """Beat until the greenlet ends."""
        PeriodicLoop("cluster beats", lambda: self.try_to_beat(connected), BEAT).run()

    def try_to_beat(self, connected: Callable[[], Mapping[str, str]]) -> None:
        """Beat; only log an error if the database does not answer."""
        try:
            self.beat(connected())
        except (StoreError, TimeoutError) as exc:
            log.debug("cannot write a beat: %s", exc)

    def beat(self, connected: Mapping[str, str]) -> None:
        """Renew the lease of this master, and read the beats of the others."""
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
        """Record whether this master is still a member; log the loss of membership once."""
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
        """Have the next beat record the connected minions as former ones; they are being sent away."""
        self._sets_aside, self._forget_at = True, self._turns + FORGET_AFTER

    def note_lost(self, why: str) -> None:
        """Record that the database has lost commits; `watch` then ends this master."""
        if not self._lost.ready():
            self._lost.set(why)

    def watch(self) -> None:
        """Wait until the database has lost commits, then renew the publish key and raise CommitsLost."""
        why = self._lost.get()
        # A new key, because minions refuse serials that they have already seen under the current one.
        _, generation, _, _ = self._store.read(tables.COUNTER)[0]
        sealed = self.sealing.seal(offload(Crypticle.generate).text)
        self._store.write(tables.RENEW, (generation, sealed)).result()
        raise CommitsLost(self._store.path, f"{_WENT_BACK} ({why})")

    def live(self) -> frozenset[str]:
        """Return the ids of the other masters whose lease has not ended."""
        return self._beats.live(self._clock()) - {self.id}

    def beating(self) -> frozenset[str]:
        """Return the ids of the other masters with a beat in the last `SILENT` s; leases last longer."""
        return self._beats.live(self._clock(), SILENT) - {self.id}

    def is_leader(self) -> bool:
        """Return whether this master is the leader, which performs the duties of the cluster."""
        return self._led_at is not None and self._clock() - self._led_at < LEASE / 2

    def silent(self) -> float:
        """Return the time since the last stored beat of this master."""
        return self._clock() - self._last

    def unanswered(self) -> float:
        """Return the time since the database last confirmed a beat or any other write.

        Other writes count, because a beat can be queued behind thousands of returns.
        """
        return self._clock() - max(self._last, self._store.committed_at)

    def check_jobs(self) -> None:
        """Raise StoreError while this master must not accept jobs."""
        self._check_place()
        silent = self.unanswered()
        if silent > REFUSE:
            raise StoreError(self._store.path, f"has been unreachable for {silent:.0f} s; {_NO_JOB}")

    def check_answers(self, waited: float) -> None:
        """Raise StoreError if a job has waited for `waited` seconds and the database does not answer."""
        if waited > UNDERWAY:
            self.check_jobs()

    def outcome(self, write: Future[Any], withdraw: Callable[[], bool]) -> Any:
        """Return the result of a job's write; raise StoreError as soon as the database does not answer.

        `withdraw` cancels the write and returns True, or False if the write has begun, which is then awaited.
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
        """Raise StoreError while another master may have revoked a minion without this master's knowledge."""
        self._check_place()
        silent = self.silent()
        if silent > LEASE - BEAT:
            raise StoreError(
                self._store.path, f"has been unreachable for {silent:.0f} s; keys of minions may have changed"
            )

    def wait_until_read(self, n: int) -> None:
        """Wait, for a limited time, until the other live masters have read our log up to the place `n`."""
        end = self._clock() + LONGEST_WAIT
        while self._clock() < end:
            # Masters that have joined since the last beat count, too, because they may have read the keys
            # before the change.
            self._look()
            found = self._store.read(tables.POSITIONS, (self.id,))
            read = {reader for reader, place in found if place >= n}
            if self.live() <= read:
                return
            gevent.sleep(LOOK)
        log.warning("not all masters of the cluster confirmed a change of keys in time")

    def refresh(self) -> None:
        """Read the beats of all masters now, before the next beat of this master; raises StoreError."""
        self._look()

    def _look(self) -> None:
        members = [Member(*row) for row in self._store.read(tables.MEMBERS)]
        self._beats.note(members, self._clock())
        self.others = {member.id: member for member in members if member.id != self.id}

    def _try_to_lead(self, began: float) -> None:
        """Renew the leader lease, or acquire it if it is free or its holder has let it expire."""
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


_NO_JOB = "no job is accepted until it answers; minions keep their returns"


_NO_PLACE = (
    "has no place for this master any more: it was forgotten, or another master joined with its id; a restart"
    " lets it join again"
)


_WENT_BACK = (
    "has lost commits that it had confirmed: another server took over without them, or a backup was restored;"
    " this master ends, to start anew with the remaining data and another publish key"
)


def _refusal(joined: tables.Joined, fingerprint: str) -> str:
    if joined.fingerprint != fingerprint:
        return (
            f"is shared by masters with another key pair ({joined.fingerprint[:16]}..., here"
            f" {fingerprint[:16]}...); copy pki/master/master.pem and master.pub of one of them to this host"
        )
    return f"has {tables.SLOTS} masters already; `salt-g cluster status` shows them"
