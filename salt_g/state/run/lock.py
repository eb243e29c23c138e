"""One state run at a time on a minion.

Why its own file: two runs at once undo each other's work. Every run leaves a file in
`<cachedir>/proc` while it lives, as every job of stock does; a run that was killed leaves one
too, so a file counts only while its process lives.

Shapes: `<cachedir>/proc/<jid>` holds msgpack {jid, pid, fun, arg, ...}; `started` is the start
tick of the process, so that a new process with an old pid is not taken for a run.
Errors: CompileError with one line for each run in the way, in stock's words.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from salt_g.data import jid as jids
from salt_g.errors import CompileError
from salt_g.process.disk import make_private_directory, write_new_or_replace

log = logging.getLogger(__name__)

#: Seconds between two looks of a run that waits for its turn.
LOOK_INTERVAL = 0.2

Job = dict[str, Any]


class RunLock:
    """The state runs of a minion, as its `cachedir` knows them."""

    def __init__(self, cachedir: str, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self._cachedir = cachedir
        self._running = os.path.join(cachedir, "proc")
        self._waiting = os.path.join(cachedir, "state_queue")
        self._sleep = sleep

    def others(self, jid: str) -> list[Job]:
        """Return the state runs that are under way, besides that of `jid`, oldest first.

        A job of a daemon has a file from its beginning; it counts from where it holds the lock, or
        else two that begin together would each stand in the other's way.
        """
        return [
            job
            for job in _jobs(self._running)
            if job["jid"] != jid and str(job["fun"]).startswith("state.") and job.get("holds", True)
        ]

    def conflicts(self, jid: str) -> list[str]:
        """Return a line for each state run that is under way, besides that of `jid`."""
        return [conflict_text(job) for job in self.others(jid)]

    @contextlib.contextmanager
    def held(
        self, job: Mapping[str, Any], *, queue: bool | int = False, concurrent: bool = False
    ) -> Iterator[None]:
        """Hold the right to run states for the body of a `with` block.

        With `queue` wait for the turn (with a number: unless that many wait already), with
        `concurrent` do not look. Raises CompileError when another run is in the way.
        """
        record = {**job, "pid": os.getpid(), "started": start_tick(os.getpid()), "holds": True}
        # A run inside a run shares its jid, and so does the job of a daemon that the run belongs to.
        outer = read_job(os.path.join(self._running, record["jid"]))
        if not self._begin(record, concurrent=concurrent):
            self._refuse_or_wait(record, queue)
        try:
            yield
        finally:
            if outer is None:
                _remove(self._running, record)
            else:
                # As it was found: whoever reads the return of this run may begin the next at once.
                _write(self._running, outer)

    def _begin(self, record: Job, *, concurrent: bool = False) -> bool:
        """Announce a run if none is in its way."""
        with self._guarded():
            if not concurrent and self.others(record["jid"]):
                return False
            _write(self._running, record)
            return True

    def _begin_in_turn(self, record: Job) -> bool:
        """Announce a waiting run if none that is older runs or waits."""
        with self._guarded():
            older = [*self.others(record["jid"]), *_jobs(self._waiting)]
            if any(job["jid"] < record["jid"] for job in older):
                return False
            _write(self._running, record)
            return True

    def _refuse_or_wait(self, record: Job, queue: bool | int) -> None:
        if queue is False or queue is None or (queue is not True and len(_jobs(self._waiting)) >= queue):
            raise CompileError(self.conflicts(record["jid"]))
        log.info("%s: waits for another state run", record["jid"])
        _write(self._waiting, record)
        try:
            while not self._begin_in_turn(record):
                self._sleep(LOOK_INTERVAL)
        finally:
            _remove(self._waiting, record)

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        """Let one process look and announce itself at a time."""
        make_private_directory(self._cachedir)
        with open(os.path.join(self._cachedir, "state_run.lock"), "w", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def conflict_text(job: Mapping[str, Any]) -> str:
    """Return stock's line for a run that is in the way."""
    since = jids.started_at(job["jid"]) if jids.is_jid(str(job["jid"])) else "an unknown time"
    return (
        f'The function "{job["fun"]}" is running as PID {job["pid"]} '
        f"and was started at {since} with jid {job['jid']}"
    )


def _jobs(folder: str) -> list[Job]:
    """Return the jobs of a folder whose processes live, by jid."""
    try:
        names = sorted(os.listdir(folder))
    except FileNotFoundError:
        return []
    read = (read_job(os.path.join(folder, name)) for name in names if jids.is_jid(name))
    return [job for job in read if job is not None and _lives(job)]


def read_job(path: str) -> Job | None:
    """Return the job of a file, None when there is none."""
    import msgpack  # only where a job file exists

    try:
        with open(path, "rb") as file:
            job = msgpack.unpackb(file.read())
    except (OSError, ValueError):
        return None
    return job if isinstance(job, dict) and {"jid", "pid", "fun"} <= job.keys() else None


def _write(folder: str, record: Job) -> None:
    import msgpack

    make_private_directory(folder)
    # No fsync: a run that a power failure ended needs no lock file.
    write_new_or_replace(os.path.join(folder, record["jid"]), msgpack.packb(record, default=str))


def _remove(folder: str, record: Job) -> None:
    with contextlib.suppress(OSError):
        os.unlink(os.path.join(folder, record["jid"]))


def _lives(job: Job) -> bool:
    tick = start_tick(job["pid"])
    return tick is not None and job.get("started") in (None, tick)


def start_tick(pid: int) -> int | None:
    """Return when a process started, in clock ticks since boot; None when there is no such process."""
    if pid == os.getpid():
        return _own_start_tick(pid)
    return _read_start_tick(pid)


@functools.lru_cache(maxsize=1)
def _own_start_tick(pid: int) -> int | None:
    """Return when this process started; a busy kernel takes milliseconds to say it, each time."""
    return _read_start_tick(pid)


def _read_start_tick(pid: int) -> int | None:
    try:
        with open(f"/proc/{int(pid)}/stat", encoding="utf-8", errors="replace") as file:
            # The name of the program, in brackets, may hold spaces and brackets itself.
            return int(file.read().rpartition(")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return None
