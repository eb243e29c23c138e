"""Texts of the files that are open in an editor, and positions in them.

Units: a position has a line and a character, both from 0; a character is a UTF-16 code unit, which is the
default of the protocol. Errors: ValueError for malformed positions and changes.
Source: Language Server Protocol 3.17, "Text Documents", "Text Document Synchronization".
"""

from __future__ import annotations

import os
import re
import urllib.parse
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

#: Maximum length of a document (characters).
MAX_TEXT = 4 * 1024 * 1024
#: Line ends of the protocol; Python's `splitlines` also splits at others.
_LINE_END = re.compile(r"\r\n|\r|\n")


class Position(NamedTuple):
    """Position in a text: a line and a character, both from 0."""

    line: int
    character: int


class Document:
    """Text of an open file, with its version."""

    def __init__(self, uri: str, version: int | None, text: str) -> None:
        self.uri = uri
        self.path = path_of(uri)
        self.version = version
        self.text = _bounded(text)

    def change(self, version: int | None, changes: Iterable[Mapping[str, Any]]) -> None:
        """Apply changes in order; each replaces a range or the whole text. Raise ValueError."""
        text = self.text
        for change in changes:
            new = change.get("text")
            if not isinstance(new, str):
                raise ValueError("a change needs a text")
            if (replaced := change.get("range")) is None:
                text = _bounded(new)
                continue
            start, end = (offset_of(text, position_of(replaced.get(key))) for key in ("start", "end"))
            if end < start:
                raise ValueError("the end of a range is before its start")
            text = _bounded(text[:start] + new + text[end:])
        self.text, self.version = text, version

    def before(self, position: Position) -> str:
        """Return the text before a position."""
        return self.text[: offset_of(self.text, position)]

    def position(self, value: Any) -> Position:
        """Parse a position of a message; a line after the last one becomes the end of the text."""
        position = position_of(value)
        last = len(_LINE_END.findall(self.text))
        return position if position.line <= last else Position(last, len(self.text))

    def line(self, number: int) -> str:
        """Return the text of a line (from 0), or '' after the last one."""
        lines = lines_in(self.text)
        return lines[number] if 0 <= number < len(lines) else ""


def lines_in(text: str) -> list[str]:
    """Return the lines of a text without their line ends."""
    return _LINE_END.split(text)


def position_of(value: Any) -> Position:
    """Parse a position of a message; raises ValueError."""
    if not isinstance(value, dict):
        raise ValueError("a position must be an object")
    line, character = value.get("line"), value.get("character")
    if type(line) is not int or type(character) is not int or line < 0 or character < 0:
        raise ValueError("line and character of a position must be non-negative integers")
    return Position(line, character)


def offset_of(text: str, position: Position) -> int:
    """Return the index of a position in a text; a character after its line becomes the line's end."""
    start = 0
    for _ in range(position.line):
        end = _LINE_END.search(text, start)
        if end is None:
            return len(text)
        start = end.end()
    end = _LINE_END.search(text, start)
    line = text[start : end.start() if end else len(text)]
    return start + index_of_unit(line, position.character)


def index_of_unit(line: str, units: int) -> int:
    """Return the index in a line that follows `units` UTF-16 code units."""
    if line.isascii():
        return min(units, len(line))
    for index, sign in enumerate(line):
        if units <= 0:
            return index
        units -= 2 if ord(sign) > 0xFFFF else 1
    return len(line)


def units_of(line: str, index: int) -> int:
    """Return the number of UTF-16 code units before an index of a line."""
    before = line[:index]
    return len(before) + sum(ord(sign) > 0xFFFF for sign in before)


def span(line: str, number: int, start: int, end: int) -> dict[str, Any]:
    """Return the protocol's range from index `start` to `end` of `line`, the line `number` (from 0)."""
    return {
        "start": {"line": number, "character": units_of(line, start)},
        "end": {"line": number, "character": units_of(line, end)},
    }


def path_of(uri: str) -> str:
    """Return the local path of a `file:` URI, or '' for any other text."""
    try:
        parts = urllib.parse.urlsplit(uri)
    except ValueError:
        return ""
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return ""
    path = urllib.parse.unquote(parts.path, errors="surrogateescape")
    return os.path.normpath(path) if path.startswith("/") and "\0" not in path else ""


def uri_of(path: str) -> str:
    """Return the URI of a path."""
    return "file://" + urllib.parse.quote(os.fsencode(path))


def _bounded(text: str) -> str:
    if len(text) > MAX_TEXT:
        raise ValueError(f"a text has more than {MAX_TEXT} characters")
    return text
