"""Outputter: values only, one on each line, for use in shell scripts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def output(data: Any, opts: Mapping[str, Any], *, retcode: int = 0) -> str:
    """Return every value of nested mappings and lists on its own line.

    Raise TypeError if functions returned only booleans, numbers or None; the default outputter is then used,
    as in stock 3008.
    """
    if not any(isinstance(value, (str, Mapping, list, tuple)) for value in data.values()):
        raise TypeError("the data contains no values")
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
