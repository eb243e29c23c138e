"""Conversion of values to msgpack bytes and back, in the two dialects of peers.

Everything on the wire passes through here, so hostile bytes are stopped here. A message is scanned once
without creating objects before anything is allocated for it.
Shapes: network form writes text and bytes alike (raw family); bus form keeps them apart.
Errors: WireError for bytes that cannot be read and for values that cannot be written.
Source: wire specification, section 3.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgpack

from salt_g.errors import WireError
from salt_g.wire.incremental_unpack import PIECE, Count, IncrementalUnpacker
from salt_g.wire.incremental_unpack import MessageLimits as MessageLimits
from salt_g.wire.long_strings import LONG_TEXT, LongStrings, pack_in_steps, seems_to_hold_one

#: Extension type of a timestamp, written as `MOMENT_FORMAT` in ASCII.
MOMENT = 78
MOMENT_FORMAT = "%Y%m%dT%H:%M:%S.%f"
#: Extension type of a program constant, `[name, value]` in bus form.
CONSTANT = 79
#: Message size (bytes) above which fields known to be bytes bypass decoding to text, which takes 13 ms for 1
#: MiB; below it, splitting a message costs more.
SPLIT_ABOVE = 2048
#: First bytes of strings and bytes with a length of four bytes, and the size of that header.
_LONG_STRINGS = (0xDB, 0xC6)
LONG_HEADER = 5
#: Maximum number of entries in a flat map; an envelope has 6.
FLAT_ENTRIES = 16


#: Limits for unauthenticated peers: a sign-in has 1 to 4 KiB, autosign grains included.
BEFORE_SIGN_IN = MessageLimits(size=64 * 1024, depth=16, entries=1024)
#: Limits for peers with a session: 64 MiB is far above a file chunk (1 MiB) and above every sane return.
AFTER_SIGN_IN = MessageLimits(size=64 * 1024 * 1024, depth=256, entries=1_000_000)
#: Limits for loads of a minion or a syndic: a state run of 10,000 states has 20,000 maps and lists.
FROM_MINION = AFTER_SIGN_IN._replace(total=1_250_000, containers=200_000)


class Packed(NamedTuple):
    """One value in network form, which a reply embeds unchanged.

    It lets native threads pack data of many minions piece by piece.
    """

    data: bytes


def pack(value: Any) -> bytes:
    """Return `value` in network form."""
    return _packed(value, use_bin_type=False)


def pack_bus(value: Any) -> bytes:
    """Return `value` in bus form: for the local event bus, minions' signatures and cache files."""
    return _packed(value, use_bin_type=True)


def packed_map(values: Mapping[str, bytes]) -> Packed:
    """Return a packed map, given its values in network form."""
    header: bytes = msgpack.Packer().pack_map_header(len(values))
    return Packed(b"".join([header, *(part for key, value in values.items() for part in (pack(key), value))]))


def pack_large(value: Any) -> bytes:
    """Return `value` in bus form, packed entry by entry so that other threads can run meanwhile."""
    return _in_steps(value, use_bin_type=True)


def pack_network(value: Any) -> bytes:
    """Return `value` in network form, packed entry by entry as `pack_large` does."""
    return _in_steps(value, use_bin_type=False)


def unpack(data: bytes, limits: MessageLimits = AFTER_SIGN_IN, *, binary: Sequence[str] = ()) -> Any:
    """Unpack one value of either form.

    Valid UTF-8 arrives as text, other raw strings as bytes. `binary` names the keys of the outermost map that
    are always bytes, even if their content happens to be UTF-8.
    """
    if len(data) > limits.size:
        raise WireError(f"message of {len(data)} bytes exceeds the limit of {limits.size}")
    apart: dict[str, bytes] = {}
    try:
        if binary and len(data) > SPLIT_ABOVE and _is_map(data[0]):
            data, apart = _split(data, binary, limits)
        _walk(data)
        value = _value(data, limits)
    except (ValueError, TypeError, OverflowError, msgpack.UnpackException) as exc:
        raise WireError(
            f"malformed message: {exc or type(exc).__name__}", answer={"msg": "bad load"}
        ) from exc
    value = _settled(value, limits)
    if binary and type(value) is dict:
        _restore_bytes(value, binary)
        value.update(apart)
    return value


def unpack_flat(
    data: bytes, limits: MessageLimits = AFTER_SIGN_IN, *, binary: Sequence[str] = ()
) -> dict[str, Any]:
    """Unpack a small map without nested values, at the cost of one copy.

    Use it for large messages of unknown senders, which could otherwise make us scan millions of entries.
    """
    if len(data) > limits.size:
        raise WireError(f"message of {len(data)} bytes exceeds the limit of {limits.size}")
    try:
        value = msgpack.unpackb(
            data, raw=True, strict_map_key=False, max_map_len=FLAT_ENTRIES, max_array_len=0, max_ext_len=0
        )
    except (ValueError, TypeError, OverflowError, msgpack.UnpackException) as exc:
        raise WireError(
            f"malformed message: {exc or type(exc).__name__}", answer={"msg": "bad load"}
        ) from exc
    if not isinstance(value, dict) or any(isinstance(item, (dict, list)) for item in value.values()):
        raise WireError("a large message is not a flat map")
    wanted = {name.encode() for name in binary}
    return {_decoded(key): item if key in wanted else _decoded(item) for key, item in value.items()}


def unpack_raw(data: bytes) -> bytes | None:
    """Return the content of a message that is one long raw string, without decoding it, else None."""
    return data[LONG_HEADER:] if is_long_string(data) else None


def is_long_string(data: bytes | memoryview) -> bool:
    """Return whether a message is one long raw string, whose content begins at LONG_HEADER."""
    is_long = len(data) > LONG_HEADER and data[0] in _LONG_STRINGS
    return is_long and len(data) - LONG_HEADER == int.from_bytes(data[1:LONG_HEADER], "big")


def as_bytes(value: Any) -> bytes:
    """Return a raw string of the wire as bytes; raises WireError for other types."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape")
    raise WireError(f"bytes expected, got {type(value).__name__}")


def _packed(value: Any, *, use_bin_type: bool) -> bytes:
    try:
        packed: bytes = msgpack.packb(
            value, use_bin_type=use_bin_type, default=_plain, unicode_errors="surrogateescape"
        )
    except (ValueError, TypeError, OverflowError) as exc:
        raise WireError(f"a value cannot be sent: {exc}") from exc
    return packed


def _in_steps(value: Any, *, use_bin_type: bool) -> bytes:
    try:
        return pack_in_steps(value, _plain, use_bin_type=use_bin_type)
    except (ValueError, TypeError, OverflowError, RecursionError) as exc:
        raise WireError(f"a value cannot be sent: {exc}") from exc


def _plain(value: Any) -> Any:
    """Return the substitute for a value of a type that msgpack does not know."""
    if isinstance(value, datetime.date):
        # strftime gives a plain date the time 0, and drops leading zeros of early years on Linux.
        text = f"{value.year:04d}" + value.strftime(MOMENT_FORMAT[2:])
        return msgpack.ExtType(MOMENT, text.encode("ascii"))
    if isinstance(value, int):
        return str(value)
    if isinstance(value, (set, frozenset)):
        return list(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} has no form on the wire")


def _value(data: bytes, limits: MessageLimits) -> Any:
    """Return the unpacked value, in which `_settled` must still restore bytes that were not UTF-8."""
    options: dict[str, Any] = {
        # C code decodes raw strings to text; those that were not UTF-8 are restored afterwards, without
        # loss.
        "raw": False,
        "unicode_errors": "surrogateescape",
        "strict_map_key": False,
        "ext_hook": _read_extension,
        "max_map_len": limits.entries,
        "max_array_len": limits.entries,
    }
    if len(data) <= PIECE:
        return msgpack.unpackb(data, **options)
    if len(data) > LONG_TEXT and seems_to_hold_one(data):
        return LongStrings(data, limits, options).read()
    count = Count(limits)
    try:
        pieces = IncrementalUnpacker(
            data, list_hook=count, object_hook=count, max_str_len=LONG_TEXT, **options
        )
        return pieces.read(pieces.unpacker.unpack)
    except ValueError:
        if len(data) <= LONG_TEXT:
            raise
    return LongStrings(data, limits, options).read()


def _walk(data: bytes) -> None:
    """Scan one message without creating objects.

    A header can announce four billion entries in five bytes, and nested headers can repeat that; memory is
    allocated only for entries that exist.
    """
    pieces = IncrementalUnpacker(data)
    pieces.read(pieces.unpacker.skip)
    _check_end(pieces, data)


def _check_end(pieces: IncrementalUnpacker, data: bytes) -> None:
    if not pieces.is_done or pieces.unpacker.tell() != len(data):
        raise WireError("trailing bytes after a message", answer={"msg": "bad load"})


def _decoded(value: Any) -> Any:
    if not isinstance(value, bytes):
        return value
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value


def _is_map(first: int) -> bool:
    return 0x80 <= first <= 0x8F or first in (0xDE, 0xDF)


def _split(data: bytes, names: Sequence[str], limits: MessageLimits) -> tuple[bytes, dict[str, bytes]]:
    """Return (the packed map without the named fields, {name: bytes} for those that are raw strings)."""
    wanted = {name.encode(): name for name in names}
    pieces = IncrementalUnpacker(
        data, raw=True, strict_map_key=False, max_map_len=limits.entries, max_array_len=limits.entries
    )
    unpacker = pieces.unpacker
    kept: list[bytes] = []
    apart: dict[str, bytes] = {}
    number = pieces.read(unpacker.read_map_header)
    if number > limits.entries:
        raise ValueError(f"a map of {number} entries exceeds the limit of {limits.entries}")
    for _ in range(number):
        start = unpacker.tell()
        name = wanted.get(pieces.read(unpacker.unpack))
        at = unpacker.tell()
        pieces.read(unpacker.skip)
        end = unpacker.tell()
        field = _raw_string(data[at:end]) if name is not None else None
        if name is None or field is None:
            kept.append(data[start:end])
        else:
            apart[name] = field
    _check_end(pieces, data)
    header: bytes = msgpack.Packer().pack_map_header(len(kept))
    return header + b"".join(kept), apart


def _raw_string(data: bytes) -> bytes | None:
    """Return the bytes of one packed value if it is a string of any kind, else None."""
    if not (0xA0 <= data[0] <= 0xBF or 0xD9 <= data[0] <= 0xDB or 0xC4 <= data[0] <= 0xC6):
        return None
    string: bytes = msgpack.unpackb(data, raw=True)
    return string


def _read_extension(code: int, data: bytes) -> Any:
    if code == MOMENT and len(data) == 24:
        return datetime.datetime.strptime(data.decode("ascii"), MOMENT_FORMAT)
    if code == CONSTANT:
        # The inner hook refuses extensions, because constants nested in constants would recurse on the C
        # stack.
        _name, value = msgpack.unpackb(data, ext_hook=_refuse_extension, strict_map_key=False)
        return value
    return _refuse_extension(code, data)


def _refuse_extension(code: int, data: bytes) -> Any:
    raise ValueError(f"extension type {code} of {len(data)} bytes is not part of the protocol")


def _settled(root: Any, limits: MessageLimits) -> Any:
    """Return a value with bytes restored that were not UTF-8; refuse excessive nesting."""
    level: list[Any] = [[root]]
    top = level[0]
    for _ in range(limits.depth + 1):
        below: list[Any] = []
        for container in level:
            if type(container) is dict:
                _settle_map(container, below)
            elif type(container) is list:
                _settle_items(enumerate(container), container, below)
            else:
                raise WireError("a timestamp in an unsupported format", answer={"msg": "bad load"})
        if not below:
            return top[0]
        level = below
    raise WireError(f"message nested deeper than {limits.depth} levels", answer={"msg": "bad load"})


#: Types that `_settled` descends into; the last one only to refuse it.
_DEEPER = (dict, list, msgpack.Timestamp)


def _settle_map(container: dict[Any, Any], below: list[Any]) -> None:
    _settle_items(container.items(), container, below)
    odd = [key for key in container if type(key) is str and not key.isascii()]
    for key in odd:
        kept = _text_or_bytes(key)
        if kept is not key:
            container[kept] = container.pop(key)


def _settle_items(items: Any, container: Any, below: list[Any]) -> None:
    for place, value in items:
        kind = type(value)
        if kind is str:
            if not value.isascii():
                container[place] = _text_or_bytes(value)
        elif kind in _DEEPER:
            below.append(value)


def _text_or_bytes(text: str) -> str | bytes:
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape")
    return text


def _restore_bytes(value: dict[Any, Any], names: Sequence[str]) -> None:
    for name in names:
        if type(value.get(name)) is str:
            value[name] = as_bytes(value[name])
