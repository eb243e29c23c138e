"""Diffs between two texts, in the form used by all results.

Shapes: lines are bytes or str with their line ends.
Source: stock docs of `file.managed`; conformance cases `file/managed-diff`.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Sequence

#: Bytes at the start of a file that decide whether it is text.
PROBE_SIZE = 512
#: Share of bytes other than printable ASCII above which data in no known encoding counts as binary.
_BINARY_SHARE = 0.30
_PRINTABLE = bytes(range(32, 127)) + b"\n\r\t\b"
#: Bytes of text in Latin-1 and its relatives.
_LATIN_1 = _PRINTABLE + b"\f\x1b" + bytes(range(0xA0, 0x100))

Line = str | bytes


def is_binary(data: bytes) -> bool:
    """Return whether data is binary: it has a NUL, or is neither UTF-8 nor Latin-1 nor mostly printable.

    `data` may be the beginning of a file that ends within a character.
    """
    if b"\0" in data:
        return True
    if _is_utf_8(data) or not data.translate(None, _LATIN_1):
        return False
    return len(data.translate(None, _PRINTABLE)) / len(data) > _BINARY_SHARE


def _is_utf_8(data: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        return False
    return True


def is_text(path: str, size: int = PROBE_SIZE) -> bool:
    """Return whether a file begins like text; False if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return not is_binary(file.read(size))
    except OSError:
        return False


def decode_line(line: Line) -> str:
    """Decode a line as UTF-8, else as Latin-1."""
    if isinstance(line, str):
        return line
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("latin-1")


def diff_lines(old: Iterable[Line], new: Iterable[Line], old_name: str = "", new_name: str = "") -> list[str]:
    """Return the lines of a unified diff with three lines of context."""
    import difflib  # Imported lazily: only needed for a change.

    before = [decode_line(line) for line in old]
    after = [decode_line(line) for line in new]
    return list(difflib.unified_diff(before, after, old_name, new_name))


def diff(old: Iterable[Line], new: Iterable[Line], old_name: str = "", new_name: str = "") -> str:
    """Return a unified diff as one text, or '' if the lines are equal."""
    return "".join(diff_lines(old, new, old_name, new_name))


def differs_in_substance(
    lines: Sequence[str], *, ignore_whitespace: bool, ignore_comment_characters: Sequence[str]
) -> bool:
    """Return whether a diff changes more than order, comments or white space.

    A line that is removed at one position and added at another is the same line. `lines` are those of
    `diff_lines`.
    """
    added: list[str] = []
    removed: list[str] = []
    for line in lines:
        if line.startswith(("+++", "---")) or line[:1] not in ("+", "-"):
            continue
        text = _substance(line[1:], ignore_whitespace, ignore_comment_characters)
        if text:
            (added if line[0] == "+" else removed).append(text)
    return sorted(added) != sorted(removed)


def _substance(line: str, ignore_whitespace: bool, comment_characters: Sequence[str]) -> str:
    for character in comment_characters:
        line = line.partition(character)[0]
    return line.strip() if ignore_whitespace else line
