"""Messages of the transport `tcp`: packed maps, one after the other on a byte stream.

A message is `{"head": {...}, "body": ...}`. The head of a request has its id (`mid`), which the reply
repeats; the body is the request itself, not its bytes. A publication has an empty head, and its body is
bytes. A subscriber sends one message that identifies it: its body is sealed, for stock's masters, and
salt-g's subscribers also put the topic of their id into the head, as ZeroMQ subscribers do. The server's
sessions are used in place of `wire.zmtp.ServerSession`.
Units: bytes.
Errors: WireError for a stream of another protocol, and for messages above the limits.
Source: stock's page "TCP Transport"; streams of stock 3008 in both directions.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import msgpack

from salt_g.errors import WireError
from salt_g.wire.publications import TOPIC_LENGTH

#: Maximum number of values in one message: an unencrypted request has at most 64 KiB, and other messages have
#: about a dozen values.
MAX_VALUES = 100_000
#: Maximum size of a request's head (bytes); stock's takes 42 bytes.
MAX_HEAD = 1024
#: Maximum size of a subscriber's message, which contains its id and a signature (bytes).
MAX_REGISTRATION = 16 * 1024
#: Size from which a body is not copied (bytes).
LARGE_BODY = 64 * 1024
#: First byte of every message (a map of two entries), and of a ZeroMQ peer's greeting.
_MAP_OF_TWO, _ZEROMQ = 0x82, 0xFF
_HEAD, _BODY = b"\xa4head", b"\xa4body"
_NO_HEAD = b"\x80"
#: Beginning of the head {"topic": text}, up to the text.
_NAMED_HEAD = b"\x81\xa5topic\xd9" + bytes((TOPIC_LENGTH,))
#: Number of parts of a message: two keys and their values.
_PARTS = 4
#: MessagePack types by first byte: with a length field, extensions with a length field, containers with a
#: count field (and number of values per entry), and types of fixed size (bytes).
_LENGTHS = {0xC4: ">B", 0xC5: ">H", 0xC6: ">I", 0xD9: ">B", 0xDA: ">H", 0xDB: ">I"}
_EXTENSIONS = {0xC7: ">B", 0xC8: ">H", 0xC9: ">I"}
_CONTAINERS = {0xDC: (">H", 1), 0xDD: (">I", 1), 0xDE: (">H", 2), 0xDF: (">I", 2)}
_FIXED = {
    **{0xC0: 1, 0xC2: 1, 0xC3: 1, 0xCA: 5, 0xCB: 9, 0xCC: 2, 0xCD: 3, 0xCE: 5, 0xCF: 9},
    **{0xD0: 2, 0xD1: 3, 0xD2: 5, 0xD3: 9, 0xD4: 3, 0xD5: 4, 0xD6: 6, 0xD7: 10, 0xD8: 18},
}


class StreamMessageReader:
    """Parser of a stream of messages; `missing` is the number of bytes missing from the current value."""

    def __init__(self, max_message: int) -> None:
        self._max_message = max_message
        self._buffer = bytearray()
        # Ends of the complete parts of the current message.
        self._ends: list[int] = []
        self._at = 0
        self._open = self._values = 0
        self.missing = 0

    @property
    def held(self) -> int:
        """Number of bytes received but not yet returned."""
        return len(self._buffer)

    def feed(self, data: bytes) -> None:
        """Add received bytes."""
        self._buffer += data

    def next_message(self) -> tuple[bytes, bytes] | None:
        """Return (head, body) of the next message, both packed, or None if it is incomplete."""
        if not self._at and not self._read_start():
            return None
        while len(self._ends) < _PARTS:
            self._open = self._open or 1
            if not self._pass_value():
                return None
            self._ends.append(self._at)
        first, second, third, end = self._ends
        buffer = self._buffer
        if buffer[1:first] != _HEAD or buffer[second:third] != _BODY or second - first > MAX_HEAD:
            raise WireError("a message has no valid head and body")
        head = bytes(buffer[first:second])
        body = self._take(third, end)
        self._ends, self._at, self._values = [], 0, 0
        return head, body

    def _take(self, start: int, end: int) -> bytes:
        """Return a part of the buffer and remove everything up to its end; a large part is not copied."""
        if end - start < LARGE_BODY:
            part = bytes(self._buffer[start:end])
            del self._buffer[:end]
            return part
        large, self._buffer = self._buffer, self._buffer[end:]
        del large[end:]
        del large[:start]
        return large  # type: ignore[return-value]  # a bytearray that no longer changes

    def _read_start(self) -> bool:
        if not self._buffer:
            return False
        if self._buffer[0] != _MAP_OF_TWO:
            spoken = "ZeroMQ" if self._buffer[0] == _ZEROMQ else "something else"
            raise WireError(f"the peer speaks {spoken}: both sides need the same `transport` and `ssl`")
        self._at = 1
        return True

    def _pass_value(self) -> bool:
        """Skip the current value, however deeply it is nested; return whether it was complete."""
        while self._open:
            size, inside = self._measure()
            if self._at + size > self._max_message:
                raise WireError(f"a message has more than {self._max_message} bytes")
            self.missing = self._at + size - len(self._buffer)
            if self.missing > 0:
                return False
            self.missing = 0
            self._at += size
            self._open += inside - 1
            self._values += 1
            if self._open + self._values > MAX_VALUES:
                raise WireError(f"a message has more than {MAX_VALUES} values")
        return True

    def _measure(self) -> tuple[int, int]:
        """Return (bytes, number of values inside) of the next value; a container counts as its header."""
        if self._at >= len(self._buffer):
            return 1, 0
        first = self._buffer[self._at]
        if first < 0x80 or first >= 0xE0:
            return 1, 0
        if first < 0x90:
            return 1, 2 * (first & 15)
        if first < 0xA0:
            return 1, first & 15
        if first < 0xC0:
            return 1 + (first & 31), 0
        if first in _FIXED:
            return _FIXED[first], 0
        return self._measure_counted(first)

    def _measure_counted(self, first: int) -> tuple[int, int]:
        if first in _CONTAINERS:
            form, each = _CONTAINERS[first]
            return 1 + struct.calcsize(form), each * self._number(form)
        if first in _LENGTHS:
            form = _LENGTHS[first]
            return 1 + struct.calcsize(form) + self._number(form), 0
        if first in _EXTENSIONS:
            form = _EXTENSIONS[first]
            return 2 + struct.calcsize(form) + self._number(form), 0
        raise WireError("the bytes are not a message")

    def _number(self, form: str) -> int:
        """Return the number after the first byte, or 0 while not all of its bytes have arrived."""
        if len(self._buffer) - self._at <= struct.calcsize(form):
            return 0
        found: int = struct.unpack_from(form, self._buffer, self._at + 1)[0]
        return found


class RequestMaps:
    """Session of a peer that sends requests: messages are [head, b"", request]."""

    ping = b""
    ttl = 0.0

    def __init__(self, max_message: int) -> None:
        self._reader = StreamMessageReader(max_message)
        self.is_ready = False

    @property
    def held(self) -> int:
        """Number of bytes received but not yet returned."""
        return self._reader.held

    @property
    def missing(self) -> int:
        """Minimum number of bytes still missing from the current message."""
        return self._reader.missing

    def feed(self, data: bytes) -> None:
        """Add received bytes."""
        self._reader.feed(data)

    def next_message(self) -> list[bytes] | None:
        """Return the next request, or None when it is incomplete."""
        found = self._reader.next_message()
        if found is None:
            return None
        self.is_ready = True
        head, body = found
        return [head, b"", body]

    def take_output(self) -> bytes:
        """Return b"", because the protocol has no output of its own."""
        return b""


class SubscriberMaps(RequestMaps):
    """Session of a subscriber: its first message subscribes to everything, later ones are ignored."""

    def __init__(self, max_message: int) -> None:
        super().__init__(max(max_message, MAX_REGISTRATION))
        self._topic = b""

    def next_message(self) -> list[bytes] | None:
        """Return [b"\\1"] (a subscription to everything), then one to the peer's topic if it has one."""
        if self._topic:
            topic, self._topic = self._topic, b""
            return [b"\1" + topic]
        was_ready = self.is_ready
        while (found := super().next_message()) is not None:
            if not was_ready:
                self._topic = _named_topic(found[0])
                return [b"\1"]
        return None


def named_head(topic: bytes) -> bytes:
    """Return the head of a subscriber's message, with the topic of its id."""
    return _NAMED_HEAD + topic


def _named_topic(head: bytes) -> bytes:
    """Return the topic in the head of a subscriber's message, or b"" if there is none."""
    is_named = head.startswith(_NAMED_HEAD) and len(head) == len(_NAMED_HEAD) + TOPIC_LENGTH
    return head[len(_NAMED_HEAD) :] if is_named else b""


def encode_message(head: bytes, body: bytes) -> list[bytes]:
    """Return a message of a packed head and a packed body, in pieces."""
    start = bytes((_MAP_OF_TWO,)) + _HEAD + head + _BODY
    return [start, body] if len(body) >= LARGE_BODY else [start + body]


def encode_publication(payload: bytes) -> list[bytes]:
    """Return a publication in wire format, in pieces."""
    return encode_message(_NO_HEAD, packed_bytes(payload))


def encode_reply(frames: Sequence[bytes]) -> list[bytes]:
    """Return the reply [head, b"", reply] in wire format."""
    return encode_message(frames[0], frames[-1])


def packed_bytes(payload: bytes) -> bytes:
    """Return bytes as a packed value."""
    packed: bytes = msgpack.packb(payload, use_bin_type=True)
    return packed


def unpacked_bytes(packed: bytes) -> bytes:
    """Return the bytes of a packed value; raises WireError for another value."""
    try:
        found = msgpack.unpackb(packed, raw=True, max_map_len=0, max_array_len=0)
    except (ValueError, msgpack.UnpackException) as exc:
        raise WireError(f"malformed publication: {exc}") from exc
    if not isinstance(found, bytes):
        raise WireError("a publication is not bytes")
    return found
