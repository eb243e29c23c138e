"""Persistent remote shell, which runs scripts and commands one after another without a login for each.

A session costs the host a login shell with its whole profile, often more than the command itself. Everything
that needs no terminal and has little input goes through this shell.

Shapes: a script is one line, with its line ends and backslashes escaped. Its output ends with a token on both
streams, with the exit code on standard output. The start is marked with a token and the pid in the same way,
so that a profile's output is ignored. Commands of a user run isolated: in a session of the host's kernel
(setsid), so that they can be killed with all their descendants, and with separate pipes, so that background
processes cannot write into the output of later commands. A second token marks the end of such a command; text
between the two tokens was written by its background processes.
Units: seconds.
Errors: RemoteShellLost when the shell has ended; the result of the running script is then unknown.
CommandExecutionError on too much output.
"""

from __future__ import annotations

import os
import secrets
import shlex
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from salt_g.errors import CommandTimeout, SaltGError
from salt_g.process.command import Finished
from salt_g.resources.ssh._mux import Session
from salt_g.resources.ssh._sessions import DRAINING, MARK, after_mark
from salt_g.resources.ssh._streams import BoundedOutput, read_all

#: Loop that runs each script in a subshell of the persistent shell. SUDO_COMMAND is unset because `sudo` puts
#: the token into it, and a command that prints its environment would end its own output. The first exit code
#: shows whether commands can run isolated.
_LOOP = r"""
unset SUDO_COMMAND
command -v setsid >/dev/null && command -v cat >/dev/null
printf '%s %s %s\n' "$1" "$?" "$$"
printf '%s\n' "$1" >&2
while IFS= read -r line; do
    ( eval "$(printf %b "$line")" ) </dev/null
    printf '%s %s\n' "$1" "$?"
    printf '%s\n' "$1" >&2
done
"""
#: Runs an isolated command. The numbers are streams: stream 3 carries the output past the pipe of standard
#: error.
_APART = r"""
{ { %s( exec setsid /bin/sh -c 'printf "%s%%s\n" "$$"; exec "$@"' sh %s%s ) 3>&-
printf '%s %%s\n' "$?"; printf '%s\n' >&2; } 2>&1 >&3 | cat >&2; } 3>&1 | cat
"""
#: Maximum size of the input and words that the shell is given (bytes): a command with more gets a separate
#: session, because the shell reads byte by byte.
LONGEST_INPUT = 16 << 10
_PLAIN = frozenset(
    b'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ,./:=+@^_#-{}[]()<>;&|$*?!~"`%'
)


#: Consumer of a stream, called with each piece; returns whether it accepts more.
Take = Callable[[bytes], bool]


class RemoteShellLost(SaltGError):
    """Remote shell that has ended."""


class RemoteShell:
    """Persistent shell on a host, connected by `streams`; `token` marks the end of each script's output."""

    def __init__(self, streams: Streams, token: str, place: str) -> None:
        from gevent.event import Event

        self.pid = 0
        #: Whether the shell can run commands isolated.
        self.has_rooms = False
        #: Whether all commands of the shell have ended, so that it can accept another.
        self.is_free = False
        self._streams = streams
        self._place = place
        self._token, self._done = token.encode(), new_token().encode()
        self._over = over(token).encode()
        self._has_output: Any = Event()
        self._out, self._err = _SearchedOutput(), _SearchedOutput()
        for reader in streams.begin(self._taker(self._out), self._taker(self._err)):
            reader.link(lambda _: self._has_output.set())

    @property
    def is_there(self) -> bool:
        """Whether the shell is still running, as far as is known."""
        return self._streams.are_open and not self._out.data.endswith(self._over)

    def begin(self, timeout: float) -> None:
        """Wait until the shell is ready; raises CommandTimeout, RemoteShellLost."""
        self._wait(self._token, timeout, "/bin/sh")
        _, said, _ = self._out.split(self._token)
        code, pid = said.split()
        self.has_rooms, self.pid, self.is_free = code == b"0", int(pid), True

    def run(self, script: str, args: Sequence[str], stdin: bytes, timeout: float) -> Finished:
        """Run an internal script to its end; raises CommandTimeout, after which the shell is still busy."""
        self._begin(_line(script, args, stdin))
        self._wait(self._token, timeout, shlex.join(args))
        self.is_free = True
        out, code, _ = self._out.split(self._token)
        return Finished(0, int(code), out, self._err.split(self._token)[0])

    def command(self, argv: Sequence[str], stdin: bytes, timeout: float | None, *, merge: bool) -> Finished:
        """Run a user's command; raises CommandTimeout. Its background processes may keep the shell busy."""
        self._begin(_line(_apart(argv, stdin, self._done.decode(), merge=merge), (), b""))
        self._wait(self._done, timeout, shlex.join(argv))
        try:
            self._wait(self._token, DRAINING, "")
            self.is_free = True
        except CommandTimeout:
            pass
        out, code, late = self._out.split(self._done)
        err, _, late_err = self._err.split(self._done)
        pid, out = after_mark(out + late.partition(self._token)[0])
        return Finished(pid, int(code), out, err + late_err.partition(self._token)[0])

    @property
    def under_way(self) -> int:
        """Pid of the running command, or of the shell while it runs a script; 0 if idle."""
        if self.is_free:
            return 0
        return after_mark(bytes(self._out.data[:200]))[0] or self.pid

    def close(self) -> None:
        """End the shell."""
        self._streams.close()

    def _begin(self, line: bytes) -> None:
        self.is_free = False
        self._out.clear()
        self._err.clear()
        self._write(line)

    def _wait(self, token: bytes, timeout: float | None, shown: str) -> None:
        """Wait for a token on both streams; raises CommandTimeout, RemoteShellLost, CommandExecutionError."""
        import gevent

        limit = gevent.Timeout(timeout)
        limit.start()
        try:
            while not (self._out.has(token) and self._err.has(token)):
                if not self.is_there:
                    raise RemoteShellLost("the shell on the host has ended")
                self._has_output.wait()
                self._has_output.clear()
                for stream in (self._out, self._err):
                    stream.check(self._place)
        except gevent.Timeout as exc:
            if exc is not limit:
                raise
            raise CommandTimeout(shown, timeout or 0) from None
        finally:
            limit.close()

    def _write(self, data: bytes) -> None:
        from gevent.os import nb_write

        view = memoryview(data)
        try:
            while view:
                view = view[nb_write(self._streams.stdin, view) :]
        except OSError as exc:
            raise RemoteShellLost("the shell on the host has ended") from exc

    def _taker(self, to: _SearchedOutput) -> Take:
        def take(data: bytes) -> bool:
            # Keep reading beyond the limit, because the stream may belong to the control session, which must
            # stay open.
            to.take(data)
            self._has_output.set()
            return True

        return take


class Streams(Protocol):
    """Streams of a shell; `stdin` is a file descriptor."""

    stdin: int

    @property
    def are_open(self) -> bool:
        """Whether more output may arrive."""

    def begin(self, take_out: Take, take_err: Take) -> Sequence[Any]:
        """Pass output to these consumers; return the greenlets that end with the output."""

    def close(self) -> None:
        """Release the shell."""


class OwnStreams:
    """Streams of a separate session; `ends` are our ends of its pipes."""

    def __init__(self, session: Session, ends: tuple[int, int, int]) -> None:
        self._session = session
        self.stdin, self._out, self._err = ends
        self._readers: list[Any] = []

    @property
    def are_open(self) -> bool:
        """Whether more output may arrive."""
        return not any(reader.ready() for reader in self._readers)

    def begin(self, take_out: Take, take_err: Take) -> Sequence[Any]:
        """Pass output to these consumers; return the greenlets that read."""
        from salt_g.process.supervisor import LoggedGreenlets

        greenlets = LoggedGreenlets("ssh shell", limit=2)
        self._readers = [
            greenlets.spawn(read_all, self._out, take_out, name="stdout"),
            greenlets.spawn(read_all, self._err, take_err, name="stderr"),
        ]
        return self._readers

    def close(self) -> None:
        """Close the streams and the session."""
        import gevent

        if self.stdin >= 0:
            os.close(self.stdin)
            self.stdin = -1
        self._session.close()
        gevent.killall(self._readers, block=False)


class _SearchedOutput(BoundedOutput):
    """Output of one stream; searching it for a token takes linear time."""

    def __init__(self) -> None:
        super().__init__()
        self._from = 0

    def clear(self) -> None:
        """Discard the output."""
        self.data.clear()
        self.is_full = False
        self._from = 0

    def has(self, token: bytes) -> bool:
        """Return whether a token has arrived, with the rest of its line."""
        at = self.data.find(token, self._from)
        self._from = at if at >= 0 else max(0, len(self.data) - len(token))
        return at >= 0 and self.data.find(b"\n", at) >= 0

    def split(self, token: bytes) -> tuple[bytes, bytes, bytes]:
        """Return (output before a token, the rest of its line, output after that line)."""
        before, _, rest = bytes(self.data).partition(token)
        line, _, after = rest.partition(b"\n")
        return before, line, after


def start_words(token: str) -> list[str]:
    """Return the command line of the shell."""
    return ["/bin/sh", "-c", _LOOP, "sh", token]


def over(token: str) -> str:
    """Return the line that marks the end of a shell inside a session that continues."""
    return f"over-{token}\n"


def start_line(words: Sequence[str], token: str) -> bytes:
    """Return the line that starts the shell in a waiting session."""
    return _escaped(f"{shlex.join(words)}\necho over-{token}")


def new_token() -> str:
    """Return a token that no script prints by chance."""
    return f"salt-g-{secrets.token_hex(12)}"


def can_carry(stdin: bytes, words: Sequence[str] = ()) -> bool:
    """Return whether the shell can run a script with this input, or a command with these words."""
    return len(stdin) + sum(map(len, words)) <= LONGEST_INPUT and b"\0" not in stdin


def _apart(argv: Sequence[str], stdin: bytes, done: str, *, merge: bool) -> str:
    given = f"printf %b '{octal(stdin)}' | " if stdin else ""
    return _APART % (given, MARK, shlex.join(argv), " 2>&1" if merge else "", done, done)


def _line(script: str, args: Sequence[str], stdin: bytes) -> bytes:
    text = f"set -- {shlex.join(args)}\n"
    text += f"printf %b '{octal(stdin)}' | {{\n{script}\n}}" if stdin else script
    return _escaped(text)


def _escaped(text: str) -> bytes:
    return (text.replace("\\", "\\\\").replace("\n", "\\n") + "\n").encode("utf-8", "surrogateescape")


def octal(data: bytes) -> str:
    """Return bytes escaped for `printf %b` in single quotes; bytes outside `_PLAIN` become octal escapes."""
    return "".join(chr(byte) if byte in _PLAIN else f"\\0{byte:03o}" for byte in data)
