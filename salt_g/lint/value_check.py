"""Check of argument values that a run would refuse or misread: orders and file modes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from salt_g.lint.unknown import holds_unknown
from salt_g.shapes import LowChunk

#: Arguments of `file` functions that are file modes.
_MODES = ("mode", "file_mode", "dir_mode")
#: `file` functions with file modes; in others, such as `file.line`, `mode` has another meaning.
_WITH_MODES = ("copy", "directory", "managed", "mknod", "recurse", "serialize", "symlink")
_MODE = re.compile(r"['\"]?(0o)?[0-7]{1,5}['\"]?\Z")
#: Words that are valid as modes.
_KEPT = ("keep",)


class WrongValue(NamedTuple):
    """Argument, with a message about its value; `is_error`: a run would fail."""

    argument: str
    message: str
    is_error: bool


def wrong_values(low: LowChunk) -> Iterator[WrongValue]:
    """Yield arguments of a chunk whose values are wrong for any function."""
    values: dict[str, Any] = dict(low)
    order = values.get("order", 1)
    if not _is_order(order) and not holds_unknown(order):
        message = f"the order {order!r} is neither a number nor first or last, and has no effect"
        yield WrongValue("order", message, is_error=False)
    if low["state"] != "file" or low["fun"] not in _WITH_MODES:
        return
    for name in _MODES:
        mode = values.get(name)
        if mode is not None and not holds_unknown(mode) and not _is_mode(mode):
            message = f"{name} is {mode!r}, but must be an octal number in quotes ('0644')"
            yield WrongValue(name, message, is_error=True)


def _is_order(order: Any) -> bool:
    return isinstance(order, (int, float)) or order in ("first", "last")


def _is_mode(mode: Any) -> bool:
    if isinstance(mode, bool) or not isinstance(mode, (int, str)):
        return False
    return str(mode).strip() in ("", *_KEPT) or bool(_MODE.match(str(mode).strip()))
