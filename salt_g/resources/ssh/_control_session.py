"""What comes over the session that holds a connection: first that it stands, then what the shell there says.

Why its own file: the first shell that stays on a host runs in this session, which spares it a login.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from salt_g.resources.ssh._program import READY
from salt_g.resources.ssh._remote_shell import Take
from salt_g.resources.ssh._streams import read_all

#: What is kept of a profile's words while the line is looked for (bytes).
_LONGEST_LINE = 1 << 16


class HeldStreams:
    """The streams of the session that holds the connection; they stay open when a shell behind them ends."""

    def __init__(self, stdin: int, take_out: Take, take_err: Take) -> None:
        self.stdin = stdin
        self._takes = (take_out, take_err)
        self._readers: list[Any] = []

    @property
    def are_open(self) -> bool:
        """Whether the connection stands."""
        return not any(reader.ready() for reader in self._readers)

    def read(self, out: int, err: int) -> Any:
        """Begin to read; return the greenlet that reads the output."""
        import gevent

        self._readers = [
            gevent.spawn(read_all, out, lambda data: self._takes[0](data)),
            gevent.spawn(read_all, err, lambda data: self._takes[1](data)),
        ]
        return self._readers[0]

    def begin(self, take_out: Take, take_err: Take) -> Sequence[Any]:
        """Give what comes from now on to these."""
        self._takes = (take_out, take_err)
        return self._readers

    def close(self) -> None:
        """Listen no more."""
        self._takes = (_ignore, _ignore)


def _ignore(data: bytes) -> bool:
    """Take what nobody waits for."""
    return True


class Lines:
    """What the holding session prints: anything of the user's profile, then that it is ready."""

    def __init__(self, ready: Any) -> None:
        self.shell: str | None = None
        self._ready = ready
        self._data = b""

    def take(self, data: bytes) -> bool:
        """Look for the line that says so."""
        if self.shell is not None:
            return True
        self._data = self._data[-_LONGEST_LINE:] + data
        _, mark, rest = self._data.rpartition(READY.encode())
        if mark and b"\n" in rest:
            self.shell = rest.partition(b"\n")[0].decode("utf-8", "replace").strip()
            self._ready.set()
        return True
