"""Messages of the transport `ws`: binary messages of a WebSocket.

A request and its reply are one message each, as on ZeroMQ; the connection has one request at a time. A
publication is a message of packed bytes. A subscriber sends nothing after the handshake; salt-g's subscribers
identify themselves by the topic of their id in the path that they request (`/ws?topic=TOPIC`).
Units: bytes.
Errors: WireError for a peer that does not follow RFC 6455, closes the connection, or exceeds the limits.
Source: RFC 6455; streams of stock 3008 in both directions.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import struct
from collections.abc import Callable, Sequence

from salt_g.errors import WireError
from salt_g.transport.streams.message_maps import packed_bytes
from salt_g.wire.publications import TOPIC_LENGTH

#: Maximum size of an HTTP request or response in the handshake (bytes).
MAX_HANDSHAKE = 8 * 1024
#: Maximum number of frames in one message, continuation frames included.
MAX_PIECES = 4096
#: Size from which a frame is unmasked while it arrives, and a message is not copied (bytes).
LARGE = 64 * 1024
#: Size of the parts in which a message is masked (bytes); arithmetic with integers of this size is fast.
_MASKED_AT_ONCE = 64 * 1024
#: Constant of RFC 6455, section 1.3.
_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_CONTINUATION, _BINARY, _CLOSE, _PING, _PONG = 0, 2, 8, 9, 10
_FINAL, _MASKED, _RESERVED = 0x80, 0x80, 0x70
_END = b"\r\n\r\n"
#: Text between the path of a subscriber's request and its topic.
_NAME = b"?topic="


class _Body:
    """Body of an incoming frame, unmasked part by part as the bytes arrive."""

    def __init__(self, first: int, size: int, mask: bytes) -> None:
        self.first, self.missing = first, size
        self._mask = mask
        self._rest = 0
        self.data = bytearray()

    def take(self, buffer: bytearray) -> None:
        """Move bytes from the start of a buffer to the body."""
        part = buffer[: self.missing]
        del buffer[: len(part)]
        self.missing -= len(part)
        if self._mask:
            turned = self._mask[self._rest :] + self._mask[: self._rest]
            self._rest = (self._rest + len(part)) % 4
            self.data += masked(part, turned)
        else:
            self.data += part


class Frames:
    """Codec of one side of a WebSocket; `replies` is the frame that answers the last PING."""

    def __init__(self, max_message: int, *, are_masked: bool, mask: Callable[[], bytes] | None) -> None:
        """Create the codec; `mask` returns the mask of a frame that we send, or is None if we do not mask."""
        self._max_message = max_message
        self._are_masked = are_masked
        self._mask = mask
        self.buffer = bytearray()
        self.replies = b""
        self.missing = 0
        self._body: _Body | None = None
        self._message = bytearray()
        #: Number of frames of the current message so far.
        self._pieces = 0

    @property
    def held(self) -> int:
        """Number of bytes received but not yet returned."""
        return len(self.buffer) + len(self._message) + (len(self._body.data) if self._body else 0)

    def next_message(self) -> bytes | None:
        """Return the next message, or None when it is incomplete."""
        while (frame := self._next_frame()) is not None:
            first, body = frame
            if first & 15 >= _CLOSE:
                self._control(first & 15, bytes(body))
                continue
            if (first & 15 == _CONTINUATION) != bool(self._pieces) or self._pieces >= MAX_PIECES:
                raise WireError("the frames of a message are out of order or too many")
            self._pieces += 1
            if self._message:
                self._message += body
            else:
                self._message = body
            if first & _FINAL:
                message, self._message, self._pieces = self._message, bytearray(), 0
                # A large message remains a bytearray, because copying it would block the hub.
                return bytes(message) if len(message) < LARGE else message  # type: ignore[return-value]
        return None

    def _next_frame(self) -> tuple[int, bytearray] | None:
        body = self._body or self._begin_frame()
        if body is None:
            return None
        if len(self.buffer) >= min(body.missing, LARGE):
            body.take(self.buffer)
        self.missing = body.missing - len(self.buffer)
        if body.missing:
            self._body = body
            return None
        self._body, self.missing = None, 0
        return body.first, body.data

    def _begin_frame(self) -> _Body | None:
        """Read the next frame's header; return its body, still empty, or None if the header is incomplete."""
        header = self._header()
        if header is None:
            return None
        first, start, size = header
        is_control = first & 15 >= _CLOSE
        if first & _RESERVED or (is_control and (size > 125 or not first & _FINAL)):
            raise WireError("RFC 6455 does not define this frame")
        if size > self._max_message - len(self._message):
            raise WireError(f"a message has more than {self._max_message} bytes")
        mask = bytes(self.buffer[start - 4 : start]) if self._are_masked else b""
        del self.buffer[:start]
        return _Body(first, size, mask)

    def _header(self) -> tuple[int, int, int] | None:
        """Return (first byte, offset of the body, its size), or None when the header is incomplete."""
        if len(self.buffer) < 2:
            return None
        first, second = self.buffer[0], self.buffer[1]
        if bool(second & _MASKED) != self._are_masked:
            raise WireError("a frame has the wrong masking")
        form = {126: ">H", 127: ">Q"}.get(second & 127, "")
        start = 2 + struct.calcsize(form) + 4 * self._are_masked
        if len(self.buffer) < start:
            return None
        size = struct.unpack_from(form, self.buffer, 2)[0] if form else second & 127
        return first, start, size

    def _control(self, code: int, body: bytes) -> None:
        if code == _CLOSE:
            raise WireError("the peer closes the connection")
        if code == _PING:
            self.replies = b"".join(self.encode(body, code=_PONG))

    def encode(self, body: bytes, *, code: int = _BINARY) -> list[bytes]:
        """Return a message in wire format."""
        return encode_frame(body, code=code, mask=b"" if self._mask is None else self._mask())


class ServerWebSocket:
    """Session of a peer, used in place of `wire.zmtp.ServerSession`; a request is [b"", request]."""

    ping = b""
    ttl = 0.0

    def __init__(self, max_message: int, *, subscribes: bool = False) -> None:
        """Create a session; if `subscribes`, the handshake subscribes and later messages are ignored."""
        self._frames = Frames(max_message, are_masked=True, mask=None)
        self._subscribes = subscribes
        self._topic = b""
        self._output = b""
        self.is_ready = False

    @property
    def held(self) -> int:
        """Number of bytes received but not yet returned."""
        return self._frames.held

    @property
    def missing(self) -> int:
        """Number of bytes still missing from the current message."""
        return self._frames.missing

    def feed(self, data: bytes) -> None:
        """Add received bytes."""
        self._frames.buffer += data

    def next_message(self) -> list[bytes] | None:
        """Return the next request, or None when it is incomplete."""
        if not self.is_ready:
            if not self._shake_hands():
                return None
            if self._subscribes:
                return [b"\1"]
        if self._topic:
            topic, self._topic = self._topic, b""
            return [b"\1" + topic]
        while (body := self._frames.next_message()) is not None:
            if not self._subscribes:
                return [b"", body]
        return None

    def take_output(self) -> bytes:
        """Return our part of the handshake, and replies to PING."""
        output, self._output = self._output + self._frames.replies, b""
        self._frames.replies = b""
        return output

    def _shake_hands(self) -> bool:
        head = take_head(self._frames.buffer)
        if head is None:
            return False
        line, fields = head
        key = fields.get(b"sec-websocket-key", b"")
        if fields.get(b"upgrade", b"").lower() != b"websocket" or not key:
            raise WireError("an HTTP request does not ask for a WebSocket")
        self._output = (
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accept_key(key) + _END
        )
        self.is_ready = True
        if self._subscribes:
            self._topic = _named_topic(line)
        return True


class ClientWebSocket:
    """Our side of a connection to a server: `greeting` first, then messages."""

    def __init__(self, host: str, path: str, max_message: int, random_bytes: Callable[[int], bytes]) -> None:
        self._frames = Frames(max_message, are_masked=False, mask=lambda: random_bytes(4))
        self._key = base64.b64encode(random_bytes(16))
        self._is_open = False
        self.greeting = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ".encode()
            + self._key
            + _END
        )

    def feed(self, data: bytes) -> None:
        """Add received bytes."""
        self._frames.buffer += data

    def is_open(self) -> bool:
        """Return whether the server has accepted the handshake; raises WireError when it refuses."""
        if not self._is_open:
            head = take_head(self._frames.buffer)
            if head is None:
                return False
            line, fields = head
            accepted = fields.get(b"sec-websocket-accept", b"")
            if b" 101" not in line or not hmac.compare_digest(accepted, accept_key(self._key)):
                raise WireError(f"the server opened no WebSocket: {line[:60].decode('ascii', 'replace')!r}")
            self._is_open = True
        return True

    def next_message(self) -> bytes | None:
        """Return the next message, or None when it is incomplete."""
        return self._frames.next_message() if self.is_open() else None

    def encode(self, payload: bytes) -> list[bytes]:
        """Return a message in wire format."""
        return self._frames.encode(payload)

    def take_output(self) -> bytes:
        """Return replies to PING."""
        output, self._frames.replies = self._frames.replies, b""
        return output


def take_head(buffer: bytearray) -> tuple[bytes, dict[bytes, bytes]] | None:
    """Remove the head of an HTTP message and return (first line, fields), or None when it is incomplete."""
    end = buffer.find(_END, 0, MAX_HANDSHAKE)
    if end < 0:
        if len(buffer) >= MAX_HANDSHAKE or (buffer and not buffer[:1].isalpha()):
            raise WireError("the peer does not speak HTTP: both sides need the same `transport` and `ssl`")
        return None
    line, *rest = bytes(buffer[:end]).split(b"\r\n")
    del buffer[: end + len(_END)]
    pairs = (field.partition(b":") for field in rest)
    return line, {name.strip().lower(): value.strip() for name, _, value in pairs}


def named_path(path: str, topic: bytes) -> str:
    """Return the path of a subscriber's request, with the topic of its id."""
    return f"{path}{_NAME.decode()}{topic.decode()}"


def _named_topic(line: bytes) -> bytes:
    """Return the topic in the first line of a subscriber's request, or b"" if there is none."""
    topic = line.partition(_NAME)[2].partition(b" ")[0]
    return topic if len(topic) == TOPIC_LENGTH else b""


def accept_key(key: bytes) -> bytes:
    """Return the `Sec-WebSocket-Accept` with which a server answers a client's key."""
    return base64.b64encode(hashlib.sha1(key + _GUID, usedforsecurity=False).digest())


def encode_frame(body: bytes, *, code: int = _BINARY, mask: bytes = b"") -> list[bytes]:
    """Return one final frame, in pieces."""
    size = len(body)
    masks = _MASKED if mask else 0
    if size < 126:
        header = bytes((_FINAL | code, masks | size))
    elif size < 1 << 16:
        header = struct.pack(">BBH", _FINAL | code, masks | 126, size)
    else:
        header = struct.pack(">BBQ", _FINAL | code, masks | 127, size)
    return [header + mask, masked(body, mask) if mask else body]


def encode_publication(payload: bytes) -> list[bytes]:
    """Return a publication in wire format, in pieces."""
    return encode_frame(packed_bytes(payload))


def encode_reply(frames: Sequence[bytes]) -> list[bytes]:
    """Return the reply [b"", reply] in wire format."""
    return encode_frame(frames[-1])


def masked(body: bytes | bytearray, mask: bytes) -> bytes:
    """Return bytes XORed with a mask of four bytes, which both applies and removes the mask."""
    parts = []
    for start in range(0, len(body), _MASKED_AT_ONCE):
        part = body[start : start + _MASKED_AT_ONCE]
        whole = (mask * (len(part) // 4 + 1))[: len(part)]
        number = int.from_bytes(part, "big") ^ int.from_bytes(whole, "big")
        parts.append(number.to_bytes(len(part), "big"))
    return b"".join(parts)
