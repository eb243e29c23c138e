"""The values alone, one on each line; for use in shell scripts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def output(data: Any, opts: Mapping[str, Any], *, retcode: int = 0) -> str:
    """Return every value of nested mappings and lists on a line of its own.

    Raises TypeError, and so leaves it to the default outputter, when all that functions
    returned is a truth value, a number or nothing: stock 3008 shows those the ordinary way.
    """
    if not any(isinstance(value, (str, Mapping, list, tuple)) for value in data.values()):
        raise TypeError("nothing here is made of values")
    return "\n".join(_values(data))


def _values(data: Any) -> Iterator[str]:
    if isinstance(data, Mapping):
        for value in data.values():
            yield from _values(value)
    elif isinstance(data, (list, tuple)):
        for value in data:
            yield from _values(value)
    else:
        yield str(data)
