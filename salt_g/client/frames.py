"""Frames of the socket between our command line and our master.

Why its own file: both ends cut and make them, with plain sockets here and greenlets there.
Shapes: four bytes length (big endian), then a map in bus form. To the master {"n": int, "load": {...}},
{"n", "follow": [[tag, way], ...]}, {"leave": [[tag, way], ...]} (no answer) or {"n", "fire": [tag, data]};
with a load, `"following": true` follows what the reply names. Back {"n", "reply": value},
{"n", "error": text} or {"event": body of an event}.
Errors: WireError for a frame that is too large or no map.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.errors import WireError
from salt_g.wire.packing import AFTER_SIGN_IN, Limits, pack_bus, unpack

#: Name of the socket in `sock_dir`.
SOCKET = "salt_g.ipc"
#: Largest frame (bytes): what `salt-g cp` sends, and the return of a large function.
MAX_FRAME = AFTER_SIGN_IN.size
_LENGTH = struct.Struct(">I")


def frame(message: Mapping[str, Any]) -> bytes:
    """Return a message as it is sent."""
    packed = pack_bus(message)
    if len(packed) > MAX_FRAME:
        raise WireError(
            f"a message of {len(packed)} bytes is too large for the master, allowed are {MAX_FRAME}"
        )
    return _LENGTH.pack(len(packed)) + packed


class FrameCutter:
    """Cuts a stream of bytes into messages."""

    def __init__(self, *, max_frame: int = MAX_FRAME) -> None:
        self._limits = Limits(max_frame, AFTER_SIGN_IN.depth, AFTER_SIGN_IN.entries)
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[dict[str, Any]]:
        """Take bytes and yield the messages that are complete now; after a WireError no more can be read."""
        buffer = self._buffer
        buffer += data
        while len(buffer) >= _LENGTH.size:
            size = _LENGTH.unpack_from(buffer)[0]
            if size > self._limits.size:
                raise WireError(f"a frame of {size} bytes, allowed are {self._limits.size}")
            end = _LENGTH.size + size
            if len(buffer) < end:
                return
            message = unpack(bytes(buffer[_LENGTH.size : end]), self._limits)
            del buffer[:end]
            if not isinstance(message, dict):
                raise WireError("a frame is no map")
            yield message
