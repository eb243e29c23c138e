"""Packing of flat maps with long strings, such as a piece of a file, without needless copies.

msgpack copies a string several times, which costs more than encrypting the string.
Shapes: network form, see `packing.py`. Units: bytes.
Source: wire specification, sections 3 and 9.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from salt_g.wire.packing import FLAT_ENTRIES, pack

#: Length from which a string becomes a separate part.
LONG_PART = 64 * 1024
#: First byte of a string with a length of four bytes.
_STRING_32 = 0xDB
#: {first byte of a string: size of its length}.
_LENGTHS = {0xD9: 1, 0xDA: 2, _STRING_32: 4}


def long_header(size: int) -> bytes:
    """Return the header of a string with a length of four bytes."""
    return bytes((_STRING_32,)) + size.to_bytes(4, "big")


def has_long_part(value: Any) -> bool:
    """Return whether a value is a small map with a long byte string."""
    return (
        type(value) is dict
        and 0 < len(value) < FLAT_ENTRIES
        and any(type(item) is bytes and len(item) >= LONG_PART for item in value.values())
    )


def pack_parts(value: dict[str, Any]) -> list[bytes]:
    """Return the network form of a small map in consecutive parts; long byte strings are not copied."""
    parts = [bytes((0x80 | len(value),))]
    for key, item in value.items():
        is_long = type(item) is bytes and len(item) >= LONG_PART
        parts += (pack(key), long_header(len(item)), item) if is_long else (pack(key), pack(item))
    return parts


def unpack_strings(data: bytes, start: int, binary: Sequence[str]) -> dict[str, Any] | None:
    """Return the small map of strings and small numbers that begins at `start`.

    `binary` names the fields that stay bytes; long ones are views of `data`, which must no longer change.
    Returns None if the message has another form or is damaged.
    """
    found: dict[str, Any] = {}
    view = memoryview(data).toreadonly()
    try:
        number, at = _entries(view[start]), start + 1
        for _ in range(number):
            key, at = _field(view, at)
            value, at = _field(view, at)
            name = str(key, "utf-8")
            found[name] = _value(value, stays_bytes=name in binary)
    except (LookupError, ValueError, TypeError):
        return None
    return found if at == len(view) else None


def _value(value: memoryview | int, *, stays_bytes: bool) -> Any:
    if isinstance(value, int):
        return value
    if not stays_bytes:
        return str(value, "utf-8")
    return value if len(value) >= LONG_PART else bytes(value)


def _entries(first: int) -> int:
    if not 0x80 <= first <= 0x8F:
        raise ValueError("not a small map")
    return first & 0x0F


def _field(view: memoryview, at: int) -> tuple[Any, int]:
    """Return a string (as a view) or a small number, and the position of the next value."""
    first = view[at]
    if first < 0x80:
        return first, at + 1
    if 0xA0 <= first <= 0xBF:
        begin, size = at + 1, first & 0x1F
    else:
        begin = at + 1 + _LENGTHS[first]
        size = int.from_bytes(view[at + 1 : begin], "big")
    if begin + size > len(view):
        raise ValueError("a string that ends too early")
    return view[begin : begin + size], begin + size
