"""Outputter: lines of `id: text`, for the output of commands on many minions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.formats.ordered import unmarked


def output(data: Any, opts: Mapping[str, Any], *, retcode: int = 0) -> str:
    """Return a line for each line of each value, prefixed with the key, each with a newline."""
    data = unmarked(data)
    if isinstance(data, Mapping):
        return "".join(f"{key}: {line}\n" for key, value in data.items() for line in _lines(value))
    if isinstance(data, str):
        return f"{data}\n"
    import pprint

    return f"{pprint.pformat(data)}\n"


def _lines(value: Any) -> list[Any]:
    return value.splitlines() if isinstance(value, (str, bytes)) else [value]
