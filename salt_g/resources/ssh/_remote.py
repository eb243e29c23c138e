"""Run things on the host of the call.

Why its own file: the functions of the type know only this: a script, its arguments, what it reads.
Units: seconds. Scripts are POSIX shell, run by `/bin/sh` in the C locale, as root where `sudo` is set.
Errors: Unreachable (kept as the host's trouble), CommandTimeout, CommandExecutionError with the host's words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from salt_g.api import resource, scratch
from salt_g.errors import CommandExecutionError
from salt_g.process.command import Finished
from salt_g.resources.ssh._connection import Connection, Unreachable
from salt_g.resources.ssh._pool import Pool
from salt_g.resources.ssh._settings import Host

#: Where `init` leaves the connections, and why hosts do not answer.
POOL, TROUBLE = "connections", "trouble"
#: What scripts begin with: a user's own PATH often lacks the administrator's programs.
_BEGIN = "LC_ALL=C; PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin; export LC_ALL PATH\n"


def host() -> Host:
    """Return the settings of the host of the call."""
    return _connection().host


def execute(
    argv: Sequence[str],
    *,
    stdin: bytes = b"",
    timeout: float | None = None,
    tty: bool = False,
    merge: bool = False,
) -> Finished:
    """Run words; `timeout` None is as long as the host is there."""
    return _noted(lambda: _connection().run(argv, stdin=stdin, timeout=timeout, tty=tty, merge=merge))


def sh(script: str, *args: str, stdin: bytes = b"", timeout: float | None = -1.0) -> Finished:
    """Run a script with arguments; `timeout` is the host's unless given, None is none."""
    if timeout is not None and timeout < 0:
        timeout = host().timeout
    return _noted(lambda: _connection().script(_BEGIN + script, args, stdin=stdin, timeout=timeout))


def told(script: str, *args: str, stdin: bytes = b"", timeout: float | None = -1.0) -> str:
    """Return what a script prints; raises CommandExecutionError when it fails."""
    return checked(sh(script, *args, stdin=stdin, timeout=timeout)).out


def checked(done: Finished) -> Finished:
    """Return what a program left behind; raises CommandExecutionError with its words when it failed."""
    if done.retcode:
        said = done.err.strip() or done.out.strip() or f"exit code {done.retcode}"
        raise CommandExecutionError(said)
    return done


def _noted(run: Callable[[], Finished]) -> Finished:
    """Run something; keep why a host cannot be reached, and forget it when it can be."""
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
