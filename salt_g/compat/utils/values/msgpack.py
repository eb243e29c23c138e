"""Stock's `salt.utils.msgpack`: the library msgpack, which keeps text and bytes apart."""

from typing import IO, Any

import msgpack
from msgpack import Packer, Unpacker, version
from msgpack.exceptions import UnpackValueError as UnpackValueError

exceptions = msgpack.exceptions


def packb(o: Any, **kwargs: Any) -> bytes:
    """Return packed data."""
    packed: bytes = msgpack.packb(o, **_without_stocks(kwargs))
    return packed


def unpackb(packed: bytes, **kwargs: Any) -> Any:
    """Return the data of packed bytes."""
    return msgpack.unpackb(packed, **{"strict_map_key": False, **_without_stocks(kwargs)})


def pack(o: Any, stream: IO[bytes], **kwargs: Any) -> None:
    """Write packed data to a file."""
    stream.write(packb(o, **kwargs))


def unpack(stream: IO[bytes], **kwargs: Any) -> Any:
    """Return the data of a file of packed bytes."""
    return unpackb(stream.read(), **kwargs)


def _without_stocks(kwargs: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in kwargs.items() if name not in ("_msgpack_module", "encoding")}


dumps, loads, dump, load = packb, unpackb, pack, unpack

__all__ = [
    "Packer",
    "Unpacker",
    "dump",
    "dumps",
    "exceptions",
    "load",
    "loads",
    "pack",
    "packb",
    "unpack",
    "unpackb",
    "version",
]
