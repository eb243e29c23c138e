"""Commenting and uncommenting of lines in a file.

Source: stock docs of `file.comment_line`; conformance cases `file/comment`, `modules/file-write`.
"""

from __future__ import annotations

import os
import re

from salt_g import safe_files
from salt_g.data.text_diff import decode_line, diff, is_text
from salt_g.data.text_encoding import encoded, encoding_of
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules.file.copies import keep_copy
from salt_g.process.disk import rewrite


def comment(path: str, regex: str, char: str = "#", backup: str | bool = ".bak") -> str | bool:
    """Comment out the lines that begin with a match; return the result of `comment_line`.

    Example::

        salt-g file.comment /etc/modules pcspkr
    """
    return comment_line(path, regex, char, True, backup)


def uncomment(path: str, regex: str, char: str = "#", backup: str | bool = ".bak") -> str | bool:
    """Remove the comment character from matching lines; return the result of `comment_line`.

    Example::

        salt-g file.uncomment /etc/hosts.deny 'ALL: PARANOID'
    """
    return comment_line(path, regex, char, False, backup)


def comment_line(
    path: str, regex: str, char: str = "#", cmnt: bool = True, backup: str | bool = ".bak"
) -> str | bool:
    """Put `char` before lines that begin with a match of `regex`; with `cmnt=False` remove it from lines.

    With `cmnt=False`, the match follows `char`, perhaps after white space. `backup` is the suffix of the
    backup file, '' or False for none. Returns a diff of only the changed lines, False if no line matches.

    Example::

        salt-g file.comment_line /etc/modules pcspkr
    """
    path = safe_files.resolved(os.path.expanduser(path))
    if not os.path.isfile(path):
        raise InvocationError(f"File not found: {path}")
    if not is_text(path):
        raise InvocationError(f"Cannot perform string replacements on a binary file: {path}")
    wanted = re.compile(_anchored(regex, char, cmnt))
    raw = _read_lines(path)
    old = [decode_line(line) for line in raw]
    new = [_changed(line, char, cmnt) if wanted.match(line) else line for line in old]
    matching = [place for place, line in enumerate(old) if wanted.match(line)]
    if not matching:
        return False
    # Each line keeps its encoding.
    data = [encoded(text, encoding_of(line), path) for text, line in zip(new, raw, strict=True)]
    if backup:
        keep_copy(path, f"{path}{backup}")
    rewrite(path, b"".join(data))
    return diff([old[place] for place in matching], [new[place] for place in matching])


def _anchored(regex: str, char: str, commenting: bool) -> str:
    end = "$" if regex.endswith("$") else ""
    core = regex.lstrip("^").rstrip("$")
    if commenting:
        return f"{'^' if regex.startswith('^') else ''}({core}){end}"
    return rf"^{char}\s*({core}){end}"


def _changed(line: str, char: str, commenting: bool) -> str:
    return f"{char}{line}" if commenting else line.lstrip(char)


def _read_lines(path: str) -> list[bytes]:
    try:
        with open(path, "rb") as file:
            return file.readlines()
    except OSError as exc:
        raise CommandExecutionError(f"Unable to open file '{path}'. Exception: {exc}") from exc
