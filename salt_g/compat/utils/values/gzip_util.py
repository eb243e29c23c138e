"""Stock's `salt.utils.gzip_util`: gzip compression."""

import gzip


def compress(data: str | bytes, compresslevel: int = 9) -> bytes:
    """Return compressed data; text is UTF-8."""
    return gzip.compress(data.encode() if isinstance(data, str) else data, compresslevel)


def uncompress(data: bytes) -> bytes:
    """Return the content of compressed data."""
    return gzip.decompress(data)


__all__ = ["compress", "uncompress"]
