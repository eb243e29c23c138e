"""Search for texts that were broken into lines by YAML, the width of a terminal or a diff.

Texts are compared without white space, backslashes and the signs with which a diff begins its lines.
Shapes: a span is (start, end) in the text that was searched.
"""

from __future__ import annotations

import re

#: Pattern of text that may come between two characters of a broken text, including line ends in JSON.
#: Backslashes and diff signs are ignored everywhere, because a text may contain some itself.
_BREAK = re.compile(r"\s|[-+]|\\+[nr]?")
_LINE_END = re.compile(r"\n|\\+[nr]")
#: Maximum length of a text that is searched for, and extra room for its breaks (characters).
MAX_LENGTH = 4000
_ROOM = 80
#: How far beyond a position to search, as a multiple of the search radius around it, so that positions
#: close together cost only one pass.
_AHEAD = 8


def squeezed(text: str) -> str:
    """Return a text without the characters that the comparison ignores."""
    return _BREAK.sub("", text)


def spans_around(text: str, place: int, wanted: str, length: int) -> tuple[list[tuple[int, int]], int]:
    """Return (spans, next place): where a squeezed text, broken into lines, occurs near or after `place`.

    `length` is the length of the wanted text before it was squeezed. `text` has been searched completely up
    to the next place.
    """
    reach = 3 * length + _ROOM
    begin, seen = max(0, place - reach), place + _AHEAD * reach
    window = text[begin : seen + reach]
    found: list[tuple[int, int]] = []
    if not _LINE_END.search(window):
        return found, seen
    kept = _kept(window)
    shown = "".join(window[at] for at in kept)
    at = shown.find(wanted)
    while at >= 0:
        start, end = kept[at], kept[at + len(wanted) - 1] + 1
        if _LINE_END.search(window, start, end):
            found.append((begin + start, begin + end))
        at = shown.find(wanted, at + len(wanted))
    return found, seen


def _kept(window: str) -> list[int]:
    """Return the positions of the characters that are compared."""
    kept: list[int] = []
    end = 0
    for found in _BREAK.finditer(window):
        kept.extend(range(end, found.start()))
        end = found.end()
    kept.extend(range(end, len(window)))
    return kept
