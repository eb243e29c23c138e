"""Execution of one job on many resources, in one greenlet for each, with limited concurrency.

A failure on one device (a hang, an exception, an expired lease) must not affect the others, and ending the
job ends all of its parts.
Bounds: `resource_fan_out` resources of a type are active at once, over all jobs; `WAITING` returns wait for
the disk; beyond that, greenlets wait. One job at a time runs on a resource, unless its type is
`__concurrent__`.
`test.ping` ends after `resource_timeout`, other functions after `resource_job_timeout`.
Units: seconds.
Source: resources specification, sections 8 to 11.
"""

from __future__ import annotations

import contextlib
import logging
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import gevent
import gevent.lock
import gevent.pool
import gevent.queue

from salt_g.api import CallContext
from salt_g.minion.jobs.job_function import execute, failure, with_ended
from salt_g.minion.jobs.running_jobs import CallReturners, JobEnded, RunningJob
from salt_g.minion.resources.contexts import Contexts, KnownResource, this_minion
from salt_g.minion.resources.held_leases import HeldLeases
from salt_g.minion.resources.managed import ManagedResources
from salt_g.minion.resources.targets import selected
from salt_g.minion.settings import ResourceTimeouts
from salt_g.process.supervisor import Supervisor
from salt_g.resource_model.srn import Srn
from salt_g.shapes.loads import JobLoad, ReturnLoad

log = logging.getLogger(__name__)

#: Function that checks whether a resource is available; limited by `resource_timeout`.
PING = "test.ping"
#: Maximum number of returns waiting to be written to disk.
WAITING = 400
#: Maximum number of returns passed on at once, and how long to wait for more of them (s).
AT_ONCE = 200
GATHERING = 0.03
#: Maximum interval between two checks of the leases of running parts (s).
LOOK_INTERVAL = 1.0


class LeaseLost(BaseException):
    """Raised in a job on a resource whose lease has expired; not caught by `except Exception`."""


class FanOut:
    """Runner of jobs on the resources of one master's connection; `deliver` queues a list of returns."""

    def __init__(
        self,
        managed: ManagedResources,
        limits: ResourceTimeouts,
        *,
        deliver: Callable[[Iterable[ReturnLoad]], None],
    ) -> None:
        self.managed = managed
        self.leases = HeldLeases()
        #: Whether the master runs salt-g and thus knows resources by SRN.
        self.is_ours = False
        self._deliver = deliver
        self._limit = limits.resource_job_timeout
        self._ping_limit = limits.resource_timeout
        self._locks = _ResourceLocks()
        self._works: list[_Work] = []

    def selected(self, load: JobLoad, minion: CallContext) -> list[Srn]:
        """Return the addressed resources that this minion may act on; raises TargetError."""
        if not len(self.managed):
            return []
        wanted = selected(load, self.managed, this_minion(minion))
        return [srn for srn in wanted if self.leases.is_held(str(srn))]

    def run(self, job: RunningJob, minion: CallContext, call_returners: CallReturners) -> None:
        """Run a job on its resources; if the job is ended, unfinished resources stay in `job.open`."""
        work = _Work(self, job, self._contexts(job, minion), call_returners)
        self._works.append(work)
        try:
            work.run()
        finally:
            self._works.remove(work)

    def end_unmanaged(self) -> None:
        """End all work on resources that are no longer managed; wait at most until the first lease expires.

        Leases are not renewed meanwhile, so work that does not end loses its lease. If leases never
        expire, return without waiting.
        """
        patience = self.leases.soonest()
        for work in list(self._works):
            work.end_unmanaged(0 if patience == math.inf else patience)

    def give_up(self, job: RunningJob, text: str, retcode: int) -> None:
        """Deliver failures for the resources on which a job was ended or not begun."""
        rets = []
        for srn in job.open:
            ret = job.partial.get(srn) or failure(job.load, text, retcode=retcode)
            rets.append(self._named(srn, with_ended(ret, job.ended_elsewhere.get(srn.id, {}))))
        job.open.clear()
        if rets:
            self._deliver(rets)

    def one(self, job: RunningJob, contexts: Contexts, srn: Srn, call_returners: CallReturners) -> ReturnLoad:
        """Run a job on one resource and return its return; any error becomes a failed return."""
        known = self.managed.of(srn)
        if known is None:
            return self._named(srn, failure(job.load, _no_loader(srn)))
        with self._locks.of(srn) if not known.type.is_concurrent else contextlib.nullcontext():
            if not self.leases.is_held(str(srn)):
                return self._named(srn, failure(job.load, _no_lease(srn)))
            context = contexts.of(known)
            ret = self._executed(job, context, known)
        call_returners(job, {**ret, "id": srn.id}, context)
        return self._named(srn, ret)

    def lease_lost(self, job: RunningJob, srn: Srn) -> ReturnLoad:
        """Return the failure of a resource whose lease expired."""
        return self._named(srn, failure(job.load, _no_lease(srn)))

    def deliver(self, rets: list[ReturnLoad]) -> None:
        """Queue returns for delivery."""
        self._deliver(rets)

    def _contexts(self, job: RunningJob, minion: CallContext) -> Contexts:
        shown = {**job.as_map(), "fun": job.name}
        return self.managed.contexts(minion.replace(job=shown), list(job.open))

    def _executed(self, job: RunningJob, context: CallContext, known: KnownResource) -> ReturnLoad:
        # An executor could run the call inside a program, which would act on the managing minion.
        load = job.load.copy()
        load.pop("module_executors", None)
        seconds = self._limit_of(job)
        limit = gevent.Timeout(seconds or None)
        limit.start()
        try:
            return execute(context, load)
        except gevent.Timeout as exc:
            if exc is not limit:
                raise
            return failure(job.load, f"ERROR: no answer from {known.srn} within {seconds:g} s")
        finally:
            limit.close()

    def _limit_of(self, job: RunningJob) -> float:
        """Return the time limit of a job on one resource, which is shorter for availability checks."""
        if job.load["fun"] != PING:
            return self._limit
        return min(self._limit or self._ping_limit, self._ping_limit)

    def _named(self, srn: Srn, ret: ReturnLoad) -> ReturnLoad:
        name = str(srn) if self.is_ours and self.managed.is_shared(srn.id) else srn.id
        return {**ret, "resource_id": name}


class _Work:
    """State of one job's run on its resources."""

    def __init__(
        self, fan_out: FanOut, job: RunningJob, contexts: Contexts, call_returners: CallReturners
    ) -> None:
        self._call_returners = call_returners
        self._fan_out = fan_out
        self._job = job
        self._contexts = contexts
        self._family = Supervisor(f"resources of {job.jid}")
        #: Number of the signal that ends the job.
        self._number = 0
        self._running: dict[Srn, Any] = {}
        self._answers: Any = gevent.queue.Queue(maxsize=WAITING)

    def run(self) -> None:
        by_type: dict[str, list[Srn]] = {}
        for srn in self._job.open:
            by_type.setdefault(srn.type, []).append(srn)
        sender = self._family.spawn(self._send, name="returns")
        starters = [self._family.spawn(self._start, name, by_type[name], name=name) for name in by_type]
        try:
            self._watch(starters)
            for srn in list(self._job.open):
                # The lease of this resource was lost before the job started on it.
                self._job.open.pop(srn)
                self._answers.put(self._fan_out.lease_lost(self._job, srn))
        except JobEnded as exc:
            self._number = exc.number
            raise
        finally:
            self._end(starters)
            self._answers.put(None)
            sender.join()

    def end_unmanaged(self, patience: float) -> None:
        """End the work on resources that are no longer managed; wait for its end up to `patience` seconds."""
        managed = self._fan_out.managed
        running = [greenlet for srn, greenlet in self._running.items() if not managed.knows(srn)]
        if running:
            gevent.killall(running, LeaseLost(), timeout=patience)

    def _start(self, name: str, srns: list[Srn]) -> None:
        """Start the job on the resources of one type, in order, each when a slot is free."""
        type = self._fan_out.managed.types.of(name)
        gate = gevent.lock.BoundedSemaphore() if type is None else type.gate
        for srn in srns:
            gate.acquire()
            greenlet = self._family.spawn(self._one, srn, name=str(srn))
            self._running[srn] = greenlet
            # Linked instead of a `finally` in the greenlet: a greenlet killed before its start runs no code.
            greenlet.link(lambda ended, srn=srn: self._has_ended(srn, gate))

    def _has_ended(self, srn: Srn, gate: Any) -> None:
        self._running.pop(srn, None)
        gate.release()

    def _one(self, srn: Srn) -> None:
        try:
            ret = self._fan_out.one(self._job, self._contexts, srn, self._call_returners)
        except JobEnded as exc:
            if exc.ret is not None:
                self._job.partial[srn] = exc.ret
            return
        except LeaseLost:
            ret = self._fan_out.lease_lost(self._job, srn)
        # The error is outside the function; it affects this resource only.
        except Exception as exc:
            log.exception("%s: the job could not be finished on %s", self._job.jid, srn)
            ret = {**failure(self._job.load, f"ERROR: {exc}"), "resource_id": srn.id}
        self._job.open.pop(srn, None)
        self._answers.put(ret)

    def _watch(self, starters: list[Any]) -> None:
        """Wait for all parts of the job; end parts that have lost their lease."""
        while True:
            waiting = [*starters, *self._running.values()]
            if all(one.ready() for one in waiting):
                return
            gevent.joinall(waiting, timeout=self._patience())
            for srn, greenlet in list(self._running.items()):
                if not self._fan_out.leases.is_held(str(srn)):
                    greenlet.kill(LeaseLost(), block=False)

    def _patience(self) -> float:
        return max(0.001, min(self._fan_out.leases.soonest(), LOOK_INTERVAL))

    def _end(self, starters: list[Any]) -> None:
        """End the remaining parts of an ended job."""
        gevent.killall([one for one in starters if not one.ready()], timeout=1)
        running = [one for one in self._running.values() if not one.ready()]
        for one in running:
            # A separate error for each part, because the error records what the part has done.
            one.kill(JobEnded(self._number), block=False)
        gevent.joinall(running, timeout=1)

    def _send(self) -> None:
        """Deliver returns in groups as they become ready."""
        is_over = False
        while not is_over:
            rets = [self._answers.get()]
            gevent.sleep(GATHERING)
            while len(rets) < AT_ONCE and not self._answers.empty():
                rets.append(self._answers.get())
            is_over = None in rets
            whole = [ret for ret in rets if ret is not None]
            if whole:
                self._fan_out.deliver(whole)


class _ResourceLocks:
    """Locks that allow one job at a time on each resource; a lock exists only while it is in use."""

    def __init__(self) -> None:
        self._locks: dict[Srn, tuple[Any, list[None]]] = {}

    @contextlib.contextmanager
    def of(self, srn: Srn) -> Iterator[None]:
        lock, users = self._locks.setdefault(srn, (gevent.lock.Semaphore(1), []))
        users.append(None)
        try:
            with lock:
                yield
        finally:
            users.pop()
            if not users:
                self._locks.pop(srn, None)


def _no_loader(srn: Srn) -> str:
    return (
        f"No resource loader available for type '{srn.type}'. Ensure the resource module exists and the"
        " minion is configured to manage resources of this type."
    )


def _no_lease(srn: Srn) -> str:
    return f"ERROR: this minion does not hold {srn} any more: the master has not renewed its lease"
