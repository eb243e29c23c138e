"""Search for and termination of a job's processes, including those outside its process groups.

A process belongs to a job if a program of the job is its ancestor or leads its session, or if it has the mark
of the job (`job_marks.py`), which daemons keep after their parents are gone. Control groups would do the
same, but moving a program into one takes 15 ms, several times as long as starting it.
Units: signals are numbers.
Source: proc_pid_stat(5).
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from salt_g.process.job_marks import Mark, has_mark
from salt_g.process.redaction import redacted
from salt_g.process.secret_hiding import hide

#: Maximum number of rounds in a search, because processes may start others in the meantime.
_ROUNDS = 20
#: Pause between two looks at processes that are ending (s).
_PAUSE = 0.05
#: Maximum length of a command in a list of ended processes (characters).
_MOST = 200
#: Indexes of the state, the parent and the session among the fields of /proc/PID/stat that follow the name.
_STATE, _PARENT, _SESSION = 0, 1, 3


class Process(NamedTuple):
    """A process: its pid, the pid of its parent and the pid of its session leader."""

    pid: int
    parent: int
    session: int


def end(leaders: Collection[int], running: Collection[int], mark: Mark | None, number: int) -> dict[int, str]:
    """Send a signal to all processes of a job; return {pid: command} of those that received it.

    `leaders` are the programs that the job started, `running` those that have not ended; `mark` is None if
    the programs have no mark.
    """
    reached: dict[int, str] = {}
    for _ in range(_ROUNDS):
        new = [pid for pid in belonging(leaders, running, mark) if pid not in reached]
        if not new:
            break
        for pid in new:
            shown = command_of(pid)
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
                reached[pid] = shown
    return reached


def wait(
    leaders: Collection[int],
    running: Collection[int],
    mark: Mark | None,
    timeout: float,
    *,
    sleep: Callable[[float], None],
) -> dict[int, str]:
    """Wait until all processes of a job are gone; kill those that remain, and return their {pid: command}."""
    deadline = time.monotonic() + timeout
    while belonging(leaders, running, mark):
        if time.monotonic() > deadline:
            return end(leaders, running, mark, signal.SIGKILL)
        sleep(_PAUSE)
    return {}


def belonging(leaders: Collection[int], running: Collection[int], mark: Mark | None) -> list[int]:
    """Return the pids of the existing processes of a job, without zombies."""
    processes = {process.pid: process for process in _all()}
    ours = _ancestors(processes)
    found = {pid for pid in running if pid in processes}
    # The pid of an ended program may have been reused by another process, which leads its own session.
    found |= {
        process.pid
        for process in processes.values()
        if process.session in leaders and (process.session in running or process.session not in processes)
    }
    found |= {pid for pid in processes if mark and pid not in found and has_mark(pid, mark)}
    while below := {one.pid for one in processes.values() if one.parent in found and one.pid not in found}:
        found |= below
    return sorted(found - ours)


def command_of(pid: int) -> str:
    """Return the redacted command line of a process, or '' if the process is gone."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/cmdline", "rb") as file:
        words = file.read().rstrip(b"\0").replace(b"\0", b" ").decode("utf-8", "replace")
        return shown_command(words)
    return ""


def shown_command(words: str) -> str:
    """Return a command line redacted and shortened, for lists of ended processes."""
    return hide(redacted(words))[:_MOST]


def described(ended: Mapping[int, str]) -> str:
    """Format processes as one line: `sleep 1000 (pid 17), ...`."""
    return ", ".join(f"{command or '?'} (pid {pid})" for pid, command in sorted(ended.items()))


def _all() -> Iterator[Process]:
    """Yield the processes of this host, without zombies."""
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
            if fields[_STATE] not in (b"Z", b"X"):
                yield Process(int(name), int(fields[_PARENT]), int(fields[_SESSION]))


def _ancestors(processes: Mapping[int, Process]) -> set[int]:
    """Return the pids of this process and its ancestors, which never belong to a job."""
    found, pid = set(), os.getpid()
    while pid and pid not in found:
        found.add(pid)
        above = processes.get(pid)
        pid = above.parent if above else 0
    return found
