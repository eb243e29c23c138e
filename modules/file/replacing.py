"""Replacement of matches of a regular expression in a file.

Source: stock docs of `file.replace`; conformance cases `file/replace`, `modules/file-write`.
"""

from __future__ import annotations

import contextlib
import os
import re
from typing import NamedTuple

from salt_g import safe_files
from salt_g.data.text_diff import diff, is_text
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules.file.copies import keep_copy
from salt_g.modules.file.flags import Flags, regex_flags
from salt_g.process.disk import rewrite

_END = os.linesep.encode()


class _Edit(NamedTuple):
    """Pattern, replacement and the line to add; all text is UTF-8, like the content that `_read` returns."""

    pattern: re.Pattern[bytes]
    repl: bytes
    #: Number of matches to replace, 0 for all.
    most: int
    missing_line: bytes | None
    at_start: bool


def replace(
    path: str,
    pattern: str,
    repl: str,
    count: int = 0,
    flags: Flags = 8,
    bufsize: int | str = 1,
    append_if_not_found: bool = False,
    prepend_if_not_found: bool = False,
    not_found_content: str | None = None,
    backup: str | bool = ".bak",
    dry_run: bool = False,
    search_only: bool = False,
    show_changes: bool = True,
    ignore_if_missing: bool = False,
    preserve_inode: bool = True,
    backslash_literal: bool = False,
    encoding: str | None = None,
) -> str | bool:
    """Replace matches of an expression; return a diff, or a bool if `show_changes` is False.

    `count` limits the replacements (0: all). `flags` are names or numbers of Python's `re` flags; the default
    is MULTILINE. Without a match, `append_if_not_found` or `prepend_if_not_found` adds `not_found_content`
    (else `repl`) as a line, unless the file already has that line. `backup` is the suffix of the backup file,
    False for none. `dry_run` changes nothing; `search_only` returns whether there is a match.
    `backslash_literal` keeps backslashes in `repl` literal. `bufsize` is ignored. The file is replaced
    atomically, so `preserve_inode` has no effect.

    Example::

        salt-g file.replace /etc/default/app '^PORT=.*' repl='PORT=8080'
    """
    given = os.path.expanduser(path)
    path = safe_files.resolved(given)
    if not os.path.exists(path) and ignore_if_missing:
        return False
    check_editable(path, encoding)
    _check_arguments(search_only, append_if_not_found, prepend_if_not_found)
    content = _read(path, encoding)
    expression = re.compile(pattern.encode(), regex_flags(flags))
    if search_only:
        return expression.search(content) is not None
    new_text = str(repl).replace("\\", "\\\\") if backslash_literal else str(repl)
    wants_line = append_if_not_found or prepend_if_not_found
    line = str(repl if not_found_content is None else not_found_content).encode() if wants_line else None
    edited = _edited(content, _Edit(expression, new_text.encode(), count, line, prepend_if_not_found))
    if edited != content and not dry_run:
        _store(path, edited, given, backup, encoding)
    if show_changes:
        return diff(content.splitlines(True), edited.splitlines(True))
    return edited != content


def check_editable(path: str, encoding: str | None = None) -> None:
    """Raise InvocationError for a path that is missing or, without an encoding, not text."""
    if not os.path.exists(path):
        raise InvocationError(f"File not found: {path}")
    if encoding is None and not is_text(path):
        raise InvocationError(f"Cannot perform string replacements on a binary file: {path}")


def _check_arguments(search_only: bool, append: bool, prepend: bool) -> None:
    if search_only and (append or prepend):
        raise InvocationError("search_only cannot be used with append/prepend_if_not_found")
    if append and prepend:
        raise InvocationError("Only one of append and prepend_if_not_found is permitted")


def _edited(content: bytes, edit: _Edit) -> bytes:
    result, replaced = edit.pattern.subn(edit.repl, content, edit.most)
    if replaced or edit.missing_line is None or _has_line(content, edit):
        return result
    if edit.at_start:
        return edit.missing_line + _END + result
    if result and not result.endswith(_END):
        result += _END
    return result + edit.missing_line + _END


def _has_line(content: bytes, edit: _Edit) -> bool:
    """Return whether the line to add (the replacement if no text is given) is already present."""
    line = edit.missing_line or edit.repl
    return re.search(rb"^" + re.escape(line) + rb"($|(?=\r\n))", content, edit.pattern.flags) is not None


def _read(path: str, encoding: str | None) -> bytes:
    """Return the content as UTF-8, whatever the file's encoding; unchanged if the encoding is unknown."""
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError as exc:
        raise CommandExecutionError(f"Unable to open file '{path}'. Exception: {exc}") from exc
    return content.decode(encoding).encode() if encoding else content


def _store(path: str, content: bytes, given: str, backup: str | bool, encoding: str | None) -> None:
    if backup:
        keep_copy(path, f"{path}{backup}")
        if os.path.islink(given):
            _link_backup(given, str(backup))
    try:
        rewrite(path, content.decode().encode(encoding) if encoding else content)
    except OSError as exc:
        raise CommandExecutionError(f"Unable to write file '{path}'. Exception: {exc}") from exc


def _link_backup(given: str, backup: str) -> None:
    """Create the backup as a link too, if the file was named through a link."""
    link = f"{given}{backup}"
    with contextlib.suppress(FileNotFoundError):
        safe_files.remove_file(link)
    safe_files.symlink(f"{os.readlink(given)}{backup}", link)
