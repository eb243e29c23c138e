"""Lock that allows one state run at a time on a minion.

Every run keeps a file in `<cachedir>/proc`, as every job of stock does. A killed run leaves its file behind,
so a file counts only while its process lives.

Shapes: `<cachedir>/proc/<jid>` holds msgpack {jid, pid, fun, arg, ...}; `started` is the start tick of the
process, so that a new process with a reused pid is not taken for the run.
Errors: CompileError with one line for each conflicting run, in stock's words.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from salt_g.data import jid as jids
from salt_g.errors import CompileError
from salt_g.process.disk import make_private_directory, write_new_or_replace
from salt_g.shapes import StateRunJob

log = logging.getLogger(__name__)

#: Polling interval of a queued run (s).
POLL_INTERVAL = 0.2


class RunLock:
    """Lock for the state runs of a minion; its `cachedir` records the running and waiting ones."""

    def __init__(self, cachedir: str, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self._cachedir = cachedir
        self._running = os.path.join(cachedir, "proc")
        self._waiting = os.path.join(cachedir, "state_queue")
        self._sleep = sleep

    def others(self, jid: str) -> list[StateRunJob]:
        """Return the other active state runs (not that of `jid`), oldest first.

        A daemon's job has a file from its start, but counts only once it holds the lock; otherwise two jobs
        that start together would block each other.
        """
        return [
            job
            for job in _jobs(self._running)
            if job["jid"] != jid and str(job["fun"]).startswith("state.") and job.get("holds", True)
        ]

    def conflicts(self, jid: str) -> list[str]:
        """Return stock's line for each other active state run (not that of `jid`)."""
        return [conflict_text(job) for job in self.others(jid)]

    @contextlib.contextmanager
    def held(
        self, job: Mapping[str, Any], *, queue: bool | int = False, concurrent: bool = False
    ) -> Iterator[None]:
        """Hold the state run lock for the body of a `with` block.

        With `queue`, wait for the lock (a number limits the waiting runs, including this one); with
        `concurrent`, skip the check. Raise CompileError when another run conflicts and this one may not wait.
        """
        own = {"pid": os.getpid(), "started": start_tick(os.getpid()), "holds": True}
        record = cast("StateRunJob", {**job, **own})
        # A nested run has the same jid as the outer run and as the daemon's job that started the outer run.
        outer = read_job(os.path.join(self._running, record["jid"]))
        if outer is not None and "master" in outer:
            # The master must get a return even if this process is killed.
            record["master"] = outer["master"]
        if not self._begin(record, concurrent=concurrent):
            self._refuse_or_wait(record, queue)
        try:
            yield
        finally:
            if outer is None:
                _remove(self._running, record)
            else:
                # Restored here, because the reader of this run's return may start the next run at once.
                _write(self._running, outer)

    def _begin(self, record: StateRunJob, *, concurrent: bool = False) -> bool:
        """Record a run and return True, unless another one conflicts."""
        with self._guarded():
            if not concurrent and self.others(record["jid"]):
                return False
            _write(self._running, record)
            return True

    def _begin_in_turn(self, record: StateRunJob) -> bool:
        """Record a waiting run as running and return True, unless an older one runs or waits."""
        with self._guarded():
            older = [*self.others(record["jid"]), *_jobs(self._waiting)]
            if any(job["jid"] < record["jid"] for job in older):
                return False
            _write(self._running, record)
            return True

    def _refuse_or_wait(self, record: StateRunJob, queue: bool | int) -> None:
        if queue is False or queue is None or (queue is not True and len(_jobs(self._waiting)) >= queue):
            raise CompileError(self.conflicts(record["jid"]))
        log.info("%s: waiting for another state run", record["jid"])
        _write(self._waiting, record)
        try:
            while not self._begin_in_turn(record):
                self._sleep(POLL_INTERVAL)
        finally:
            _remove(self._waiting, record)

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        """Allow only one process at a time to check for conflicts and record its run."""
        make_private_directory(self._cachedir)
        with open(os.path.join(self._cachedir, "state_run.lock"), "w", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def conflict_text(job: Mapping[str, Any]) -> str:
    """Return stock's line for a conflicting run."""
    since = jids.started_at(job["jid"]) if jids.is_jid(str(job["jid"])) else "an unknown time"
    return (
        f'The function "{job["fun"]}" is running as PID {job["pid"]} '
        f"and was started at {since} with jid {job['jid']}"
    )


def _jobs(folder: str) -> list[StateRunJob]:
    """Return the jobs of a folder whose processes are alive, sorted by jid."""
    try:
        names = sorted(os.listdir(folder))
    except FileNotFoundError:
        return []
    read = (read_job(os.path.join(folder, name)) for name in names if jids.is_jid(name))
    return [job for job in read if job is not None and _lives(job)]


def read_job(path: str) -> StateRunJob | None:
    """Return the job of a file, or None if the file is missing, unreadable or malformed."""
    import msgpack  # Imported lazily: only needed if a job file exists.

    try:
        with open(path, "rb") as file:
            job = msgpack.unpackb(file.read())
    except (OSError, ValueError):
        return None
    is_whole = isinstance(job, dict) and {"jid", "pid", "fun"} <= job.keys()
    return cast("StateRunJob", job) if is_whole else None


def _write(folder: str, record: StateRunJob) -> None:
    import msgpack

    make_private_directory(folder)
    # No fsync, because no run that needs the lock survives a power failure.
    write_new_or_replace(os.path.join(folder, record["jid"]), msgpack.packb(record, default=str))


def _remove(folder: str, record: StateRunJob) -> None:
    with contextlib.suppress(OSError):
        os.unlink(os.path.join(folder, record["jid"]))


def _lives(job: StateRunJob) -> bool:
    tick = start_tick(job["pid"])
    return tick is not None and job.get("started") in (None, tick)


def start_tick(pid: int) -> int | None:
    """Return the start time of a process in clock ticks since boot; None if no such process exists."""
    if pid == os.getpid():
        return _own_start_tick(pid)
    return _read_start_tick(pid)


@functools.lru_cache(maxsize=1)
def _own_start_tick(pid: int) -> int | None:
    """Return the start tick of this process, cached because a read can take milliseconds."""
    return _read_start_tick(pid)


def _read_start_tick(pid: int) -> int | None:
    try:
        with open(f"/proc/{int(pid)}/stat", encoding="utf-8", errors="replace") as file:
            # The program name, in parentheses, may contain spaces and parentheses.
            return int(file.read().rpartition(")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return None
