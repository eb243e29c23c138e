"""States that comment lines out or uncomment them.

Source: stock docs of `file.comment`, `file.uncomment`; conformance case `file/comment`.
"""

from __future__ import annotations

import os
import re

from salt_g.api import call, opts
from salt_g.data.text_diff import diff, is_text
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, failed, outcome, would_change
from salt_g.states.file.checks import file_problem


def comment(
    name: str, regex: str, char: str = "#", backup: str | bool = ".bak", ignore_missing: bool = False
) -> StateReturn:
    """Comment out the lines of a file that begin with a match of `regex`.

    With `ignore_missing` it is not an error if there is no such line. `backup` is the suffix of the backup
    file, False for none.

    Example::

        /etc/fstab:
          file.comment:
            - regex: ^bind 127.0.0.1
    """
    name = os.path.expanduser(name)
    if problem := file_problem(name, "comment"):
        return failed(name, problem)
    bare = re.sub(r"^(\(\?[iLmsux]\))?\^?(.*?)\$?$", r"\2", regex)
    commented = char + bare
    if not _found(name, rf"^(?!\s*{char})\s*{bare}"):
        if _found(name, commented):
            return as_wanted(name, "Pattern already commented")
        if ignore_missing:
            return as_wanted(name, "Pattern not found and ignore_missing set to True")
        return failed(name, f"{bare}: Pattern not found")
    if opts["test"]:
        return would_change(name, f"File {name} is set to be updated", {name: "updated"})
    return _edited(name, regex, char, backup, commented, True)


def uncomment(name: str, regex: str, char: str = "#", backup: str | bool = ".bak") -> StateReturn:
    """Uncomment the lines of a file whose text after the comment character begins with a match of `regex`.

    Example::

        /etc/adduser.conf:
          file.uncomment:
            - regex: EXTRA_GROUPS
    """
    name = os.path.expanduser(name)
    if problem := file_problem(name, "uncomment"):
        return failed(name, problem)
    bare = regex.lstrip("^")
    uncommented = f"^[ \t]*{bare}"
    if not _found(name, f"{char}[ \t]*{bare}"):
        if _found(name, uncommented):
            return as_wanted(name, "Pattern already uncommented")
        return failed(name, f"{regex}: Pattern not found")
    if opts["test"]:
        return would_change(name, f"File {name} is set to be updated", {name: "updated"})
    return _edited(name, regex, char, backup, uncommented, False)


def _found(name: str, pattern: str) -> bool:
    return bool(call("file.search", name, pattern, multiline=True))


def _edited(
    name: str, regex: str, char: str, backup: str | bool, expected: str, commenting: bool
) -> StateReturn:
    old = _lines(name)
    call("file.comment_line", name, regex, char, commenting, backup)
    new = _lines(name)
    changes = {} if old == new else {"diff": diff(old, new) if is_text(name) else "Replace binary file"}
    kind = "commented lines" if commenting else "uncommented lines"
    if _found(name, expected):
        return outcome(name, True, f"{kind.capitalize()} successfully", changes)
    return outcome(name, False, f"Expected {kind} not found", changes)


def _lines(name: str) -> list[bytes]:
    with open(name, "rb") as file:
        return file.readlines()
