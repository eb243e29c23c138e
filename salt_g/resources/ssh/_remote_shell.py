"""A shell that stays on a host: scripts and commands one after another, without a login for each.

Why its own file: a session costs the host a login shell with all that its profile does, often more than
the command itself. Whatever needs no terminal and reads little goes through this shell.
Shapes: a script is one line, with its line ends and backslashes escaped; after what it prints comes a token
on both streams, with the exit code on the first. So it begins as well, with the number of the process: what a
profile prints is no output. Commands of a user run apart: in a session of the host's kernel (setsid), so that
they can be ended with all that they started, and with pipes of their own, so that what they leave behind
cannot speak into the answers of others. A second token tells that such a command has ended; what comes
between the two was said by something it left behind.
Units: seconds.
Errors: WorkerLost when the shell has ended; nothing is known then of the script under way.
CommandExecutionError when what runs says too much.
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

#: Each script runs in a shell of its own, forked from the one that stays. The first code is that of the
#: question whether commands can be run apart.
_LOOP = r"""
command -v setsid >/dev/null && command -v cat >/dev/null
printf '%s %s %s\n' "$1" "$?" "$$"
printf '%s\n' "$1" >&2
while IFS= read -r line; do
    ( eval "$(printf %b "$line")" ) </dev/null
    printf '%s %s\n' "$1" "$?"
    printf '%s\n' "$1" >&2
done
"""
#: The numbers are streams: 3 is the way of the output past the pipe of what is said on standard error.
_APART = r"""
{ { %s( exec setsid /bin/sh -c 'printf "%s%%s\n" "$$"; exec "$@"' sh %s%s ) 3>&-
printf '%s %%s\n' "$?"; printf '%s\n' >&2; } 2>&1 >&3 | cat >&2; } 3>&1 | cat
"""
#: More than this goes through a session of its own (bytes): the shell reads its scripts byte by byte.
LONGEST_INPUT = 16 << 10
_PLAIN = frozenset(
    b'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ,./:=+@^_#-{}[]()<>;&|$*?!~"`%'
)


#: Gets what comes on a stream, piece by piece; returns whether it takes more.
Take = Callable[[bytes], bool]


class RemoteShellLost(SaltGError):
    """The shell has ended."""


class RemoteShell:
    """The shell that stays on a host, behind `streams`; `token` ends each answer."""

    def __init__(self, streams: Streams, token: str, place: str) -> None:
        from gevent.event import Event

        self.pid = 0
        #: Whether it can run commands apart.
        self.has_rooms = False
        #: Whether it has ended all that it was given, and can take more.
        self.is_free = False
        self._streams = streams
        self._place = place
        self._token, self._done = token.encode(), new_token().encode()
        self._over = over(token).encode()
        self._heard: Any = Event()
        self._out, self._err = _Heard(), _Heard()
        for reader in streams.begin(self._taker(self._out), self._taker(self._err)):
            reader.link(lambda _: self._heard.set())

    @property
    def is_there(self) -> bool:
        """Whether the shell still stands, as far as is known."""
        return self._streams.are_open and not self._out.data.endswith(self._over)

    def begin(self, timeout: float) -> None:
        """Wait until the shell is there; raises CommandTimeout, WorkerLost."""
        self._wait(self._token, timeout, "/bin/sh")
        _, said, _ = self._out.split(self._token)
        code, pid = said.split()
        self.has_rooms, self.pid, self.is_free = code == b"0", int(pid), True

    def run(self, script: str, args: Sequence[str], stdin: bytes, timeout: float) -> Finished:
        """Run a script of ours to its end; raises CommandTimeout, after which the shell is not free."""
        self._begin(_line(script, args, stdin))
        self._wait(self._token, timeout, shlex.join(args))
        self.is_free = True
        out, code, _ = self._out.split(self._token)
        return Finished(0, int(code), out, self._err.split(self._token)[0])

    def command(self, argv: Sequence[str], stdin: bytes, timeout: float | None, *, merge: bool) -> Finished:
        """Run the words of a user; raises CommandTimeout. What they left behind may keep the shell busy."""
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
        """The number of the command that runs, of the shell itself where it runs a script, 0 for neither."""
        if self.is_free:
            return 0
        return after_mark(bytes(self._out.data[:200]))[0] or self.pid

    def close(self) -> None:
        """Let the shell end."""
        self._streams.close()

    def _begin(self, line: bytes) -> None:
        self.is_free = False
        self._out.clear()
        self._err.clear()
        self._write(line)

    def _wait(self, token: bytes, timeout: float | None, shown: str) -> None:
        """Wait for a token on both streams, and not for what comes without end."""
        import gevent

        limit = gevent.Timeout(timeout)
        limit.start()
        try:
            while not (self._out.has(token) and self._err.has(token)):
                if not self.is_there:
                    raise RemoteShellLost("the shell on the host has ended")
                self._heard.wait()
                self._heard.clear()
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

    def _taker(self, to: _Heard) -> Take:
        def take(data: bytes) -> bool:
            # What is too much is read all the same: the stream may be that of the connection.
            to.take(data)
            self._heard.set()
            return True

        return take


class Streams(Protocol):
    """The way to a shell and back; `stdin` is a file descriptor."""

    stdin: int

    @property
    def are_open(self) -> bool:
        """Whether more may come."""

    def begin(self, take_out: Take, take_err: Take) -> Sequence[Any]:
        """Give what comes to these; return the greenlets that end when no more will come."""

    def close(self) -> None:
        """Let go of the shell."""


class OwnStreams:
    """The streams of a session; `ends` are our ends of them."""

    def __init__(self, session: Session, ends: tuple[int, int, int]) -> None:
        self._session = session
        self.stdin, self._out, self._err = ends
        self._readers: list[Any] = []

    @property
    def are_open(self) -> bool:
        """Whether more may come."""
        return not any(reader.ready() for reader in self._readers)

    def begin(self, take_out: Take, take_err: Take) -> Sequence[Any]:
        """Give what comes to these; return the greenlets that read."""
        import gevent

        ends = ((self._out, take_out), (self._err, take_err))
        self._readers = [gevent.spawn(read_all, end, take) for end, take in ends]
        return self._readers

    def close(self) -> None:
        """Close all of them, and the session."""
        import gevent

        if self.stdin >= 0:
            os.close(self.stdin)
            self.stdin = -1
        self._session.close()
        gevent.killall(self._readers, block=False)


class _Heard(BoundedOutput):
    """What came on one stream; each byte is looked at once for a token, however much it is."""

    def __init__(self) -> None:
        super().__init__()
        self._from = 0

    def clear(self) -> None:
        """Forget what came."""
        self.data.clear()
        self.is_full = False
        self._from = 0

    def has(self, token: bytes) -> bool:
        """Return whether a token is there, with the rest of its line."""
        at = self.data.find(token, self._from)
        self._from = at if at >= 0 else max(0, len(self.data) - len(token))
        return at >= 0 and self.data.find(b"\n", at) >= 0

    def split(self, token: bytes) -> tuple[bytes, bytes, bytes]:
        """Return (what came before a token, the rest of its line, what came after that)."""
        before, _, rest = bytes(self.data).partition(token)
        line, _, after = rest.partition(b"\n")
        return before, line, after


def start_words(token: str) -> list[str]:
    """Return the words that start the shell."""
    return ["/bin/sh", "-c", _LOOP, "sh", token]


def over(token: str) -> str:
    """Return the line that says that a shell has ended, where it is not the last of its session."""
    return f"over-{token}\n"


def start_line(words: Sequence[str], token: str) -> bytes:
    """Return the line that has a waiting session run the shell."""
    return _escaped(f"{shlex.join(words)}\necho over-{token}")


def new_token() -> str:
    """Return what no script prints by chance."""
    return f"salt-g-{secrets.token_hex(12)}"


def can_carry(stdin: bytes, words: Sequence[str] = ()) -> bool:
    """Return whether a script with this input, or a command of these words, may go through the shell."""
    return len(stdin) + sum(map(len, words)) <= LONGEST_INPUT and b"\0" not in stdin


def _apart(argv: Sequence[str], stdin: bytes, done: str, *, merge: bool) -> str:
    given = f"printf %b '{_octal(stdin)}' | " if stdin else ""
    return _APART % (given, MARK, shlex.join(argv), " 2>&1" if merge else "", done, done)


def _line(script: str, args: Sequence[str], stdin: bytes) -> bytes:
    text = f"set -- {shlex.join(args)}\n"
    text += f"printf %b '{_octal(stdin)}' | {{\n{script}\n}}" if stdin else script
    return _escaped(text)


def _escaped(text: str) -> bytes:
    return (text.replace("\\", "\\\\").replace("\n", "\\n") + "\n").encode("utf-8", "surrogateescape")


def _octal(data: bytes) -> str:
    """Return bytes as `printf %b` reads them, and as stand between single quotes."""
    return "".join(chr(byte) if byte in _PLAIN else f"\\0{byte:03o}" for byte in data)
