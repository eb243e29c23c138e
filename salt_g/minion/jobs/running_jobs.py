"""Running jobs of this minion: start, limit, queries, signals, end.

Every source of jobs (publications, schedule, beacons, startup states) starts its jobs here, and every query
or signal for a job is handled here.
Shapes: a job's load has the form of a publication; `running()` returns the dicts of `saltutil.running`.
Bounds: `limit` jobs run at once (`process_count_max`), `MAX_WAITING` wait, further jobs are refused with a
failed return. Functions that manage jobs run immediately. Jobs that wait when the minion ends begin after its
next start (`queued_jobs.py`), unless that is more than `LONGEST_WAIT` later.
Units: seconds.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import logging
import os
import signal
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

import gevent

from salt_g.api import CallContext
from salt_g.minion.jobs.executors import CONTROL
from salt_g.minion.jobs.proc_files import ProcFiles
from salt_g.minion.jobs.queued_jobs import QueuedJobs
from salt_g.process import command
from salt_g.process.secret_hiding import hide
from salt_g.process.supervisor import Supervisor
from salt_g.resource_model.srn import Srn
from salt_g.shapes.loads import JobLoad, ReturnLoad, RunningJobLoad
from salt_g.telemetry import log as logs

if TYPE_CHECKING:
    from salt_g.minion.jobs.read_set_sender import ReadSetSender
    from salt_g.services.protocols import StepRecord

log = logging.getLogger(__name__)

#: Maximum number of waiting jobs.
MAX_WAITING = 1000
#: How long a job may take to clean up after it was signaled (s).
ENDING_TIMEOUT = 5.0
#: How long the processes of an ended job may take to exit before they are killed (s).
PROGRAMS_TIMEOUT = 3.0
#: Reason for refusing a job that was not started before the minion stops and cannot be kept for its next
#: start.
STOPPING = "the minion is stopping"
#: Maximum age of a waiting job when the minion is back (s): as long as masters may send jobs again
#: (`seen_jobs.py`). An older job may no longer be wanted.
LONGEST_WAIT = 300.0
#: Signals that end a job.
ENDING = (signal.SIGTERM, signal.SIGKILL, signal.SIGINT)


class JobEnded(BaseException):
    """Raised in a job that was ended by a signal; not caught by a plugin's `except Exception`.

    `ret` is the job's partial return, None if there is none yet; `outcome` is the outcome of the
    interrupted function.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.outcome: Any = None
        self.ret: ReturnLoad | None = None
        super().__init__(f"the job was ended by signal {number}")


#: Callback that passes a return to the returners named by a job and the settings.
CallReturners = Callable[["RunningJob", ReturnLoad, CallContext], None]


class CallContexts(Protocol):
    """Source of call contexts for one master's jobs, implemented in `minion/call_data.py`."""

    def context(self, fun: str = "") -> CallContext:
        """Return a context for a call of `fun`."""

    def gather_grains(self) -> bool:
        """Gather the grains again; return whether they have changed."""


class ResourceWork(Protocol):
    """Execution of jobs on resources, implemented in `minion/resources/resource_manager.py`."""

    def work(self, job: RunningJob, call_returners: CallReturners) -> None:
        """Run a job on its resources."""

    def ended(self, job: RunningJob, number: int, retcode: int) -> None:
        """Deliver the failures of the resources that an ended job did not reach."""

    def refused(self, job: RunningJob, why: str) -> None:
        """Deliver the failures of the resources of a job that could not start."""


def _no_steps(jid: str) -> contextlib.AbstractContextManager[StepRecord | None]:
    return contextlib.nullcontext()


def _no() -> bool:
    return False


@dataclasses.dataclass(frozen=True)
class JobOrigin:
    """Origin of a job: a master, or the minion itself.

    Jobs run with the origin's `call_data`; `deliver(load)` queues a return, `fire(tag, data)` sends an event.
    `resources` is None for the minion itself. `record_steps(jid)` opens the record of a job's live steps.
    `master` is the master's name for returns. `wants_digests` returns whether the master keeps a history,
    which needs digests of state runs. `read_sets` sends read-sets to a master that keeps them.
    """

    call_data: CallContexts
    deliver: Callable[[Mapping[str, Any]], None]
    fire: Callable[[str, Mapping[str, Any]], None]
    resources: ResourceWork | None = None
    master: str = ""
    record_steps: Callable[[str], contextlib.AbstractContextManager[StepRecord | None]] = _no_steps
    wants_digests: Callable[[], bool] = _no
    read_sets: ReadSetSender | None = None


class RunningJob:
    """Job that is running or waiting.

    `is_own` is set while the minion itself is an addressee that has not returned; `open` holds the resources
    that have not returned.
    """

    def __init__(
        self,
        load: JobLoad,
        origin: JobOrigin,
        *,
        is_own: bool = True,
        resources: Iterable[Srn] = (),
    ) -> None:
        self.load = load
        self.origin = origin
        self.jid = str(load["jid"])
        self.programs = command.Programs(self.jid)
        #: {pid: command} of the processes that were ended with the job.
        self.ended: dict[int, str] = {}
        #: {resource id: {pid: command}} of the processes that were ended on resources.
        self.ended_elsewhere: dict[str, dict[int, str]] = {}
        #: Partial returns of functions that were ended on resources.
        self.partial: dict[Srn, ReturnLoad] = {}
        self.greenlet: Any = None
        self.is_own = is_own
        self.open = dict.fromkeys(resources)

    @property
    def name(self) -> str:
        """Name of the job's function; of several, the first that runs states, else the first."""
        fun = self.load["fun"]
        if isinstance(fun, str):
            return fun
        return next((name for name in fun if str(name).startswith("state.")), str(fun[0]))

    def as_map(self) -> RunningJobLoad:
        """Return a description of the job; `pid` is that of a program that the job runs, or None.

        The daemon's own pid is not given, since `kill` on that pid would end all jobs.
        """
        load: JobLoad = self.load
        return {
            "jid": load["jid"],
            "fun": load["fun"],
            "arg": load.get("arg", []),
            "tgt": load.get("tgt", ""),
            "tgt_type": load.get("tgt_type", ""),
            "ret": load.get("ret", ""),
            "user": load.get("user", ""),
            "pid": self.programs.first(),
        }

    @property
    def may_wait(self) -> bool:
        """Whether the job may begin after a restart, which requires a master's job without resources."""
        return bool(self.origin.master) and self.is_own and not self.open

    @property
    def is_control(self) -> bool:
        """Whether the job's function manages other jobs."""
        return isinstance(self.load["fun"], str) and self.load["fun"] in CONTROL


class RunningJobs:
    """Runner of jobs as greenlets; implements `services.daemons.RunningJobs`.

    `run(job)` runs a job and delivers its return; `ended(job, number, ret)` delivers the return of a job
    ended by a signal, with its partial return `ret` or None; `refused(job, why)` delivers the return of a
    job that never started.
    """

    def __init__(
        self,
        run: Callable[[RunningJob], None],
        *,
        supervisor: Supervisor,
        files: ProcFiles,
        queued: QueuedJobs,
        ended: Callable[[RunningJob, int, ReturnLoad | None], None],
        refused: Callable[[RunningJob, str], None],
        limit: int = -1,
    ) -> None:
        self._run = run
        self._supervisor = supervisor
        self._files = files
        self._queued = queued
        self._ended = ended
        self._refused = refused
        self._limit = limit
        self._running: dict[str, RunningJob] = {}
        self._waiting: collections.deque[RunningJob] = collections.deque()
        self._is_closed = False
        #: Number of jobs started so far.
        self.begun = 0

    @property
    def waiting(self) -> int:
        """Number of waiting jobs."""
        return len(self._waiting)

    def __len__(self) -> int:
        """Return the number of running jobs."""
        return len(self._running)

    def start(self, job: RunningJob) -> None:
        """Run a job, now or when a slot is free; ignore a job that exists already.

        While the minion is stopping, only functions that manage jobs are run; other jobs wait for a restart
        or are refused.
        """
        if self.find(job.jid) is not None:
            log.info("%s: the job exists already", job.jid)
        elif job.is_control or (self._has_place() and not self._is_closed):
            self._spawn(job)
        elif len(self._waiting) >= MAX_WAITING:
            self._refused(job, f"{MAX_WAITING} jobs are waiting already; process_count_max is {self._limit}")
        elif self._keep(job) or not self._is_closed:
            self._waiting.append(job)
        else:
            self._refused(job, STOPPING)

    def resume(self, origin: JobOrigin) -> None:
        """Start a master's jobs that waited when the minion ended; refuse jobs that waited too long."""
        for queued in self._queued.take(origin.master):
            job = RunningJob(queued.load, origin)
            if queued.waited <= LONGEST_WAIT:
                log.info("%s: the job waited for %.0f s while the minion was away", job.jid, queued.waited)
                self.start(job)
                continue
            self._queued.remove(job.jid)
            why = f"it waited for {queued.waited:.0f} s because the minion was away; run it again"
            self._refused(job, why)

    def find(self, jid: str) -> RunningJob | None:
        """Return a running or waiting job, or None if there is none with this jid."""
        waiting = (job for job in self._waiting if job.jid == jid)
        return self._running.get(jid) or next(waiting, None)

    def running(self) -> list[RunningJobLoad]:
        """Return {jid, fun, arg, tgt, tgt_type, ret, user, pid} of each running or waiting job."""
        return [job.as_map() for job in (*self._running.values(), *self._waiting)]

    def signal(self, jid: str, number: int) -> str:
        """Send a signal to a job's programs; end the job if the signal does that.

        Return stock's message, or '' for an unknown job.
        """
        job = self.find(jid)
        if job is None:
            return ""
        if number not in ENDING:
            return _signal_comment(number, job, job.programs.signal(number))
        programs = job.programs.running
        job.ended = job.programs.end_all(number)
        is_gone = self._end(job, number)
        comment = _signal_comment(number, job, [pid for pid in programs if pid in job.ended])
        return comment + ("" if is_gone else "; the job itself goes on")

    def stop(self, *, timeout: float) -> None:
        """Start no further jobs; end jobs that still run after `timeout` seconds.

        Waiting jobs stay on disk for the next start; those that are not on disk are refused.
        """
        self._is_closed = True
        for job in [job for job in self._waiting if not self._queued.holds(job.jid)]:
            self._waiting.remove(job)
            self._refused(job, STOPPING)
        if self._running:
            log.info("%d jobs have %g s to finish", len(self._running), timeout)
        gevent.joinall([job.greenlet for job in self._running.values()], timeout=timeout)
        left = list(self._running.values())
        for job in left:
            job.ended = job.programs.end_all(signal.SIGTERM)
            job.greenlet.kill(JobEnded(signal.SIGTERM), block=False)
        # In parallel: jobs that do not end must not delay the others.
        gevent.joinall([job.greenlet for job in left], timeout=ENDING_TIMEOUT)
        for job in left:
            self._settle(job, signal.SIGTERM)

    def _keep(self, job: RunningJob) -> bool:
        """Save a waiting job for the minion's next start, if it may wait; return whether it is saved."""
        return job.may_wait and self._queued.put(job.origin.master, job.load)

    def _has_place(self) -> bool:
        busy = sum(not job.is_control for job in self._running.values())
        return self._limit <= 0 or busy < self._limit

    def _spawn(self, job: RunningJob) -> None:
        self.begun += 1
        self._queued.remove(job.jid)
        self._running[job.jid] = job
        job.greenlet = self._supervisor.spawn(self._work, job, name=f"job {job.jid}")

    def _work(self, job: RunningJob) -> None:
        logs.current_jid.set(job.jid)
        command.programs.set(job.programs)
        try:
            described: RunningJobLoad = {**job.as_map(), "pid": os.getpid()}
            self._files.write(hide(described), job.origin.master if job.is_own else "")
            self._run(job)
        except JobEnded as exc:
            self._report_ended(job, exc)
        # The error is outside the function, on the disk or in a plugin; it affects this job only.
        except (Exception, SystemExit):
            log.exception("%s: the job could not be finished", job.jid)
        finally:
            self._forget(job)

    def _report_ended(self, job: RunningJob, end: JobEnded) -> None:
        """Deliver the return of an ended job, protected from interruption by a second signal."""
        name = f"end of job {job.jid}"
        finishing = self._supervisor.spawn(self._finish_ended, job, end, name=name)
        while not finishing.ready():
            with contextlib.suppress(JobEnded):
                finishing.join()

    def _finish_ended(self, job: RunningJob, end: JobEnded) -> None:
        """Wait until the processes of an ended job have ended, then deliver its return."""
        job.ended.update(job.programs.wait_for_all(PROGRAMS_TIMEOUT, sleep=gevent.sleep))
        job.ended_elsewhere = job.programs.wait_elsewhere(PROGRAMS_TIMEOUT)
        self._ended(job, end.number, end.ret)

    def _forget(self, job: RunningJob) -> None:
        del self._running[job.jid]
        self._files.remove(job.jid)
        self._start_next()

    def _start_next(self) -> None:
        while self._waiting and self._has_place() and not self._is_closed:
            self._spawn(self._waiting.popleft())

    def _end(self, job: RunningJob, number: int) -> bool:
        """End a running or waiting job; return whether it has ended."""
        if job.greenlet is None:
            self._waiting.remove(job)
            self._queued.remove(job.jid)
            self._ended(job, number, None)
            return True
        if job.greenlet is gevent.getcurrent():
            raise JobEnded(number)
        job.greenlet.kill(JobEnded(number), block=False)
        job.greenlet.join(ENDING_TIMEOUT)
        self._settle(job, number)
        return bool(job.greenlet.ready())

    def _settle(self, job: RunningJob, number: int) -> None:
        if self._running.get(job.jid) is job and job.greenlet.ready():
            # The job's greenlet had not started yet, so none of its code could report the end.
            self._forget(job)
            self._ended(job, number, None)


def _signal_comment(number: int, job: RunningJob, pids: list[int]) -> str:
    """Return stock's message with the pids of the job's programs or, without programs, the daemon's pid."""
    if not pids:
        return f"Signal {number} sent to job {job.jid} at pid {os.getpid()}"
    reached = ", ".join(map(str, pids))
    return f"Signal {number} sent to job {job.jid} at pid {reached}"
