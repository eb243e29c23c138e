"""Read and write pipes without stopping the hub.

Why its own file: the ends of pipes that a session gave us are plain file descriptors; each greenlet waits
for its own.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

#: Bytes at once.
_CHUNK = 1 << 16


def pipe_to_read() -> tuple[int, int]:
    """Return (our end, which reads, the end to hand over)."""
    return _pipe(ours=0)


def pipe_to_write() -> tuple[int, int]:
    """Return (our end, which writes, the end to hand over)."""
    return _pipe(ours=1)


def read_all(descriptor: int, take: Callable[[bytes], Any]) -> None:
    """Give all that comes to `take`, until the other side has closed; closes our end."""
    from gevent.os import nb_read

    try:
        while data := nb_read(descriptor, _CHUNK):
            take(data)
    finally:
        os.close(descriptor)


def write_all(descriptor: int, data: bytes) -> None:
    """Write data and close our end; who does not want to read it need not."""
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
