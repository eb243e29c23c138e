"""Stock's `salt.utils.stringio`: texts in memory that behave like open files."""

import io
from typing import Any


def is_stringio(obj: Any) -> bool:
    """Return whether an object is such a text."""
    return isinstance(obj, io.StringIO)


is_readable = is_writable = is_stringio

__all__ = ["is_readable", "is_stringio", "is_writable"]
