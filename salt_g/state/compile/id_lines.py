"""Line numbers of the IDs in an SLS file, found in its source without rendering it again.

No line is known for an ID that occurs several times, or that a template builds from values only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

#: Maximum number of characters of a file that are searched.
MAX_SIZE = 1024 * 1024
#: Maximum length of the start of a line in which an ID is searched (characters).
MAX_KEY = 400
_VALUE = re.compile(r"\{\{.*?\}\}")
#: Placeholder for a value computed by a template.
_MADE = "\0"
#: Pattern of a key, quoted or plain; no other line of YAML or Jinja matches.
_KEY = re.compile(
    r"""(?:"(?P<double>[^"\\]+)"|'(?P<single>[^']+)'|(?P<plain>[^\s#{%'"&*!|>@`\[\]?,-].*?))"""
    r"[ \t]*:(?=[ \t]|$)"
)


class MadeId(NamedTuple):
    """ID that contains values of a template; `texts` are the fixed parts around the values."""

    texts: tuple[str, ...]
    line: int

    def is_of(self, id: str) -> bool:
        """Return whether an ID begins and ends with the outer texts and has the others between, in order."""
        first, *middle, last = self.texts
        if not (id.startswith(first) and id.endswith(last) and len(id) >= len(first) + len(last)):
            return False
        at = len(first)
        for text in middle:
            at = id.find(text, at)
            if at < 0:
                return False
            at += len(text)
        return at <= len(id) - len(last)


class IdLines:
    """Line numbers (from 1) of the IDs in one file."""

    def __init__(self, path: str) -> None:
        """Read a file; an unreadable file, or one that is not YAML, has no IDs."""
        self._lines: dict[str, list[int]] = {}
        self._made: list[MadeId] = []
        for key, line in _keys(_text(path)):
            texts = tuple(key.split(_MADE))
            if len(texts) == 1:
                self._lines.setdefault(key, []).append(line)
            elif any(text.strip() for text in texts):
                self._made.append(MadeId(texts, line))

    def line_of(self, id: str) -> int:
        """Return the line of an ID, or 0 if it is unknown."""
        found = self._lines.get(id) or [made.line for made in self._made if made.is_of(id)]
        return found[0] if len(found) == 1 else 0


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read(MAX_SIZE)
    except OSError:
        return ""
    first = text.partition("\n")[0]
    return "" if first.startswith("#!") and "yaml" not in first else text


def _keys(text: str) -> Iterator[tuple[str, int]]:
    """Yield the unindented keys, with `_MADE` in place of template values, and their line numbers."""
    for number, line in enumerate(_without_comments(text).split("\n"), 1):
        if line and not line[0].isspace() and ":" in line:
            found = _KEY.match(_VALUE.sub(_MADE, line[:MAX_KEY]))
            if found:
                yield str(found[found.lastgroup or 0]), number


def _without_comments(text: str) -> str:
    """Return a template without its comments, keeping their line ends."""
    parts, at = [], 0
    while (start := text.find("{#", at)) >= 0 and (end := text.find("#}", start + 2)) >= 0:
        parts += [text[at:start], "\n" * text.count("\n", start, end)]
        at = end + 2
    return "".join((*parts, text[at:]))
