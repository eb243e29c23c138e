"""Inotify watches on files and directories.

Called through `ctypes`, because the existing packages are unmaintained, or start their own loops and threads.
Source: inotify(7).
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterator
from typing import NamedTuple

#: {name of an inotify event or option: bit}
MASKS = {
    "access": 0x1,
    "modify": 0x2,
    "attrib": 0x4,
    "close_write": 0x8,
    "close_nowrite": 0x10,
    "open": 0x20,
    "moved_from": 0x40,
    "moved_to": 0x80,
    "create": 0x100,
    "delete": 0x200,
    "delete_self": 0x400,
    "move_self": 0x800,
    "unmount": 0x2000,
    "q_overflow": 0x4000,
    "ignored": 0x8000,
    "onlydir": 0x1000000,
    "dont_follow": 0x2000000,
    "excl_unlink": 0x4000000,
    "isdir": 0x40000000,
    "oneshot": 0x80000000,
}
USUAL = MASKS["create"] | MASKS["delete"] | MASKS["modify"]
_HEAD = struct.Struct("iIII")
#: Maximum number of bytes per read; the kernel keeps the rest.
_CHUNK = 1 << 16


class Happened(NamedTuple):
    """Inotify event: the watched `path`, the `name` of the entry in the path ('' for itself), the event bits.

    The two events of a move (`moved_from`, `moved_to`) have the same `cookie`.
    """

    path: str
    name: str
    mask: int
    cookie: int = 0

    @property
    def pathname(self) -> str:
        """Path of the file that the event is about."""
        return os.path.join(self.path, self.name) if self.name else self.path

    @property
    def maskname(self) -> str:
        """Event bits by name, as in `IN_CREATE|IN_ISDIR`."""
        return "|".join(f"IN_{name.upper()}" for name, bit in MASKS.items() if self.mask & bit)


class Watches:
    """Set of inotify watches; `close` ends them."""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._descriptor = _checked(self._libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
        self.paths: dict[int, str] = {}

    def add(self, path: str, mask: int) -> None:
        """Watch a path, or change the events of its watch; raises OSError."""
        number = _checked(self._libc.inotify_add_watch(self._descriptor, os.fsencode(path), mask))
        self.paths[number] = path

    def read(self) -> Iterator[Happened]:
        """Yield pending events; never waits."""
        while True:
            try:
                data = os.read(self._descriptor, _CHUNK)
            except BlockingIOError:
                return
            yield from self._parsed(data)

    def close(self) -> None:
        """Stop watching."""
        os.close(self._descriptor)
        self.paths.clear()

    def _parsed(self, data: bytes) -> Iterator[Happened]:
        place = 0
        while place < len(data):
            number, mask, cookie, length = _HEAD.unpack_from(data, place)
            place += _HEAD.size
            name = data[place : place + length].rstrip(b"\0")
            place += length
            path = self.paths.get(number, "")
            if mask & MASKS["ignored"]:
                # The path was removed, and its number may be reused.
                self.paths.pop(number, None)
            elif path:
                yield Happened(path, os.fsdecode(name), mask, cookie)


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
