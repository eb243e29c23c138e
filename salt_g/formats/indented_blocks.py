"""Positions of words in text whose indentation makes blocks: SLS files, and what templates make of them.

Units: lines and columns count from 1; 0 is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def line_with(lines: Sequence[str], word: str, *, start: int = 1, end: int = 0) -> tuple[int, int]:
    """Return (line, column) of the first line with a word, (0, 0) if none has it.

    `end` is the last line to look at, 0 for all. A whole word is preferred to a part of a longer one.
    """
    part = (0, 0)
    for number in _span(lines, start, end):
        if column := _whole_word(lines[number - 1], word):
            return number, column
        if part == (0, 0) and (column := lines[number - 1].find(word) + 1):
            part = number, column
    return part


def first_column(lines: Sequence[str], line: int) -> int:
    """Return the column where the text of a line begins, 0 if there is no such line."""
    return _indent(lines[line - 1]) + 1 if 0 < line <= len(lines) else 0


def block_end(lines: Sequence[str], start: int) -> int:
    """Return the last line of the block that begins at a line: the lines below it that are further inside.

    The block of line 0 is the whole text.
    """
    if not 0 < start <= len(lines):
        return len(lines)
    for number in range(start + 1, len(lines) + 1):
        text = lines[number - 1].strip()
        if text and not text.startswith(("#", "{")) and _is_outside(lines[start - 1], lines[number - 1]):
            return number - 1
    return len(lines)


def narrowed(lines: Sequence[str], line: int, words: Iterable[str]) -> tuple[int, int]:
    """Search nested words, each in the block of the previous one; return (line, column) of the last.

    The first is in the block at `line`, which names its ID and may hold the same word. Words that
    are not there are passed over.
    """
    found = line, first_column(lines, line)
    for word in filter(None, words):
        own, end = found[0], block_end(lines, found[0])
        for number in (*_span(lines, own + 1, end), *_span(lines, own, own)):
            if column := _whole_word(lines[number - 1], word):
                found = number, column
                break
    return found


def _span(lines: Sequence[str], start: int, end: int) -> range:
    """Return the existing lines of a span, to the last one if `end` is 0."""
    return range(max(start, 1), min(end or len(lines), len(lines)) + 1)


def _whole_word(text: str, word: str) -> int:
    """Return the column of a word that is no part of a longer one (`nginx` of `nginx-light`), 0 if none."""
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        before, after = text[start - 1 : start], text[end : end + 1]
        if not (_continues(before) or before == ".") and not _continues(after):
            return start + 1
        start = text.find(word, start + 1)
    return 0


def _continues(sign: str) -> bool:
    """Return whether a character makes a word longer."""
    return sign.isalnum() or sign in ("_", "-")


def _is_outside(beginning: str, text: str) -> bool:
    """Return whether a line is outside of the block that begins with another."""
    # The items of a list may stand as far left as the key that they belong to.
    is_item = text.lstrip().startswith("- ") and not beginning.lstrip().startswith("- ")
    return _indent(text) < _indent(beginning) or (_indent(text) == _indent(beginning) and not is_item)


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())
