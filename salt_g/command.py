"""Run programs: one owner for process groups, time limits, users, environments, decoding.

Why its own file: execution functions, grains, the git and gpg helpers all start programs,
and each must kill the whole group on a time limit and cope with output that is not UTF-8.
Units: timeouts in seconds. Errors: CommandNotFound, CommandTimeout, CommandExecutionError.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence

from salt_g.errors import CommandNotFound, CommandTimeout


@dataclasses.dataclass(frozen=True)
class Finished:
    """What a program left behind; `stdout` and `stderr` are bytes as they came."""

    pid: int
    retcode: int
    stdout: bytes
    stderr: bytes

    @property
    def out(self) -> str:
        """Standard output as text."""
        return decode(self.stdout)

    @property
    def err(self) -> str:
        """Standard error as text."""
        return decode(self.stderr)


def decode(data: bytes) -> str:
    """Return bytes of a program as text; what is not UTF-8 becomes the replacement character."""
    return data.decode("utf-8", "replace")


def run(
    argv: Sequence[str],
    *,
    cwd: str | None = None,
    env: Mapping[str, str] | None = None,
    stdin: bytes | None = None,
    timeout: float | None = None,
    merge_stderr: bool = False,
    umask: int = -1,
) -> Finished:
    """Run a program to its end in a process group of its own.

    `env` is the whole environment (None: ours). Raises CommandNotFound when there is no
    such program, CommandTimeout (the group is killed) when it runs longer than `timeout`.
    """
    process = _start(argv, cwd=cwd, env=env, with_stdin=stdin is not None, merge_stderr=merge_stderr, umask=umask)
    try:
        stdout, stderr = process.communicate(stdin, timeout=timeout)
    except subprocess.TimeoutExpired:
        kill_group(process.pid)
        process.communicate()
        raise CommandTimeout(" ".join(argv), timeout or 0) from None
    except BaseException:
        kill_group(process.pid)
        process.wait()
        raise
    return Finished(process.pid, process.returncode, stdout or b"", stderr or b"")


def kill_group(pid: int) -> None:
    """Kill a process group that `run` started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def _start(
    argv: Sequence[str],
    *,
    cwd: str | None,
    env: Mapping[str, str] | None,
    with_stdin: bool,
    merge_stderr: bool,
    umask: int,
) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            list(argv),
            cwd=cwd,
            env=env,
            stdin=subprocess.PIPE if with_stdin else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if merge_stderr else subprocess.PIPE,
            start_new_session=True,
            umask=umask,
        )
    except FileNotFoundError as exc:
        if cwd is not None and not os.path.isdir(cwd):
            raise
        raise CommandNotFound(f"program {argv[0]!r} is not installed or not in PATH") from exc
