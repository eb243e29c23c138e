"""Frames on the socket between our command line and our master.

Both ends use this file, with plain sockets in the client and greenlets in the master.
Shapes: four bytes length (big endian), then a map in bus form. To the master {"n": int, "load": {...}}, {"n",
"follow": [[tag, match type], ...]}, {"leave": [[tag, match type], ...]} (no reply) or {"n", "fire": [tag,
data]}; with a load, `"following": true` subscribes to the events of the job or call in the reply. From the
master: {"n", "reply": value}, {"n", "error": text} or {"event": body of an event}.
Errors: WireError for a frame that is too large or not a map.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from salt_g.errors import WireError
from salt_g.wire.packing import AFTER_SIGN_IN, MessageLimits, pack_bus, unpack

if TYPE_CHECKING:
    from salt_g.shapes.loads import Load

#: Name of the socket in `sock_dir`.
SOCKET = "salt_g.ipc"
#: Maximum frame size (bytes), large enough for `salt-g cp` and large returns.
MAX_FRAME = AFTER_SIGN_IN.size
_LENGTH = struct.Struct(">I")
#: Nesting levels that an answer adds to the return of a minion.
_ADDED_LEVELS = 16
#: Reader of a frame's content; it raises WireError for invalid content.
Read = Callable[[bytes, MessageLimits], Any]


def frame(message: Mapping[str, Any]) -> bytes:
    """Return a message as a frame."""
    packed = pack_bus(message)
    if len(packed) > MAX_FRAME:
        raise WireError(
            f"a message of {len(packed)} bytes is too large for the master; the limit is {MAX_FRAME}"
        )
    return _LENGTH.pack(len(packed)) + packed


class FrameCutter:
    """Splitter of a byte stream into messages."""

    def __init__(self, *, max_frame: int = MAX_FRAME, read: Read = unpack) -> None:
        """Create a splitter; a server's `read` yields to the hub, and may turn a WireError into a message."""
        depth = AFTER_SIGN_IN.depth + _ADDED_LEVELS
        self._limits = MessageLimits(max_frame, depth, AFTER_SIGN_IN.entries)
        self._read = read
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Load]:
        """Add bytes and yield the messages now complete; after a WireError the stream is unusable."""
        buffer = self._buffer
        buffer += data
        while len(buffer) >= _LENGTH.size:
            size = _LENGTH.unpack_from(buffer)[0]
            if size > self._limits.size:
                raise WireError(f"a frame has {size} bytes; the limit is {self._limits.size}")
            end = _LENGTH.size + size
            if len(buffer) < end:
                return
            content = bytes(buffer[_LENGTH.size : end])
            del buffer[:end]
            message = self._read(content, self._limits)
            if not isinstance(message, dict):
                raise WireError("a frame is not a map")
            yield message
