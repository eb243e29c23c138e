"""Line and column of a finding in the source file, as near as its text allows."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable


@functools.lru_cache(maxsize=512)
def lines_of(path: str) -> tuple[str, ...]:
    """Return the lines of a file, () if it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return tuple(file.read().splitlines())
    except OSError:
        return ()


def shown_path(path: str) -> str:
    """Return the path of a file below the working directory relative to it, others as they are."""
    relative = os.path.relpath(path)
    return path if relative.startswith(os.pardir) else relative


def line_with(path: str, word: str, *, start: int = 1, end: int = 0) -> tuple[int, int]:
    """Return (line, column) of the first line with a word, (0, 0) if none has it.

    `end` is the last line to look at, 0 for all. A whole word is preferred to a part of a longer one.
    """
    lines = lines_of(path)
    span = range(max(start, 1), min(end or len(lines), len(lines)) + 1)
    part = (0, 0)
    for number in span:
        column = lines[number - 1].find(word)
        if column >= 0:
            if _is_whole(lines[number - 1], column, word):
                return number, column + 1
            part = part if part != (0, 0) else (number, column + 1)
    return part


def first_column(path: str, line: int) -> int:
    """Return the column (from 1) where the text of a line begins, 0 if there is no such line."""
    lines = lines_of(path)
    if not 0 < line <= len(lines):
        return 0
    return len(lines[line - 1]) - len(lines[line - 1].lstrip()) + 1


def holds_word(path: str, line: int, word: str) -> bool:
    """Return whether a line of a file has a word."""
    return 0 < line <= len(lines_of(path)) and word in lines_of(path)[line - 1]


def first_text(path: str) -> tuple[int, int]:
    """Return (line, column) where the text of a file begins, behind comments; (0, 0) if there is none."""
    for number, text in enumerate(lines_of(path), 1):
        if text.strip() and not text.lstrip().startswith("#"):
            return number, first_column(path, number)
    return 0, 0


def block_end(path: str, start: int) -> int:
    """Return the last line of the block that begins at a line: the lines below it that are further inside."""
    lines = lines_of(path)
    if not 0 < start <= len(lines):
        return len(lines)
    indent = first_column(path, start)
    for number in range(start + 1, len(lines) + 1):
        text = lines[number - 1]
        is_code = text.strip() and not text.lstrip().startswith(("#", "{"))
        if is_code and _is_outside(lines[start - 1].strip(), text, indent):
            return number - 1
    return len(lines)


def refined(path: str, line: int, words: Iterable[str]) -> tuple[int, int]:
    """Return (line, column) of the first of these words in the block at `line`, or where the line begins."""
    for word in words:
        if word and (found := line_with(path, word, start=line, end=block_end(path, line))) != (0, 0):
            return found
    return line, first_column(path, line)


def narrowed(path: str, line: int, words: Iterable[str]) -> tuple[int, int]:
    """Return (line, column) of the last of these words, each in the block of the one before.

    The first is in the block at `line`, which names its ID and may hold the same word. Words that
    are not there are passed over.
    """
    found = line, first_column(path, line)
    for word in filter(None, words):
        end = block_end(path, found[0])
        below = line_with(path, word, start=found[0] + 1, end=end) if end > found[0] else (0, 0)
        if below == (0, 0):
            below = line_with(path, word, start=found[0], end=found[0])
        found = below if below != (0, 0) else found
    return found


def _is_outside(beginning: str, text: str, indent: int) -> bool:
    """Return whether a line is outside of the block that begins with a line at `indent`."""
    column = len(text) - len(text.lstrip()) + 1
    # The items of a list may stand as far left as the key that they belong to.
    is_item = text.lstrip().startswith("- ") and not beginning.startswith("- ")
    return column < indent or (column == indent and not is_item)


def _is_whole(text: str, column: int, word: str) -> bool:
    before = text[column - 1] if column else " "
    after = text[column + len(word) : column + len(word) + 1] or " "
    return not (before.isalnum() or after.isalnum())
