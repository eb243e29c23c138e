"""Blocks between two marker lines of a file.

Source: stock docs of `file.blockreplace`; conformance cases `file/blockreplace`.
"""

from __future__ import annotations

import codecs
import os
import re
from typing import NamedTuple

from salt_g import safe_files
from salt_g.data.text_diff import diff, is_binary
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules.file.copies import keep_copy
from salt_g.process.disk import rewrite

#: Number of bytes read to detect a file's encoding.
_PROBE_SIZE = 2048
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
}
_NOT_FOUND = "Cannot edit marked block. Markers were not found in file."


class _Block(NamedTuple):
    """The markers and the content between them; `newline` ends the content before the end marker."""

    start: str
    end: str
    content: str
    newline: bool

    def lines(self, ending: str, last: str | None = None) -> list[str]:
        """Return the content's lines and the end line (`last`, or the end marker)."""
        end_line = (self.end if last is None else last).rstrip("\r\n") + ending
        parts = re.split(r"\r\n|\n", self.content)
        lines = [part + ending for part in parts[:-1]]
        return [*lines, parts[-1] + ending, end_line] if self.newline else [*lines, parts[-1] + end_line]

    def whole(self, ending: str) -> list[str]:
        """Return the block with both markers."""
        return [self.start + ending, *self.lines(ending)]


def blockreplace(
    path: str,
    marker_start: str = "#-- start managed zone --",
    marker_end: str = "#-- end managed zone --",
    content: str = "",
    append_if_not_found: bool = False,
    prepend_if_not_found: bool = False,
    backup: str | bool = ".bak",
    dry_run: bool = False,
    show_changes: bool = True,
    append_newline: bool | None = False,
    insert_before_match: str | None = None,
    insert_after_match: str | None = None,
) -> str | bool:
    """Replace the block between two markers; return a diff, or a bool if `show_changes` is False.

    If the markers are missing, the block can be added at the end, at the start, or before or after the first
    line that matches a regular expression. `append_newline` ends the content with a line end (None: if it
    lacks one). `backup` is the suffix of the backup file, False for none.

    Example::

        salt-g file.blockreplace /etc/hosts '#-- start --' '#-- end --' $'192.0.2.1 a\\n' True
    """
    _check_places(append_if_not_found, prepend_if_not_found, insert_before_match, insert_after_match)
    path = os.path.expanduser(path)
    if not os.path.exists(path):
        raise InvocationError(f"File not found: {path}")
    encoding, old = _read_lines(path)
    newline = not content.endswith("\n") if append_newline is None else bool(append_newline)
    block = _Block(marker_start, marker_end, content, newline)
    ending = "\r\n" if old and old[0].endswith("\r\n") else "\n"
    new = _replaced(old, block, ending)
    if new is None:
        if append_if_not_found or prepend_if_not_found:
            new = _added(old, block.whole(ending), ending, at_start=prepend_if_not_found)
        else:
            new = _inserted(old, block.whole(ending), insert_before_match, insert_after_match)
    difference = diff(old, new)
    if difference and not dry_run:
        if backup is not False:
            keep_copy(path, f"{path}{backup}")
        rewrite(safe_files.resolved(path), "".join(new).encode(encoding))
    return difference if show_changes else bool(difference)


def _check_places(append: bool, prepend: bool, before: str | None, after: str | None) -> None:
    if sum([bool(append), bool(prepend), bool(before), bool(after)]) > 1:
        raise InvocationError(
            "Only one of append_if_not_found, prepend_if_not_found, insert_before_match, "
            "and insert_after_match is permitted"
        )
    for name, regex in (("insert_before_match", before), ("insert_after_match", after)):
        if regex and not isinstance(regex, str):
            raise CommandExecutionError(f"RegEx expected in {name} parameter.")


def _replaced(old: list[str], block: _Block, ending: str) -> list[str] | None:
    """Return the lines with the content of every marked block replaced, or None if there is no block."""
    new: list[str] = []
    found = inside = False
    for line in old:
        if block.start in line:
            inside = True
            new.append(line)
        elif not inside:
            new.append(line)
        elif (position := line.find(block.end)) != -1:
            new += block.lines(ending, line[position:])
            inside, found = False, True
    if inside:
        raise CommandExecutionError("Unterminated marked block. End of file reached before marker_end.")
    return new if found else None


def _added(old: list[str], block: list[str], ending: str, *, at_start: bool) -> list[str]:
    if at_start:
        return [*block, *old]
    if old and not old[-1].endswith(ending):
        old = [*old[:-1], old[-1] + ending]
    return [*old, *block]


def _inserted(old: list[str], block: list[str], before: str | None, after: str | None) -> list[str]:
    regex = before or after
    for index, line in enumerate(old):
        if regex and re.search(regex, line):
            place = index if before else index + 1
            return [*old[:place], *block, *old[place:]]
    raise CommandExecutionError(_NOT_FOUND)


def _read_lines(path: str) -> tuple[str, list[str]]:
    """Return a file's encoding and its lines with their ends."""
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError as exc:
        raise CommandExecutionError(f"Failed to read from {path}: {exc}") from exc
    encoding = _encoding(content[:_PROBE_SIZE], path)
    return encoding, re.findall(r"[^\n]*\n|[^\n]+", content.decode(encoding))


def _encoding(probe: bytes, path: str) -> str:
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if probe.startswith(mark):
            return encoding
    try:
        codecs.getincrementaldecoder("utf-8")().decode(probe)  # the sample may end inside a character
    except UnicodeDecodeError:
        if is_binary(probe):
            raise InvocationError(f"Cannot perform string replacements on a binary file: {path}") from None
        return "latin-1"
    return "utf-8"
