"""Comments of states built from errors of execution functions.

An error can have data (`info`); its changes belong in `changes`, the rest below the message. States cannot
import the outputters, hence a plain text layout of our own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.errors import CommandExecutionError


def changes_of(exc: CommandExecutionError) -> dict[str, Any]:
    """Return the changes made before the failure."""
    return dict((exc.info or {}).get("changes", {})) if isinstance(exc.info, Mapping) else {}


def described(exc: CommandExecutionError) -> str:
    """Return the error's message and, below it, the error's data without the changes."""
    message = str(exc)
    info = exc.info
    if isinstance(info, Mapping):
        info = {key: value for key, value in info.items() if key != "changes"}
    if not info:
        return message
    stop = "" if not message or message[-1] in ".?!" else "."
    return f"{message}{stop} Additional info follows:\n\n{as_text(info)}"


def as_text(data: Any) -> str:
    """Return data formatted like the default outputter, without colour."""
    return "\n".join(_lines(data, 0, ""))


def _lines(data: Any, indent: int, prefix: str) -> Iterator[str]:
    if isinstance(data, Mapping):
        if indent:
            yield " " * indent + "----------"
        for key in sorted(data, key=str):
            yield f"{' ' * indent}{prefix}{key}:"
            yield from _lines(data[key], indent + 4, "")
    elif isinstance(data, (list, tuple)):
        for item in data:
            yield from _item_lines(item, indent)
    else:
        for at, line in enumerate(str(data).splitlines()):
            yield f"{' ' * indent}{prefix if at == 0 else ' ' * len(prefix)}{line}"


def _item_lines(item: Any, indent: int) -> Iterator[str]:
    if isinstance(item, (Mapping, list, tuple)):
        yield " " * indent + "|_"
        yield from _lines(item, indent + 2, "" if isinstance(item, Mapping) else "- ")
    else:
        yield from _lines(item, indent, "- ")
