"""The legacy `sed` functions; prefer `file.replace`."""

from __future__ import annotations

import os
import re
import shlex
from typing import Any

from salt_g import safe_files
from salt_g.api import call

_SPECIAL = "^.[$()|*+?{"
_FLAGS = {"I": re.I, "L": re.L, "M": re.M, "S": re.S, "U": re.U, "X": re.X}


def sed(
    path: str,
    before: Any,
    after: Any,
    limit: str = "",
    backup: str = ".bak",
    options: str = "-r -e",
    flags: str = "g",
    escape_all: bool = False,
    negate_match: bool = False,
) -> dict[str, Any] | bool:
    """Replace text with the program `sed`; return the result of `cmd.run_all`, False if the file is missing.

    `limit` is a pattern of the lines to edit, or with `negate_match` of those to leave unchanged.

    Example::

        salt-g file.sed /etc/httpd/httpd.conf 'LogLevel warn' 'LogLevel info'
    """
    path = os.path.expanduser(path)
    if not os.path.exists(path):
        return False
    before, after, limit = (_escaped(str(text), escape_all) for text in (before, after, limit))
    script = f"{f'/{limit}/ ' if limit else ''}{'!' if negate_match else ''}s/{before}/{after}/{flags}"
    command = ["sed", f"-i{backup}" if backup else "-i", *shlex.split(options), script, path]
    answer: dict[str, Any] = call("cmd.run_all", command, python_shell=False)
    return answer


def sed_contains(path: str, text: Any, limit: str = "", flags: str = "g") -> bool:
    """Return whether `sed` finds a pattern in a file.

    Example::

        salt-g file.sed_contains /etc/crontab 'mymaintenance.sh'
    """
    path = os.path.expanduser(path)
    if not os.path.exists(path):
        return False
    limit = _escaped(str(limit), False)
    script = f"{f'/{limit}/ ' if limit else ''}s/{_escaped(str(text), False)}/$/p{flags}"
    return bool(call("cmd.run", ["sed", "-n", "-r", "-e", script, path], python_shell=False))


def psed(
    path: str,
    before: Any,
    after: Any,
    limit: str = "",
    backup: str = ".bak",
    flags: str = "gMS",
    escape_all: bool = False,
    multi: bool = False,
) -> None:
    """Replace text in a file with Python's regular expressions; `flags` are letters, `g` for all matches.

    With `limit`, its matches and the text before the first of them are dropped. `multi` is ignored.

    Example::

        salt-g file.psed /etc/httpd/httpd.conf 'LogLevel warn' 'LogLevel info'
    """
    path = os.path.expanduser(path)
    safe_files.copy_file(path, f"{path}{backup}", whole=True)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if limit:
        text = "".join(re.split(_escaped(limit, escape_all), text)[1:])
    number = 0
    for flag in flags.replace("g", ""):
        number |= _FLAGS[flag]
    text = re.sub(
        _escaped(str(before), escape_all), str(after), text, count=0 if "g" in flags else 1, flags=number
    )
    with open(path, "w", encoding="utf-8", opener=safe_files.opener) as file:
        file.write(text)


def _escaped(text: str, every_special: bool) -> str:
    text = text.replace("'", "'\"'\"'").replace("/", "\\/")
    if every_special:
        for character in _SPECIAL:
            text = text.replace(character, "\\" + character)
    return text
