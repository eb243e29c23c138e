"""Stock's `salt.payload`: data packed as msgpack, with stock's extension for dates."""

from typing import IO, Any

from salt_g.wire import packing


def dumps(msg: Any, use_bin_type: bool = False) -> bytes:
    """Return packed data; `use_bin_type` distinguishes bytes from text."""
    return packing.pack_bus(msg) if use_bin_type else packing.pack_network(msg)


def loads(msg: bytes, encoding: str | None = None, raw: bool = False) -> Any:
    """Return the data of packed bytes; strings are text, or bytes if `raw`."""
    # Imported lazily: only raw replies need the library's own reader.
    import msgpack

    if raw and not encoding:
        return msgpack.unpackb(msg, raw=True, strict_map_key=False)
    return packing.unpack(msg)


def dump(msg: Any, fn_: IO[bytes]) -> None:
    """Write packed data to an open file and close it."""
    with fn_:
        fn_.write(dumps(msg, use_bin_type=True))


def load(fn_: IO[bytes]) -> Any:
    """Read packed data from an open file and close it; return the data, or None if the file is empty."""
    with fn_:
        packed = fn_.read()
    return loads(packed) if packed else None


package, unpackage = dumps, loads

__all__ = ["dump", "dumps", "load", "loads", "package", "unpackage"]
