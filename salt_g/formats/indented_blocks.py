"""Positions of words in text with indented blocks: SLS files, as written or rendered.

Units: lines and columns count from 1; 0 means none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def line_with(lines: Sequence[str], word: str, *, start: int = 1, end: int = 0) -> tuple[int, int]:
    """Return (line, column) of the first line that contains a word, or (0, 0) if no line does.

    `end` is the last line to search, 0 for all. A whole word is preferred to a part of a longer one.
    """
    part = (0, 0)
    for number in _span(lines, start, end):
        if column := _whole_word(lines[number - 1], word):
            return number, column
        if part == (0, 0) and (column := lines[number - 1].find(word) + 1):
            part = number, column
    return part


def first_column(lines: Sequence[str], line: int) -> int:
    """Return the column where the text of a line begins, or 0 if there is no such line."""
    return _indent(lines[line - 1]) + 1 if 0 < line <= len(lines) else 0


def block_end(lines: Sequence[str], start: int) -> int:
    """Return the last line of the block that begins at line `start`.

    The block contains the following lines that are indented further, and list items in the same column. For
    line 0 it is the whole text.
    """
    if not 0 < start <= len(lines):
        return len(lines)
    for number in range(start + 1, len(lines) + 1):
        text = lines[number - 1].strip()
        if text and not text.startswith(("#", "{")) and _is_outside(lines[start - 1], lines[number - 1]):
            return number - 1
    return len(lines)


def narrowed(lines: Sequence[str], line: int, words: Iterable[str]) -> tuple[int, int]:
    """Find nested words, each in the block of the previous one; return (line, column) of the last one found.

    The search begins in the block at `line`, whose first line has the state's ID, which can contain the same
    word. Words that are not found are skipped.
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
    """Return the numbers of the existing lines from `start` to `end`, where 0 is the last line."""
    return range(max(start, 1), min(end or len(lines), len(lines)) + 1)


def _whole_word(text: str, word: str) -> int:
    """Return the column of a whole word (not of `nginx` in `nginx-light`), or 0 if there is none."""
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        before, after = text[start - 1 : start], text[end : end + 1]
        if not (_continues(before) or before == ".") and not _continues(after):
            return start + 1
        start = text.find(word, start + 1)
    return 0


def _continues(sign: str) -> bool:
    """Return whether a character is part of the word next to it."""
    return sign.isalnum() or sign in ("_", "-")


def _is_outside(beginning: str, text: str) -> bool:
    """Return whether the line `text` is outside the block that begins with the line `beginning`."""
    # List items may have the same indentation as the key that they belong to.
    is_item = text.lstrip().startswith("- ") and not beginning.lstrip().startswith("- ")
    return _indent(text) < _indent(beginning) or (_indent(text) == _indent(beginning) and not is_item)


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())
