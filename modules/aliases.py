"""Mail aliases: targets of local names (/etc/aliases).

Shapes: a line is (name, target, comment); a line without an alias is (None, None, text).
Source: aliases(5). Settings: `aliases.file`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from salt_g.api import call
from salt_g.errors import InvocationError
from salt_g.modules import _text_file
from salt_g.modules._programs import is_installed, run

__outputter__ = {
    "rm_alias": "txt",
    "has_target": "txt",
    "get_target": "txt",
    "set_target": "txt",
    "list_aliases": "yaml",
}

_LINE = re.compile(r"([^:#]+?)\s*:\s*([^#]*?)(\s+#.*|)$")
_DEFAULT_FILE = "/etc/aliases"
_FILE_MODE = 0o644


class _Line(NamedTuple):
    alias: str | None
    target: str | None
    comment: str


def list_aliases() -> dict[str, str]:
    """Return {name: target} of all aliases.

    Example::

        salt-g aliases.list_aliases
    """
    return {line.alias: line.target or "" for line in _lines() if line.alias}


def get_target(alias: str) -> str:
    """Return the target of an alias, or '' if there is none.

    Example::

        salt-g aliases.get_target root
    """
    return list_aliases().get(alias, "")


def has_target(alias: str, target: Any) -> bool:
    """Return whether an alias has exactly this target (a text or a list of texts).

    Example::

        salt-g aliases.has_target root admin@example.com
    """
    if target == "":
        raise InvocationError("target can not be an empty string")
    return list_aliases().get(alias) == _joined(target)


def set_target(alias: str, target: Any) -> bool:
    """Set the target of an alias (a text or a list of texts); return True.

    Example::

        salt-g aliases.set_target root admin@example.com
    """
    if alias == "":
        raise InvocationError("alias can not be an empty string")
    if target == "":
        raise InvocationError("target can not be an empty string")
    if get_target(alias) == _joined(target):
        return True
    lines = _lines()
    first = next((line for line in lines if line.alias == alias), None)
    new = _Line(alias, _joined(target), first.comment if first else "")
    kept = [new if line is first else line for line in lines if line is first or line.alias != alias]
    _write(kept if first else [*kept, new])
    return True


def rm_alias(alias: str) -> bool:
    """Remove an alias; return True.

    Example::

        salt-g aliases.rm_alias root
    """
    if get_target(alias):
        _write([line for line in _lines() if line.alias != alias])
    return True


def _joined(target: Any) -> str:
    return ", ".join(map(str, target)) if isinstance(target, (list, tuple)) else str(target)


def _file() -> str:
    return os.path.realpath(call("config.option", "aliases.file") or _DEFAULT_FILE)


def _lines() -> list[_Line]:
    if not os.path.isfile(_file()):
        return []
    with open(_file(), encoding="utf-8", errors="surrogateescape") as file:
        return [_read(line.rstrip("\n")) for line in file]


def _read(text: str) -> _Line:
    found = _LINE.match(text)
    return _Line(*found.groups()) if found else _Line(None, None, text)


def _write(lines: Iterable[_Line]) -> None:
    """Replace the text of the file, a new one gets the mode 644; update the mail server's database."""
    texts = (f"{line.alias}: {line.target}{line.comment}" if line.alias else line.comment for line in lines)
    _text_file.rewrite_durably(_file(), "".join(f"{text}\n" for text in texts), mode=_FILE_MODE)
    if is_installed("newaliases"):
        run(["newaliases"])
