"""Execution of scripts and commands on the host of the call, for all functions of the type.

Units: seconds. Scripts are POSIX shell, run by `/bin/sh` in the C locale, as the working user.
Errors: Unreachable (stored as the host's error), CommandTimeout, CommandExecutionError with the host's
message.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from salt_g.api import resource, scratch
from salt_g.errors import CommandExecutionError
from salt_g.process.command import Finished
from salt_g.resources.ssh._connection import Connection, Unreachable
from salt_g.resources.ssh._pool import Pool
from salt_g.resources.ssh._settings import Host

#: Context keys: the pool of connections created by `init`, and the errors of unreachable hosts.
POOL, TROUBLE = "connections", "trouble"
#: Prefix of all scripts, because a user's own PATH often lacks the directories of administration programs.
_BEGIN = "LC_ALL=C; PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin; export LC_ALL PATH\n"


def host() -> Host:
    """Return the settings of the call's host."""
    return _connection().host


def connect() -> None:
    """Open the connection to the host; raises Unreachable if that fails."""
    connection = _connection()
    try:
        connection.open()
    except Unreachable as exc:
        scratch[TROUBLE][resource["id"]] = str(exc)
        raise


def execute(
    argv: Sequence[str],
    *,
    stdin: bytes = b"",
    timeout: float | None = None,
    tty: bool = False,
    merge: bool = False,
) -> Finished:
    """Run a command; `timeout` None waits as long as the host is reachable."""
    return _noted(lambda: _connection().run(argv, stdin=stdin, timeout=timeout, tty=tty, merge=merge))


def execute_at_login(command: str) -> Finished:
    """Run a command in the user's login shell, without sudo."""
    connection = _connection()
    return _noted(lambda: connection.run_at_login(command, tty=connection.host.tty))


def sh(script: str, *args: str, stdin: bytes = b"", timeout: float | None = -1.0) -> Finished:
    """Run a script with arguments; a negative `timeout` is that of the host, None is unlimited."""
    if timeout is not None and timeout < 0:
        timeout = host().timeout
    return _noted(lambda: _connection().script(_BEGIN + script, args, stdin=stdin, timeout=timeout))


def output(script: str, *args: str, stdin: bytes = b"", timeout: float | None = -1.0) -> str:
    """Return a script's output; raises CommandExecutionError if it fails."""
    return checked(sh(script, *args, stdin=stdin, timeout=timeout)).out


def checked(done: Finished) -> Finished:
    """Return a program's result; raises CommandExecutionError with its output if it failed."""
    if done.retcode:
        said = done.err.strip() or done.out.strip() or f"exit code {done.retcode}"
        raise CommandExecutionError(said)
    return done


def _noted(run: Callable[[], Finished]) -> Finished:
    """Run a function; store the error if the host is unreachable, clear the stored error if it succeeds."""
    try:
        done = run()
    except Unreachable as exc:
        scratch[TROUBLE][resource["id"]] = str(exc)
        raise
    scratch[TROUBLE].pop(resource["id"], None)
    return done


def _connection() -> Connection:
    pool: Pool = scratch[POOL]
    return pool.connection(resource["id"])
