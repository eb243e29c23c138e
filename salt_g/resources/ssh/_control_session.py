"""Output of the control session: the message that the connection is up, then the output of the first shell.

The first persistent shell of a host runs in this session, which saves a login.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from salt_g.resources.ssh._program import READY
from salt_g.resources.ssh._remote_shell import Take
from salt_g.resources.ssh._streams import read_all

#: Number of bytes of a profile's output that are kept while the ready line is awaited.
_LONGEST_LINE = 1 << 16


class HeldStreams:
    """Streams of the control session; they stay open when a shell in it ends."""

    def __init__(self, stdin: int, take_out: Take, take_err: Take) -> None:
        self.stdin = stdin
        self._takes = (take_out, take_err)
        self._readers: list[Any] = []

    @property
    def are_open(self) -> bool:
        """Whether the connection is up."""
        return not any(reader.ready() for reader in self._readers)

    def read(self, out: int, err: int) -> Any:
        """Start reading; return the greenlet that reads standard output."""
        from salt_g.process.supervisor import LoggedGreenlets

        greenlets = LoggedGreenlets("ssh control session", limit=2)
        self._readers = [
            greenlets.spawn(read_all, out, lambda data: self._takes[0](data), name="stdout"),
            greenlets.spawn(read_all, err, lambda data: self._takes[1](data), name="stderr"),
        ]
        return self._readers[0]

    def begin(self, take_out: Take, take_err: Take) -> Sequence[Any]:
        """Pass further output to these consumers; return the greenlets that read."""
        self._takes = (take_out, take_err)
        return self._readers

    def close(self) -> None:
        """Discard further output."""
        self._takes = (_ignore, _ignore)


def _ignore(data: bytes) -> bool:
    """Discard output without a consumer."""
    return True


class Lines:
    """Parser that finds the ready line in the control session's output, after the output of the profile."""

    def __init__(self, ready: Any) -> None:
        self.shell: str | None = None
        self._ready = ready
        self._data = b""

    @property
    def before(self) -> str:
        """The last output that arrived instead of the ready line."""
        return self._data.decode("utf-8", "replace")

    def take(self, data: bytes) -> bool:
        """Search output for the ready line; return True, as all output is accepted."""
        if self.shell is not None:
            return True
        self._data = self._data[-_LONGEST_LINE:] + data
        _, mark, rest = self._data.rpartition(READY.encode())
        if mark and b"\n" in rest:
            self.shell = rest.partition(b"\n")[0].decode("utf-8", "replace").strip()
            self._ready.set()
        return True
