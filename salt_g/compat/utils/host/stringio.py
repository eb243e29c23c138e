"""Stock's `salt.utils.stringio`: checks for in-memory text files (`io.StringIO`)."""

import io
from typing import Any


def is_stringio(obj: Any) -> bool:
    """Return whether an object is an `io.StringIO`."""
    return isinstance(obj, io.StringIO)


is_readable = is_writable = is_stringio

__all__ = ["is_readable", "is_stringio", "is_writable"]
