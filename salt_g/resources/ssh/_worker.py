"""A shell that stays on a host: short scripts one after another, without a login for each.

Why its own file: a session costs the host a login shell with all that its profile does, often more than
the script itself. What looks at files, and writes small ones, goes through this shell.
Shapes: a script is one line, with its line ends and backslashes escaped; after what it prints comes a token
on both streams, with the exit code on the first. So it begins as well, with the number of the process: what a
profile prints is no output.
Errors: WorkerLost when the shell has ended; nothing is known then of the script under way.
"""

from __future__ import annotations

import os
import secrets
import shlex
from collections.abc import Sequence
from typing import Any

from salt_g.command import Finished
from salt_g.errors import CommandTimeout, SaltGError
from salt_g.resources.ssh._mux import Session
from salt_g.resources.ssh._streams import read_all

#: Each script runs in a shell of its own, forked from the one that stays.
_LOOP = r"""
printf '%s %s\n' "$1" "$$"
printf '%s\n' "$1" >&2
while IFS= read -r line; do
    ( eval "$(printf %b "$line")" ) </dev/null
    printf '%s %s\n' "$1" "$?"
    printf '%s\n' "$1" >&2
done
"""
#: More than this goes through a session of its own (bytes): the shell reads its scripts byte by byte.
LONGEST_INPUT = 16 << 10
_PLAIN = frozenset(
    b'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ,./:=+@^_#-{}[]()<>;&|$*?!~"`%'
)


class WorkerLost(SaltGError):
    """The shell has ended."""


class Worker:
    """The shell that stays; `ends` are our ends of its three streams."""

    def __init__(self, session: Session, ends: tuple[int, int, int], token: str) -> None:
        import gevent
        from gevent.event import Event

        self.pid = 0
        self._session = session
        self._stdin, out, err = ends
        self._token = token.encode()
        self._heard: Any = Event()
        self._out, self._err = bytearray(), bytearray()
        self._readers = [
            gevent.spawn(read_all, end, self._taker(to)) for end, to in ((out, self._out), (err, self._err))
        ]
        for reader in self._readers:
            reader.link(lambda _: self._heard.set())

    def begin(self, timeout: float) -> None:
        """Wait until the shell is there; raises CommandTimeout, WorkerLost."""
        self.pid = self._answer(b"", "/bin/sh", timeout).retcode

    def run(self, script: str, args: Sequence[str], stdin: bytes, timeout: float) -> Finished:
        """Run a script to its end; raises CommandTimeout, after which the shell is of no use any more."""
        self._out.clear()
        self._err.clear()
        return self._answer(_line(script, args, stdin), shlex.join(args), timeout)

    def _answer(self, line: bytes, shown: str, timeout: float) -> Finished:
        import gevent

        limit = gevent.Timeout(timeout)
        limit.start()
        try:
            self._write(line)
            while not (self._token in self._err and self._ended()):
                if any(reader.ready() for reader in self._readers):
                    raise WorkerLost("the shell on the host has ended")
                self._heard.wait()
                self._heard.clear()
        except gevent.Timeout as exc:
            if exc is not limit:
                raise
            raise CommandTimeout(shown, timeout) from None
        finally:
            limit.close()
        out, _, code = bytes(self._out).rpartition(self._token)
        return Finished(0, int(code), out, bytes(self._err).rpartition(self._token)[0])

    def close(self) -> None:
        """Let the shell end."""
        import gevent

        if self._stdin >= 0:
            os.close(self._stdin)
            self._stdin = -1
        self._session.close()
        gevent.killall(self._readers, block=False)

    def _ended(self) -> bool:
        """Return whether the token and the whole line with the exit code are there."""
        return b"\n" in self._out.rpartition(self._token)[2] if self._token in self._out else False

    def _write(self, data: bytes) -> None:
        from gevent.os import nb_write

        view = memoryview(data)
        try:
            while view:
                view = view[nb_write(self._stdin, view) :]
        except OSError as exc:
            raise WorkerLost("the shell on the host has ended") from exc

    def _taker(self, to: bytearray) -> Any:
        def take(data: bytes) -> None:
            to.extend(data)
            self._heard.set()

        return take


def start_words(token: str) -> list[str]:
    """Return the words that start the shell."""
    return ["/bin/sh", "-c", _LOOP, "sh", token]


def new_token() -> str:
    """Return what no script prints by chance."""
    return f"salt-g-{secrets.token_hex(12)}"


def can_carry(stdin: bytes) -> bool:
    """Return whether a script with this input may go through the shell."""
    return len(stdin) <= LONGEST_INPUT and b"\0" not in stdin


def _line(script: str, args: Sequence[str], stdin: bytes) -> bytes:
    text = f"set -- {shlex.join(args)}\n"
    if stdin:
        data = "".join(chr(byte) if byte in _PLAIN else f"\\0{byte:03o}" for byte in stdin)
        text += f"printf %b '{data}' | {{\n{script}\n}}"
    else:
        text += script
    return (text.replace("\\", "\\\\").replace("\n", "\\n") + "\n").encode("utf-8", "surrogateescape")
