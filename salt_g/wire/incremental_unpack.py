"""Incremental unpacking of messages, with limits on their content.

msgpack holds the interpreter's lock while it unpacks, so large messages are unpacked in small steps.
Nested maps and lists have no common bound except the one counted here.
Units: bytes; entries of maps and lists.
Errors: ValueError for a message above the limits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgpack

#: Bytes unpacked at once (no other thread runs meanwhile): some 5 ms for the smallest entries.
PIECE = 16 * 1024
#: Weight of a map entry relative to a list entry: its key and its slot.
KEYED = 4


class MessageLimits(NamedTuple):
    """Limits of one message: bytes, nesting levels, entries of a single map or list, entries in total.

    In `total` an entry of a map counts four times.

    `containers` bounds the number of maps and lists, because an empty one is a single byte on the wire, but
    costs ten times as much as a number whenever it is read, written, traversed or freed.
    """

    size: int
    depth: int
    entries: int
    total: int = 4_000_000
    containers: int = 4_000_000


class IncrementalUnpacker:
    """Unpacker that feeds a message to msgpack in pieces, so that other threads can run in between."""

    def __init__(self, data: bytes, **options: Any) -> None:
        self.unpacker = msgpack.Unpacker(None, max_buffer_size=max(1, len(data)), **options)
        self.unpacker.feed(data[:PIECE])
        self._rest = memoryview(data)[PIECE:]

    def read(self, step: Callable[[], Any]) -> Any:
        """Call a method of the unpacker, feeding it pieces until it succeeds, and return its result."""
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
        """Whether all data has been fed to the unpacker."""
        return not self._rest


class Count:
    """Counter of the entries and containers of a message, at all nesting levels together."""

    def __init__(self, limits: MessageLimits) -> None:
        self._left = limits.total
        self._containers = limits.containers

    def __call__(self, container: Any) -> Any:
        """Count a map or list and return it unchanged; raises ValueError when the total exceeds a limit."""
        self.take(len(container) * (KEYED if type(container) is dict else 1))
        return container

    def take(self, entries: int) -> None:
        """Count a map or list of this many entries; raises ValueError when the total exceeds a limit."""
        self._left -= 1 + entries
        self._containers -= 1
        if self._left < 0:
            raise ValueError("it holds more entries than one message may")
        if self._containers < 0:
            raise ValueError("it holds more maps and lists than one message may")
