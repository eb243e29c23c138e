"""Stock's `salt.utils.locales`."""

import sys
from typing import Any

from salt_g.compat.utils.values.stringutils import to_str


def get_encodings() -> list[str]:
    """Return the encodings of this system."""
    return list(dict.fromkeys((sys.getdefaultencoding(), "utf-8", "latin-1")))


def sdecode(value: Any) -> Any:
    """Return text for bytes; other values unchanged."""
    return to_str(value, errors="replace") if isinstance(value, bytes) else value


def sdecode_if_string(value: Any) -> Any:
    """Return text for bytes; other values unchanged."""
    return sdecode(value)


__all__ = ["get_encodings", "sdecode", "sdecode_if_string"]
