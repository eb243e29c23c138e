"""Read a message piece by piece, and count what it holds meanwhile.

Why its own file: msgpack lets no other thread run while it reads, so whoever reads what is large takes
small steps; and nested maps and lists have no common bound but the one that is counted here.
Units: bytes; entries of maps and lists.
Errors: ValueError for a message that holds too much.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgpack

#: Bytes that are read at once (no other thread runs meanwhile): of the smallest entries some 5 ms.
PIECE = 16 * 1024
#: What an entry of a map counts for, next to one of a list: its key and its place.
KEYED = 4


class Limits(NamedTuple):
    """How much one message may hold: bytes, levels of nesting, entries of one map or list, and of all.

    In `total` an entry of a map counts four times.

    `containers` bounds the maps and lists by themselves: an empty one is a byte on the wire, and costs
    ten times what a number does whenever it is read, written, looked through or let go.
    """

    size: int
    depth: int
    entries: int
    total: int = 4_000_000
    containers: int = 4_000_000


class IncrementalUnpacker:
    """Reads a message piece by piece: msgpack lets no other thread run while it reads one."""

    def __init__(self, data: bytes, **options: Any) -> None:
        self.unpacker = msgpack.Unpacker(None, max_buffer_size=max(1, len(data)), **options)
        self.unpacker.feed(data[:PIECE])
        self._rest = memoryview(data)[PIECE:]

    def read(self, step: Callable[[], Any]) -> Any:
        """Return what a method of the unpacker returns; it goes on where a piece ended."""
        while True:
            try:
                return step()
            except msgpack.OutOfData:
                if not self._rest:
                    raise
                self.unpacker.feed(self._rest[:PIECE])
                self._rest = self._rest[PIECE:]

    @property
    def is_done(self) -> bool:
        """Whether nothing is left but what was fed."""
        return not self._rest


class Count:
    """Counts what a message holds while it is read: nested maps and lists have no common bound."""

    def __init__(self, limits: Limits) -> None:
        self._left = limits.total
        self._containers = limits.containers

    def __call__(self, container: Any) -> Any:
        """Return a map or list as it is; raises ValueError when all together hold too much."""
        self.take(len(container) * (KEYED if type(container) is dict else 1))
        return container

    def take(self, entries: int) -> None:
        """Count a map or list of so many entries; raises ValueError when all together hold too much."""
        self._left -= 1 + entries
        self._containers -= 1
        if self._left < 0:
            raise ValueError("it holds more entries than one message may")
        if self._containers < 0:
            raise ValueError("it holds more maps and lists than one message may")
