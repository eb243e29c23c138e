"""Marks on the programs of a minion's job, for finding all their descendants when the job is ended.

A mark is a variable in the environment and, for programs that clear their environment, the value of a
resource limit: RLIMIT_LOCKS, which Linux has not used since 2.4.25. Daemons keep both after their parents are
gone.
Source: setrlimit(2), proc_pid_limits(5).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import resource
from typing import NamedTuple

#: Environment variable with the id of the job.
VARIABLE = "SALT_G_JOB"
#: Resource limit that marks processes, its line in /proc/PID/limits, and the index of its value in that line.
_LIMIT, _LINE, _VALUE = 10, b"Max file locks", 3


class Mark(NamedTuple):
    """Mark on each program of a job: `NAME=value` in its environment, and the value of its resource limit."""

    variable: str
    limit: int


def mark_of(jid: str) -> Mark:
    """Return the mark for a job of this process; the limit in it is too large to have any effect."""
    digest = hashlib.blake2b(f"{jid} {os.getpid()}".encode(), digest_size=7).digest()
    return Mark(f"{VARIABLE}={jid}", 1 << 60 | int.from_bytes(digest, "big"))


def set_limit(mark: Mark) -> None:
    """Set the mark's limit for this process, unless that limit is already set.

    A new process calls this before it executes the program. If the limit were set from outside, processes
    that the program starts immediately would lack the mark.
    """
    with contextlib.suppress(OSError, ValueError):
        _, hard = resource.getrlimit(_LIMIT)
        if hard == resource.RLIM_INFINITY:
            resource.setrlimit(_LIMIT, (mark.limit, hard))


def has_mark(pid: int, mark: Mark) -> bool:
    """Return whether a process has the mark of a job."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/environ", "rb") as file:
        if mark.variable.encode() in file.read().split(b"\0"):
            return True
    with contextlib.suppress(OSError), open(f"/proc/{pid}/limits", "rb") as file:
        words = next((line.split() for line in file if line.startswith(_LINE)), [])
        return len(words) > _VALUE and words[_VALUE] == b"%d" % mark.limit
    return False
