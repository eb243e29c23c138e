"""Framing of messages in a byte stream: headers with `Content-Length`, an empty line, the body.

A wrong length costs only the messages that it covers. A header line with its line end cannot be part of JSON,
so a message begins wherever one occurs.
Units: bytes. Errors: a message that cannot be read is returned as Malformed, and the reader continues after
it.
Source: Language Server Protocol 3.17, "Base Protocol".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

#: Maximum size of the headers and of the body of a message (bytes).
MAX_HEADERS = 4096
MAX_BODY = 16 * 1024 * 1024

_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"^content-length[ \t]*:[ \t]*([0-9]{1,15})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_BEGIN = re.compile(rb"content-length[ \t]*:", re.IGNORECASE)
#: Header of the next message within what should be a body, and its maximum length (bytes).
_MESSAGE = re.compile(rb"content-length[ \t]{0,8}:[ \t]{0,8}[0-9]{1,15}[ \t]{0,8}\r\n", re.IGNORECASE)
_LONGEST = 64


class Malformed(NamedTuple):
    """Replacement of a message that cannot be read, with the reason."""

    reason: str


class RpcMessageReader:
    """Reader that splits a byte stream into the bodies of its messages."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._length: int | None = None
        self._to_skip = 0
        #: Number of bytes at the start of the buffer that are known to contain no header of another message.
        self._searched = 0

    def feed(self, data: bytes) -> Iterator[bytes | Malformed]:
        """Add bytes of the stream; yield each message that is complete now."""
        self._buffer += data
        while (found := self._next()) is not None:
            yield found

    def _next(self) -> bytes | Malformed | None:
        if self._to_skip and not self._skip():
            return None
        if self._length is None:
            problem = self._read_headers()
            if problem is not None or self._length is None:
                return problem
        if (wrong := self._wrong_length(self._length)) is not None:
            return wrong
        if len(self._buffer) < self._length:
            return None
        body = bytes(self._buffer[: self._length])
        del self._buffer[: self._length]
        self._length, self._searched = None, 0
        return body

    def _skip(self) -> bool:
        """Drop received bytes of a body that is too long; return whether the next message can be read."""
        begin = _MESSAGE.search(self._buffer, 0, self._to_skip)
        if begin is not None:
            del self._buffer[: begin.start()]
            self._to_skip = 0
            return True
        is_end = len(self._buffer) >= self._to_skip
        # Keep the last bytes, which may be the beginning of a header.
        dropped = self._to_skip if is_end else max(len(self._buffer) - _LONGEST, 0)
        del self._buffer[:dropped]
        self._to_skip -= dropped
        return not self._to_skip

    def _wrong_length(self, length: int) -> Malformed | None:
        """Return Malformed if the length covers the next message, and continue with that message."""
        end = min(length, len(self._buffer))
        # Fast path: bodies hardly ever contain a line end, and a header always does.
        if self._buffer.find(b"\r\n", self._searched, end) < 0:
            self._searched = max(end - 1, 0)
            return None
        begin = _MESSAGE.search(self._buffer, max(self._searched - _LONGEST, 0), end)
        if begin is None:
            self._searched = max(end - 1, 0)
            return None
        del self._buffer[: begin.start()]
        self._length, self._searched = None, 0
        return Malformed(f"a message is shorter than its Content-Length of {length} bytes")

    def _read_headers(self) -> Malformed | None:
        end = self._buffer.find(_END, 0, MAX_HEADERS)
        if end < 0:
            if len(self._buffer) < MAX_HEADERS:
                return None
            self._resynchronize()
            return Malformed(f"the headers of a message have more than {MAX_HEADERS} bytes")
        headers = bytes(self._buffer[:end])
        lengths = _LENGTH.findall(headers)
        if len(lengths) != 1:
            # If the length of a message was too small, the next message begins on the line of its remainder.
            begin = None if lengths else _MESSAGE.search(headers + b"\r\n")
            del self._buffer[: begin.start() if begin is not None and begin.start() else end + len(_END)]
            return Malformed("a message needs exactly one header Content-Length, with its length in bytes")
        del self._buffer[: end + len(_END)]
        length = int(lengths[0])
        if length > MAX_BODY:
            self._to_skip = length
            return Malformed(f"a message of {length} bytes exceeds the limit of {MAX_BODY}")
        self._length = length
        return None

    def _resynchronize(self) -> None:
        """Drop bytes up to the next header that looks like the beginning of a message."""
        begin = _BEGIN.search(self._buffer, 1)
        del self._buffer[: begin.start() if begin else len(self._buffer)]


def framed(body: bytes) -> bytes:
    """Return a body with its header."""
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
