"""Gate of jobs in a cluster: a job goes into the database, and every master relays it from there.

Errors: WireError for a job that was not accepted; StoreError from `check`.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import gevent

from salt_g.cache.futures import Future
from salt_g.cache.store import Store
from salt_g.cluster import tables
from salt_g.cluster.log import Log
from salt_g.cluster.membership import REFUSE, Membership
from salt_g.errors import StoreError, WireError
from salt_g.master.publishing.newcomers import Newcomers
from salt_g.master.publishing.publish_key_rollout import PublishKeyRollout
from salt_g.master.publishing.restart_barrier import RestartBarrier
from salt_g.shapes.loads import JobLoad
from salt_g.wire.packing import pack_bus

#: Longest wait of an orchestration, batch or rollout for the database before a job, and the pause between two
#: checks (s).
PATIENCE, LOOK = 30.0, 0.25
#: Number of jobs sent again in one commit.
AT_ONCE = 100
#: Longest wait of any other job for the database (s).
MOMENT = 1.0
#: Age of the last write up to which a waiting job is published (s); from `REFUSE` on, jobs are refused.
ANSWERS = REFUSE - 0.75


class SharedGate:
    """Gate for all jobs of this master; each wait is limited, and only for this master's minions."""

    def __init__(
        self,
        store: Store,
        membership: Membership,
        shared: Log,
        *,
        barrier: RestartBarrier,
        newcomers: Newcomers,
        rotation: PublishKeyRollout,
    ) -> None:
        self._store = store
        self._membership = membership
        self._log = shared
        self._barrier = barrier
        self._newcomers = newcomers
        self._rotation = rotation

    def check(self) -> None:
        """Raise StoreError while the database cannot be reached; wait a moment for one that is slow."""
        end = time.monotonic() + MOMENT
        while self._membership.unanswered() > REFUSE and time.monotonic() < end:
            gevent.sleep(LOOK)
        self._membership.check_jobs()

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Raise StoreError in the block once the database stops answering, because its reads would hang."""
        began = time.monotonic()

        def look(asking: Any) -> None:
            try:
                self._membership.check_answers(time.monotonic() - began)
            except StoreError as exc:
                asking.throw(exc)

        timer: Any = gevent.get_hub().loop.timer(LOOK, LOOK)
        timer.start(look, gevent.getcurrent())
        try:
            yield
        finally:
            timer.stop()
            timer.close()

    def wait(self) -> None:
        """Wait, for a limited time, until the database answers fast enough for a job."""
        end = time.monotonic() + PATIENCE
        while self._membership.unanswered() > ANSWERS and time.monotonic() < end:
            gevent.sleep(LOOK)

    def send(self, job: JobLoad, ids: Sequence[str], *, by_topic: bool = False) -> None:
        """Hand a job for `ids` to all masters; raise WireError if the database did not accept it."""
        self._barrier.wait(ids)
        self._newcomers.wait(ids)
        self._rotation.wait()
        self.send_again(job, ids, by_topic=by_topic)

    def send_again(self, job: JobLoad, ids: Sequence[str], *, by_topic: bool = False) -> None:
        """Hand a job to all masters without waiting for minions; raises WireError."""
        self._await(self._begin(job, ids, by_topic=by_topic))
        self._log.ring()

    def send_many_again(self, jobs: Iterable[tuple[JobLoad, Sequence[str]]]) -> None:
        """Hand jobs to all masters, many in one commit; raise WireError, even if some were handed over."""
        jobs = iter(jobs)
        while begun := [self._begin(job, ids) for job, ids in itertools.islice(jobs, AT_ONCE)]:
            for one in begun:
                self._await(one)
            self._log.ring()

    def _begin(self, job: JobLoad, ids: Sequence[str], *, by_topic: bool = False) -> _Begun:
        me = self._membership.member
        sealed = self._membership.sealing.seal_job(pack_bus(job))
        claim = tables.Claim()
        row = tables.Publication(me.id, me.epoch, sealed, pack_bus(list(ids)), by_topic, claim)
        try:
            self._membership.check_jobs()
            return _Begun(self._store.write(tables.PUBLISH, row, len(row.job) + len(row.ids)), claim)
        except StoreError as exc:
            raise WireError(str(exc)) from exc

    def _await(self, begun: _Begun) -> None:
        try:
            serial = self._membership.outcome(begun.write, begun.claim.withdraw)
        except (StoreError, TimeoutError) as exc:
            raise WireError(str(exc)) from exc
        if not serial:
            raise WireError("this master has lost its place in the cluster; restart it")


class _Begun(NamedTuple):
    """Publication on its way to the database."""

    write: Future[int]
    claim: tables.Claim
