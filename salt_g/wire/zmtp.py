"""Server side of ZMTP 3, ZeroMQ's wire protocol: bytes to messages and back, without sockets.

A listening port is open to everyone, so input is parsed within bounds: greetings, one READY, messages, PING,
SUBSCRIBE and CANCEL. Unknown commands are ignored; anything else is a WireError, after which the connection
is closed.

Shapes: a message is a list of frames; a frame is bytes or, if large, a bytearray that no longer changes.
SUBSCRIBE and CANCEL become their equivalent of ZMTP 3.0, one frame with 1 or 0 and the topic.
Units: sizes in bytes, times in seconds.
Source: ZeroMQ RFC 23 (ZMTP 3.0) and RFC 37 (ZMTP 3.1); peers of ZMTP 1 and 2 are older than libzmq 4.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Sequence
from typing import cast

from salt_g.errors import WireError

#: The whole greeting of ZMTP 3: signature (10), version (2), mechanism (20), as-server (1), filler (31).
GREETING_SIZE = 64
_SIGNATURE = b"\xff" + bytes(8) + b"\x7f"
_MECHANISM = b"NULL".ljust(20, b"\0")
_VERSION = (3, 1)
#: Types that a peer can name in its READY (RFC 37 and earlier).
SOCKET_TYPES = frozenset(
    ("REQ", "REP", "DEALER", "ROUTER", "PUB", "SUB", "XPUB", "XSUB", "PUSH", "PULL", "PAIR", "STREAM")
)

#: Flags of a frame; the other bits are reserved.
_MORE, _LONG, _COMMAND = 1, 2, 4
#: Largest command: READY has a socket type and a routing id of at most 255 bytes.
MAX_COMMAND = 1024
#: Maximum number of bytes of a PING that its PONG echoes.
PING_CONTEXT = 16
#: A PING; its TTL is 0 because the peer checks our liveness itself.
PING = b"\x04\x07\x04PING\0\0"
#: Size from which a frame is sent separately from its header instead of copied behind it.
LARGE_FRAME = 64 * 1024


class ServerSession:
    """Protocol session with one peer: its input, and the protocol's own replies.

    `is_ready` is set after the handshake; `peer_type` is then the socket type of the peer; `missing` is the
    number of bytes still missing from the current frame; `ttl` is the silence after which the peer wants to
    be considered dead (s), 0 for never.
    """

    #: Heartbeat that is sent to a silent peer.
    ping = PING

    __slots__ = (
        *(
            "is_ready",
            "peer_type",
            "missing",
            "ttl",
            "_buffer",
            "_at",
            "_frames",
            "_size",
            "_count",
            "_output",
            "_pong",
        ),
        *("_socket_type", "_peer_types", "_max_message", "_max_frames", "_is_greeted"),
    )

    def __init__(
        self, socket_type: str, peer_types: Collection[str], *, max_message: int, max_frames: int
    ) -> None:
        self._socket_type = socket_type.encode()
        self._peer_types = peer_types
        self._max_message = max_message
        self._max_frames = max_frames
        self._buffer = bytearray()
        self._at = 0
        self._frames: list[bytes] = []
        self._size = self._count = 0
        self._is_greeted = False
        self._output = greeting()
        self._pong: bytes | None = None
        self.is_ready = False
        self.peer_type = ""
        self.missing = 0
        self.ttl = 0.0

    @property
    def held(self) -> int:
        """Number of bytes received but not yet returned as a message."""
        return len(self._buffer) - self._at + self._size

    def feed(self, data: bytes) -> None:
        """Add received bytes; `next_message` parses them."""
        self._buffer += data

    def next_message(self) -> list[bytes] | None:
        """Return the next complete message, or None when more data is needed; raises WireError.

        [] replaces a message of more than `max_frames` frames.
        """
        if not self.is_ready and not self._handshake():
            return None
        while (frame := self._next_frame()) is not None:
            flags, body = frame
            if flags & _COMMAND:
                if (message := self._command(body)) is not None:
                    return message
                continue
            self._count += 1
            if self._count <= self._max_frames:
                self._frames.append(body)
                self._size += len(body)
            if not flags & _MORE:
                frames = self._frames if self._count <= self._max_frames else []
                self._frames, self._size, self._count = [], 0, 0
                return frames
        return None

    def take_output(self) -> bytes:
        """Return pending output for the peer: our greeting, READY, one PONG for many PINGs."""
        output, self._output = self._output, b""
        if self._pong is not None:
            output += _command(b"PONG", self._pong)
            self._pong = None
        return output

    def _handshake(self) -> bool:
        if not self._is_greeted and not self._read_greeting():
            return False
        frame = self._next_frame()
        if frame is None:
            return False
        flags, body = frame
        name, data = _name_and_data(body)
        if not flags & _COMMAND or name != b"READY":
            raise WireError(f"{name[:20]!r} received instead of READY")
        peer_type = _properties(data).get(b"socket-type", b"").decode("ascii", "replace")
        if peer_type not in self._peer_types:
            raise WireError(f"unsupported peer socket {peer_type[:20]!r}")
        self.is_ready, self.peer_type = True, peer_type
        return True

    def _read_greeting(self) -> bool:
        """Check the received part of the greeting, so that other protocols fail at their first bytes."""
        head = bytes(self._buffer[:GREETING_SIZE])
        # The eight bytes between the first and the last byte of the signature are not checked: libzmq writes
        # a length there for peers of ZMTP 1.
        if head[:1] not in (b"", b"\xff") or (len(head) > 9 and not head[9] & 1):
            raise WireError("the bytes are not a ZMTP 3 greeting")
        if len(head) > 10 and head[10] < _VERSION[0]:
            raise WireError(f"unsupported ZMTP version {head[10]}")
        if len(head) < GREETING_SIZE:
            return False
        if head[12:32] != _MECHANISM:
            raise WireError("the peer wants a security mechanism other than NULL")
        del self._buffer[:GREETING_SIZE]
        self._is_greeted = True
        self._output += _command(b"READY", _ready_properties(self._socket_type))
        return True

    def _next_frame(self) -> tuple[int, bytes] | None:
        """Return (flags, body) of the next frame, or None when it is incomplete."""
        at, there = self._at, len(self._buffer) - self._at
        if there < 2:
            self._wait_for(2 - there)
            return None
        flags, size, head = self._buffer[at], self._buffer[at + 1], 2
        if flags > _MORE | _LONG | _COMMAND or flags & (_COMMAND | _MORE) == _COMMAND | _MORE:
            raise WireError(f"a frame has the invalid flags {flags:#x}")
        if flags & _LONG:
            head = 9
            if there < head:
                self._wait_for(head - there)
                return None
            size = int.from_bytes(self._buffer[at + 1 : at + 9], "big")
        if size > (MAX_COMMAND if flags & _COMMAND or not self.is_ready else self._max_message - self._size):
            raise WireError(f"a frame of {size} bytes is too large")
        if there < head + size:
            self._wait_for(head + size - there)
            return None
        if size >= LARGE_FRAME:
            return flags, self._cut(at + head, size)
        self._at += head + size
        return flags, bytes(self._buffer[at + head : self._at])

    def _cut(self, start: int, size: int) -> bytes:
        """Return a large frame without copying it: the buffer itself becomes the frame.

        A copy of 64 MiB would hold the hub for up to 100 ms on a busy machine.
        """
        frame, end = self._buffer, start + size
        self._buffer, self._at = frame[end:], 0
        del frame[end:]
        del frame[:start]
        return cast(bytes, frame)

    def _wait_for(self, missing: int) -> None:
        """Note that a frame needs `missing` more bytes, and discard the bytes that were parsed."""
        self.missing = missing
        del self._buffer[: self._at]
        self._at = 0

    def _command(self, body: bytes) -> list[bytes] | None:
        """Execute a command; return the message equivalent to it, or None. Unknown commands are ignored."""
        name, data = _name_and_data(body)
        if name == b"SUBSCRIBE":
            return [b"\1" + data]
        if name == b"CANCEL":
            return [b"\0" + data]
        if name == b"PING":
            if len(data) < 2:
                raise WireError("the peer sent a PING without a TTL")
            self.ttl = int.from_bytes(data[:2], "big") / 10
            self._pong = data[2 : 2 + PING_CONTEXT]
        elif name == b"ERROR":
            raise WireError("the peer sent an ERROR")
        return None


def greeting() -> bytes:
    """Return our greeting."""
    return (_SIGNATURE + bytes(_VERSION) + _MECHANISM).ljust(GREETING_SIZE, b"\0")


def encode(frames: Sequence[bytes]) -> list[bytes]:
    """Return a message in wire format, in pieces: each large frame is a separate piece."""
    pieces: list[bytes] = []
    joined = b""
    for number, frame in enumerate(frames, 1):
        joined += _header(len(frame), _MORE if number < len(frames) else 0)
        if len(frame) < LARGE_FRAME:
            joined += frame
        else:
            pieces += (joined, frame)
            joined = b""
    return [*pieces, joined] if joined else pieces


def _header(size: int, flags: int) -> bytes:
    return struct.pack(">BQ", flags | _LONG, size) if size > 255 else bytes((flags, size))


def _command(name: bytes, data: bytes) -> bytes:
    body = bytes((len(name),)) + name + data
    return _header(len(body), _COMMAND) + body


def _name_and_data(body: bytes) -> tuple[bytes, bytes]:
    end = 1 + body[0] if body else 1
    if len(body) < end:
        raise WireError("a command ends within its name")
    return body[1:end], body[end:]


def _ready_properties(socket_type: bytes) -> bytes:
    return _property(b"Socket-Type", socket_type) + _property(b"Identity", b"")


def _property(name: bytes, value: bytes) -> bytes:
    return bytes((len(name),)) + name + struct.pack(">I", len(value)) + value


def _properties(data: bytes) -> dict[bytes, bytes]:
    """Return the properties of a READY by their lower-case names."""
    found = {}
    at = 0
    while at < len(data):
        name_end = at + 1 + data[at]
        value_at = name_end + 4
        value_end = value_at + int.from_bytes(data[name_end:value_at], "big")
        if value_at > len(data) or value_end > len(data):
            raise WireError("a property ends too early")
        found[data[at + 1 : name_end].lower()] = data[value_at:value_end]
        at = value_end
    return found
