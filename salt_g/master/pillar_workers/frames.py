"""Frames on the socket pair of a pillar worker, and the values in them.

The master writes what it has itself (settings, requests) in Python's own form, which keeps every type. A
worker answers in msgpack, so that reading an answer cannot run code.
Shapes: a frame is four bytes of length and its data; an answer is [number of the request, pillar or None].
Errors: ValueError for values that msgpack does not have; OSError from a closed socket.
"""

from __future__ import annotations

import struct
from typing import Any

import msgpack

_LENGTH = struct.Struct("!I")
#: Largest frame (bytes): as much as fits into a message to a minion, several times.
LARGEST = 256 * 1024 * 1024


def send(socket: Any, data: bytes) -> None:
    """Send one frame; only one greenlet may send at a time."""
    if len(data) > LARGEST:
        raise ValueError(f"a frame of {len(data)} bytes, allowed are {LARGEST}")
    socket.sendall(_LENGTH.pack(len(data)) + data)


def receive(socket: Any) -> bytes | None:
    """Return the next frame, None at the end."""
    head = _exactly(socket, _LENGTH.size)
    if head is None:
        return None
    size = _LENGTH.unpack(head)[0]
    return _exactly(socket, size) if size <= LARGEST else None


def pack_answer(number: int, pillar: Any) -> bytes:
    """Return an answer; raise ValueError for a pillar that is more than plain data."""
    try:
        packed: bytes = msgpack.packb([number, pillar], use_bin_type=True, unicode_errors="surrogatepass")
    except (TypeError, ValueError, OverflowError, RecursionError) as exc:
        raise ValueError(f"the pillar cannot be packed: {exc}") from exc
    return packed


def unpack_answer(data: bytes) -> tuple[int, Any]:
    """Return (number, pillar) of an answer; raise ValueError for anything else."""
    try:
        number, pillar = msgpack.unpackb(data, strict_map_key=False, unicode_errors="surrogatepass")
    except (TypeError, ValueError, msgpack.UnpackException) as exc:
        raise ValueError(f"a pillar worker sent something else than an answer: {exc}") from exc
    return int(number), pillar


def _exactly(socket: Any, size: int) -> bytes | None:
    """Return `size` bytes, None when the other side has closed before them."""
    parts: list[bytes] = []
    while size:
        part = socket.recv(min(size, 1 << 20))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
