"""Conversion of long texts in a message, in steps.

Decoding 60 MiB of text is one C call, during which no other thread runs for 0.1 s, or for 0.8 s if the bytes
are not text. A message with a text above `LONG_TEXT` is read and written here, entry by entry; all others are
not.
Shapes: valid UTF-8 arrives as text, other raw strings as bytes. A text that would take more than `MOST_HELD`
bytes of memory also arrives as bytes, because a single character outside the basic plane makes each character
take four.
Units: bytes.
Errors: ValueError, as in `incremental_unpack.py`.
"""

from __future__ import annotations

import codecs
import struct
from collections.abc import Callable
from typing import Any

import msgpack

from salt_g.wire.incremental_unpack import KEYED, Count, IncrementalUnpacker, MessageLimits

#: Size (bytes) above which texts are converted in steps.
LONG_TEXT = 1024 * 1024
#: Bytes, or characters, of one step: some 2 ms.
STEP = 128 * 1024
#: Maximum number of candidate positions examined for a long text.
LOOKS = 64
#: Maximum memory for one text (bytes).
MOST_HELD = 64 * 1024 * 1024
#: First bytes of text, and of bytes in bus form, that have a length of four bytes.
_TEXT_32, _BYTES_32 = 0xDB, 0xC6


class LongStrings:
    """Reader of one message that may contain long texts; `options` configure the unpacker."""

    def __init__(self, data: bytes, limits: MessageLimits, options: dict[str, Any]) -> None:
        self._data = memoryview(data)
        self._limits = limits
        self._count = Count(limits)
        self._pieces = IncrementalUnpacker(data, list_hook=self._count, object_hook=self._count, **options)
        self._unpacker = self._pieces.unpacker

    def read(self, depth: int = 0) -> Any:
        """Return the next value."""
        at = self._unpacker.tell()
        first = self._data[at]
        if 0x80 <= first <= 0x9F or 0xDC <= first <= 0xDF:
            if depth > self._limits.depth:
                raise ValueError(f"it is nested deeper than {self._limits.depth} levels")
            is_map = first <= 0x8F or first >= 0xDE
            return self._map(depth) if is_map else self._list(depth)
        if first == _TEXT_32 and struct.unpack_from(">I", self._data, at + 1)[0] > LONG_TEXT:
            self._pieces.read(self._unpacker.skip)
            return decoded(self._data[at + 5 : self._unpacker.tell()])
        return self._pieces.read(self._unpacker.unpack)

    def _map(self, depth: int) -> dict[Any, Any]:
        number = self._taken(self._pieces.read(self._unpacker.read_map_header), each=KEYED)
        return {self.read(depth + 1): self.read(depth + 1) for _ in range(number)}

    def _list(self, depth: int) -> list[Any]:
        number = self._taken(self._pieces.read(self._unpacker.read_array_header))
        return [self.read(depth + 1) for _ in range(number)]

    def _taken(self, number: int, *, each: int = 1) -> int:
        if number > self._limits.entries:
            raise ValueError(f"a map or list of {number} entries exceeds the limit of {self._limits.entries}")
        self._count.take(number * each)
        return number


def seems_to_hold_one(data: bytes) -> bool:
    """Return whether a message seems to hold a long text, so that the normal unpacker is not worth trying."""
    at = -1
    for _ in range(LOOKS):
        at = data.find(_TEXT_32, at + 1)
        if at < 0 or at + 5 > len(data):
            return False
        size = struct.unpack_from(">I", data, at + 1)[0]
        if LONG_TEXT < size <= len(data) - at - 5:
            return True
    return False


def decoded(data: memoryview) -> str | bytes:
    """Return valid UTF-8 as text; return anything else, and a text that takes too much memory, as bytes."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    parts, widest = [], 1
    try:
        for start in range(0, len(data), STEP):
            part = decoder.decode(data[start : start + STEP], start + STEP >= len(data))
            widest = max(widest, _width(part))
            parts.append(part)
    except UnicodeDecodeError:
        return bytes(data)
    return "".join(parts) if widest * sum(map(len, parts)) <= MOST_HELD else bytes(data)


def encoded(text: str) -> bytes:
    """Return a text as UTF-8."""
    steps = range(0, len(text), STEP)
    return b"".join(text[start : start + STEP].encode("utf-8", "surrogateescape") for start in steps)


def pack_in_steps(value: Any, plain: Callable[[Any], Any], *, use_bin_type: bool) -> bytes:
    """Return a value packed entry by entry, so that other threads can run meanwhile.

    msgpack calls `plain` for values of unknown types. Raises the exceptions of msgpack.
    """
    packer = msgpack.Packer(
        use_bin_type=use_bin_type, default=plain, unicode_errors="surrogateescape", autoreset=False
    )
    parts: list[bytes] = []
    _put(value, packer, parts, use_bin_type)
    parts.append(packer.bytes())
    return b"".join(parts)


def _put(value: Any, packer: msgpack.Packer, parts: list[bytes], use_bin_type: bool) -> None:
    kind = type(value)
    if kind is dict:
        packer.pack_map_header(len(value))
        for key, item in value.items():
            packer.pack(key)
            _put(item, packer, parts, use_bin_type)
    elif kind in (list, tuple):
        packer.pack_array_header(len(value))
        for item in value:
            _put(item, packer, parts, use_bin_type)
    elif kind in (str, bytes) and len(value) > LONG_TEXT:
        data = value if kind is bytes else encoded(value)
        first = _BYTES_32 if use_bin_type and kind is bytes else _TEXT_32
        parts += (packer.bytes(), struct.pack(">BI", first, len(data)), data)
        packer.reset()
    else:
        packer.pack(value)


def _width(text: str) -> int:
    """Return how many bytes of memory each character of a text takes."""
    if text.isascii():
        return 1
    highest = ord(max(text))
    return 1 if highest < 0x100 else 2 if highest < 0x10000 else 4
