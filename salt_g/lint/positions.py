"""Positions of findings in source files (line and column), as exact as the texts allow."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable

from salt_g.formats import indented_blocks


@functools.lru_cache(maxsize=512)
def lines_of(path: str) -> tuple[str, ...]:
    """Return the lines of a file, or () if it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return tuple(file.read().splitlines())
    except OSError:
        return ()


def shown_path(path: str) -> str:
    """Return a path below the working directory as a relative path, any other path unchanged."""
    if not path:
        return ""
    relative = os.path.relpath(path)
    return path if relative.startswith(os.pardir) else relative


def line_with(path: str, word: str, *, start: int = 1, end: int = 0) -> tuple[int, int]:
    """Return (line, column) of the first line that contains a word, or (0, 0) if there is none.

    `end` is the last line to look at, 0 for all.
    """
    return indented_blocks.line_with(lines_of(path), word, start=start, end=end)


def first_column(path: str, line: int) -> int:
    """Return the column (from 1) where the text of a line begins, 0 if there is no such line."""
    return indented_blocks.first_column(lines_of(path), line)


def holds_word(path: str, line: int, word: str) -> bool:
    """Return whether a line of a file contains a word."""
    return 0 < line <= len(lines_of(path)) and word in lines_of(path)[line - 1]


def first_text(path: str) -> tuple[int, int]:
    """Return (line, column) of the first text after comments, or (0, 0) if there is none."""
    for number, text in enumerate(lines_of(path), 1):
        if text.strip() and not text.lstrip().startswith("#"):
            return number, first_column(path, number)
    return 0, 0


def block_end(path: str, start: int) -> int:
    """Return the last line of the block that begins at a line of a file."""
    return indented_blocks.block_end(lines_of(path), start)


def refined(path: str, line: int, words: Iterable[str]) -> tuple[int, int]:
    """Return (line, column) of the first of these words in the block at `line`, or of the line's text."""
    for word in words:
        if word and (found := line_with(path, word, start=line, end=block_end(path, line))) != (0, 0):
            return found
    return line, first_column(path, line)


def narrowed(path: str, line: int, words: Iterable[str]) -> tuple[int, int]:
    """Return (line, column) of the last of these words, finding each in the block of the previous one."""
    return indented_blocks.narrowed(lines_of(path), line, words)
