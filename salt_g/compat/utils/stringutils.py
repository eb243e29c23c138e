"""Stock's `salt.utils.stringutils`."""

from typing import Any


def to_str(value: Any, encoding: str = "utf-8", errors: str = "strict") -> str:
    """Return text for text or bytes."""
    return value.decode(encoding, errors) if isinstance(value, (bytes, bytearray)) else str(value)


def to_bytes(value: Any, encoding: str = "utf-8", errors: str = "strict") -> bytes:
    """Return bytes for text or bytes."""
    return value.encode(encoding, errors) if isinstance(value, str) else bytes(value)


to_unicode = to_str

__all__ = ["to_bytes", "to_str", "to_unicode"]
