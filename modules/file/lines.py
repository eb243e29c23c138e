"""Edits of one line of a file: insert, ensure, replace or delete.

Shapes: a file's lines keep their line ends; a trailing '' means that the last line has a line end.
Source: stock docs of `file.line`; conformance cases `file/line`.
"""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Callable
from typing import NamedTuple

from salt_g import safe_files
from salt_g.api import opts
from salt_g.data.text_diff import diff
from salt_g.data.text_encoding import encoded, file_encoding
from salt_g.errors import CommandExecutionError
from salt_g.modules.file.copies import keep_copy
from salt_g.process.disk import rewrite

log = logging.getLogger(__name__)

_NO_MODE = "Mode was not defined. How to process the file?"
_LINE_END = re.compile(r"(\r\n|\r|\n)$")


class _Edit(NamedTuple):
    """One edit; `before`, `after` and `match` are the matching lines, None if not requested."""

    content: str
    location: str | None
    match: list[str] | None
    before: list[str] | None
    after: list[str] | None
    indent: bool


def line(
    path: str,
    content: str | None = None,
    match: str | None = None,
    mode: str | None = None,
    location: str | None = None,
    before: str | None = None,
    after: str | None = None,
    show_changes: bool = True,
    backup: bool = False,
    quiet: bool = False,
    indent: bool = True,
) -> str | bool:
    """Edit a line of a file; return a diff, or False if nothing changed.

    mode
        `insert` adds `content` at `location` or beside a line; `ensure` adds it beside a line or between two,
        replacing a single line there; `replace` and `delete` apply to the first line that matches `match`.
    match, before, after
        Lines, found by a regular expression or by literal text; the new line is put before `before` and after
        `after`. Without any of the three, `match` is `content`.
    show_changes
        False returns only whether something changed.
    location
        `start` or `end` of the file.
    indent
        Indent the new line like its neighbour.
    backup
        Keep a dated copy of the old file.
    quiet
        Return False for a missing file instead of raising CommandExecutionError.

    Example::

        salt-g file.line /etc/nsswitch.conf 'networks: files dns' after='hosts:.*' mode=ensure
    """
    path = safe_files.resolved(os.path.expanduser(path))
    if not os.path.isfile(path):
        if quiet:
            return False
        raise CommandExecutionError(f'File "{path}" does not exists or is not a file.')
    wanted_mode = _checked_mode(mode, content)
    if match is None and before is None and after is None:
        match = content
    encoding = file_encoding(path)
    with open(path, encoding=encoding) as file:
        old = file.readlines()
    text = content or ""
    edit = _Edit(text, location, _fitting(old, match), _fitting(old, before), _fitting(old, after), indent)
    new = _joinable(_MODES[wanted_mode]([*old, ""] if old and _end_of(old[-1]) else list(old), edit))
    changed = "".join(old) != "".join(new)
    if changed and not opts["test"]:
        data = encoded("".join(new), encoding, path)
        if backup:
            keep_copy(path, f"{path}.{time.strftime('%Y-%m-%d-%H-%M-%S')}")
        rewrite(path, data)
    return (diff(old, new) or changed) if changed and show_changes else changed


def _checked_mode(mode: str | None, content: str | None) -> str:
    if not mode:
        raise CommandExecutionError(_NO_MODE)
    if mode.lower() not in _MODES:
        raise CommandExecutionError(f'Unknown mode: "{mode.lower()}"')
    if mode.lower() != "delete" and content is None:
        raise CommandExecutionError('Content can only be empty if mode is "delete"')
    return mode.lower()


def _delete(lines: list[str], edit: _Edit) -> list[str]:
    return [line for line in lines if line != edit.match[0]] if edit.match else lines


def _replace(lines: list[str], edit: _Edit) -> list[str]:
    if edit.match:
        place = lines.index(edit.match[0])
        lines[place] = _indented(lines[place], edit)
    return lines


def _insert(lines: list[str], edit: _Edit) -> list[str]:
    if edit.before is None and edit.after is None and edit.location is None:
        raise CommandExecutionError('On insert either "location" or "before/after" conditions are required.')
    if edit.location:
        return _insert_at_end_or_start(lines, edit)
    if edit.before and edit.after:
        _assert_once(edit.before, "before")
        _assert_once(edit.after, "after")
        place = lines.index(edit.before[0])
        lines.insert(place, _indented(lines[place], edit))
        return lines
    return _beside(lines, edit, "Neither before or after was found in file", indent_before_as_previous=False)


def _insert_at_end_or_start(lines: list[str], edit: _Edit) -> list[str]:
    if edit.location == "end":
        return [*lines, _indented(lines[-1], edit)] if lines else [edit.content]
    if edit.location == "start":
        return [_with_end_of(lines[0], edit.content), *lines] if lines else [edit.content + os.linesep]
    return lines


def _ensure(lines: list[str], edit: _Edit) -> list[str]:
    if edit.before and edit.after:
        return _ensure_between(lines, edit)
    return _beside(
        lines,
        edit,
        "Wrong conditions? Unable to ensure line without knowing where to put it before and/or after.",
        indent_before_as_previous=True,
    )


def _ensure_between(lines: list[str], edit: _Edit) -> list[str]:
    assert edit.before and edit.after
    _assert_once(edit.after, "after")
    _assert_once(edit.before, "before")
    first, last = lines.index(edit.after[0]), lines.index(edit.before[0])
    if any(line.lstrip() == edit.content for line in lines):
        return lines
    if last - first == 1:
        lines.insert(last, _indented(lines[first], edit))
    elif last - first == 2:
        lines[first + 1] = _indented(lines[first], edit)
    else:
        raise CommandExecutionError('Found more than one line between boundaries "before" and "after".')
    return lines


def _beside(lines: list[str], edit: _Edit, complaint: str, *, indent_before_as_previous: bool) -> list[str]:
    """Insert the line after or before the matching one, unless it is already there."""
    if edit.after:
        _assert_once(edit.after, "after")
        place = lines.index(edit.after[0]) + 1
        if place >= len(lines) or not _same(lines[place], edit.content):
            lines.insert(place, _indented(lines[place - 1], edit))
    elif edit.before:
        _assert_once(edit.before, "before")
        place = lines.index(edit.before[0])
        if place == 0 or not _same(lines[place - 1], edit.content):
            neighbour = lines[place - 1] if indent_before_as_previous else lines[place]
            lines.insert(place, _indented(neighbour, edit))
    else:
        raise CommandExecutionError(complaint)
    return lines


_MODES: dict[str, Callable[[list[str], _Edit], list[str]]] = {
    "insert": _insert,
    "ensure": _ensure,
    "delete": _delete,
    "replace": _replace,
}


def _fitting(lines: list[str], regex: str | None) -> list[str] | None:
    """Return the lines that contain `regex` as an expression or as text; None without a condition."""
    if not lines or not regex:
        return None
    try:
        wanted = re.compile(regex, re.DOTALL)
    except re.error as exc:
        raise CommandExecutionError(f"{exc}: '{regex}'") from exc
    return [line for line in lines if wanted.search(line) or regex in line]


def _assert_once(lines: list[str], condition: str) -> None:
    if len(lines) != 1:
        amount = "more than" if len(lines) > 1 else "less than"
        raise CommandExecutionError(f'Found {amount} expected occurrences in "{condition}" expression')


def _same(line: str, content: str) -> bool:
    return line.rstrip("\r\n") == content.rstrip("\r\n")


def _indented(neighbour: str, edit: _Edit) -> str:
    if not edit.indent:
        return edit.content
    return neighbour[: len(neighbour) - len(neighbour.lstrip("\t "))] + edit.content.lstrip()


def _end_of(line: str) -> str:
    found = _LINE_END.search(line)
    return found.group() if found else ""


def _with_end_of(neighbour: str, line: str) -> str:
    return line.rstrip() + (_end_of(neighbour) or os.linesep)


def _joinable(lines: list[str]) -> list[str]:
    """Return lines that can be joined: all but the last get a line end, a trailing empty line is dropped."""
    for place, text in enumerate(lines[:-1]):
        if not _end_of(text):
            lines[place] = _with_end_of(lines[place - 1 if place else 1], text)
    return lines[:-1] if lines and lines[-1] == "" else lines
