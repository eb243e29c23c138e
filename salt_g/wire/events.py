"""Local event bus: frames of stock's UNIX sockets, and the events inside.

This module imports neither cryptography nor gevent, because the command line reads the bus without them,
while the daemons serve it with greenlets.
Shapes: an event is (tag, data); its body is tag, two newlines, packed data; a frame is packed {"head": {},
"body": body}, either with a length of four bytes in front or bare. Frames follow each other without a gap.
Errors: WireError for malformed frames and invalid tags.
Source: wire specification, section 11.
"""

from __future__ import annotations

import datetime
import struct
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgpack

from salt_g.errors import WireError
from salt_g.wire.packing import AFTER_SIGN_IN, MessageLimits, as_bytes, pack_bus, pack_large, unpack
from salt_g.wire.value_size import is_light

if TYPE_CHECKING:
    from salt_g.shapes.loads import EventData

TAG_END = b"\n\n"
#: First byte of a bare frame: a map of two entries. A length below 16 MiB begins with 0.
_BARE = b"\x82"
_LENGTH = struct.Struct(">I")
#: Largest accepted frame (bytes); stock trims events to 1 MiB.
MAX_FRAME = 16 * 1024 * 1024 - 1


def pack_event(tag: str, data: Mapping[str, Any]) -> bytes:
    """Return the body of an event."""
    if not tag or not tag.isascii() or "\n" in tag:
        raise WireError(f"{tag[:100]!r} cannot be the tag of an event")
    return tag.encode("ascii") + TAG_END + (pack_bus(data) if is_light(data) else pack_large(data))


def unpack_event(body: bytes, limits: MessageLimits = AFTER_SIGN_IN) -> tuple[str, EventData]:
    """Return (tag, data) of an event's body."""
    tag = tag_of(body)
    data = unpack(body[len(tag) + len(TAG_END) :], limits)
    if not isinstance(data, dict):
        raise WireError(f"{tag}: the data of an event is not a map")
    return tag, data


def tag_of(body: bytes) -> str:
    """Return the tag of an event's body without parsing its data."""
    head, end, _ = body.partition(TAG_END)
    if not end or not head or not head.isascii():
        raise WireError("an event has no tag")
    return head.decode("ascii")


def stamp(moment: datetime.datetime) -> str:
    """Return a time (aware, UTC) as text for the `_stamp` of an event."""
    return moment.isoformat(timespec="microseconds")


def bare_frame(body: bytes) -> bytes:
    """Return an event in the framing of the pub socket."""
    return pack_bus({"head": {}, "body": body})


def prefixed_frame(body: bytes) -> bytes:
    """Return an event in the framing of the pull socket (and of the pub sockets of 3006)."""
    frame = bare_frame(body)
    return _LENGTH.pack(len(frame)) + frame


class FrameReader:
    """Splitter of a byte stream into event bodies; the first byte distinguishes the two framings."""

    def __init__(self, *, max_frame: int = MAX_FRAME) -> None:
        self._max_frame = max_frame
        self._buffer = bytearray()
        self._bare: msgpack.Unpacker | None = None

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Add bytes and yield the bodies that are complete.

        After a WireError the rest of the stream cannot be read.
        """
        if self._bare is None and not self._buffer and data[:1] == _BARE:
            self._bare = self._bare_unpacker()
        return self._feed_prefixed(data) if self._bare is None else self._feed_bare(self._bare, data)

    def _feed_prefixed(self, data: bytes) -> Iterator[bytes]:
        buffer = self._buffer
        buffer += data
        while len(buffer) >= _LENGTH.size:
            end = _LENGTH.size + _LENGTH.unpack_from(buffer)[0]
            if end > self._max_frame:
                raise WireError(
                    f"a frame of {end} bytes on the event bus exceeds the limit of {self._max_frame}"
                )
            if len(buffer) < end:
                return
            frame = unpack(bytes(buffer[_LENGTH.size : end]), binary=("body",))
            del buffer[:end]
            yield _body(frame)

    def _feed_bare(self, unpacker: msgpack.Unpacker, data: bytes) -> Iterator[bytes]:
        try:
            unpacker.feed(data)
            for frame in unpacker:
                yield _body(frame)
        except (ValueError, TypeError, msgpack.UnpackException) as exc:
            raise WireError(f"malformed frame on the event bus: {type(exc).__name__}") from exc

    def _bare_unpacker(self) -> msgpack.Unpacker:
        # A frame is a map of two entries; larger maps and lists are refused before they cost anything.
        return msgpack.Unpacker(
            max_buffer_size=self._max_frame,
            raw=False,
            unicode_errors="surrogateescape",
            max_map_len=4,
            max_array_len=4,
            max_ext_len=0,
        )


def _body(frame: Any) -> bytes:
    if not isinstance(frame, dict) or "body" not in frame:
        raise WireError("a frame on the event bus has no body")
    return as_bytes(frame["body"])
