"""Non-blocking reads and writes of pipes, with a limit on the kept output.

The ends of a session's pipes are plain file descriptors, each read or written by one greenlet.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from salt_g.errors import CommandExecutionError

#: Maximum number of bytes per read or write.
_CHUNK = 1 << 16
#: Maximum output of a host on one stream (bytes); a return cannot carry more.
LONGEST_OUTPUT = 64 << 20


class BoundedOutput:
    """Output of one stream, up to the limit."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.is_full = False

    def take(self, data: bytes) -> bool:
        """Store a chunk of output; return whether more is accepted."""
        self.is_full = self.is_full or len(self.data) + len(data) > LONGEST_OUTPUT
        if not self.is_full:
            self.data.extend(data)
        return not self.is_full

    def check(self, place: str) -> None:
        """Raise CommandExecutionError if a host exceeded the limit."""
        if self.is_full:
            raise CommandExecutionError(
                f"{place} printed more than {LONGEST_OUTPUT >> 20} MiB, so the command was terminated;"
                " redirect its output to a file on the host"
            )


def pipe_to_read() -> tuple[int, int]:
    """Return (our non-blocking end for reading, the end to pass on) of a new pipe."""
    return _pipe(ours=0)


def pipe_to_write() -> tuple[int, int]:
    """Return (our non-blocking end for writing, the end to pass on) of a new pipe."""
    return _pipe(ours=1)


def read_all(descriptor: int, take: Callable[[bytes], bool]) -> None:
    """Pass output to `take`, until the peer closes or `take` returns False; closes our end."""
    from gevent.os import nb_read

    try:
        while (data := nb_read(descriptor, _CHUNK)) and take(data):
            pass
    finally:
        os.close(descriptor)


def write_all(descriptor: int, data: bytes) -> None:
    """Write data and close our end; the peer may stop reading early."""
    from gevent.os import nb_write

    view = memoryview(data)
    try:
        while view:
            view = view[nb_write(descriptor, view[:_CHUNK]) :]
    except BrokenPipeError:
        pass
    finally:
        os.close(descriptor)


def _pipe(*, ours: int) -> tuple[int, int]:
    ends = os.pipe()
    os.set_blocking(ends[ours], False)
    return ends[ours], ends[1 - ours]
