"""Texts that something has broken into lines: folded by YAML, by the width of a terminal, by a diff.

Compared are texts without blanks and backslashes, and without the signs with which a diff begins its lines.
Shapes: a span is (start, end) in the text that was searched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

#: What may come between two characters of a text that is broken: also line ends as JSON writes them.
#: Backslashes and the signs of a diff are taken out wherever they are, because a text may have its own.
_BREAK = re.compile(r"\s|[-+]|\\+[nr]?")
_LINE_END = re.compile(r"\n|\\+[nr]")
#: Longest text that is looked for, and room for the breaks in it, in characters.
MAX_LENGTH = 4000
_ROOM = 400


def squeezed(text: str) -> str:
    """Return a text as it is compared."""
    return _BREAK.sub("", text)


def spans_around(text: str, place: int, wanted: str, length: int) -> Iterator[tuple[int, int]]:
    """Yield where a squeezed text is that is broken into lines, near a place in `text`.

    `length` is that of the text before it was squeezed.
    """
    reach = 2 * length + _ROOM
    begin = max(0, place - reach)
    window = text[begin : place + reach]
    if not _LINE_END.search(window):
        return
    kept = _kept(window)
    shown = "".join(window[at] for at in kept)
    found = shown.find(wanted)
    while found >= 0:
        start, end = kept[found], kept[found + len(wanted) - 1] + 1
        if _LINE_END.search(window, start, end):
            yield begin + start, begin + end
        found = shown.find(wanted, found + 1)


def _kept(window: str) -> list[int]:
    """Return the places of the characters that count."""
    kept: list[int] = []
    end = 0
    for found in _BREAK.finditer(window):
        kept.extend(range(end, found.start()))
        end = found.end()
    kept.extend(range(end, len(window)))
    return kept
