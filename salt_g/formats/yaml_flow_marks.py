"""Workaround for `[salt://a, salt://b]` and `{a: http://b?c}`, which the C part of ruamel.yaml rejects.

ruamel.yaml.clib contains libyaml 0.1.7, where a colon or question mark ends a plain scalar inside brackets;
since libyaml 0.2 it is part of the scalar, and SLS files rely on that. The rejected characters are replaced
by others that do not occur in the text, and restored in the nodes. Since each is replaced by a single
character, line and column marks remain correct.
"""

from __future__ import annotations

import re
from typing import Any

#: Range of replacement characters: Unicode's private use area.
_PRIVATE_USE = range(0xE000, 0xF8FF)
#: Characters before which a colon is an indicator, also in current libyaml.
_AFTER_INDICATOR = frozenset(" \t\r\n,?[]{}")
#: Characters after which a question mark is an indicator.
_BEFORE_INDICATOR = frozenset(" \t\r\n,[]{}")
_URL_COLON = re.compile(r"(?<=[A-Za-z0-9]):(?=//)")
_LINE_END = re.compile("\r\n|[\r\n\x85\u2028\u2029]")


def may_be_refusal(error: Any) -> bool:
    """Return whether a parser error can be caused by a colon or question mark that libyaml 0.1.7 rejects."""
    problem = error.problem or ""
    return problem == "found unexpected ':'" or problem.startswith("did not find expected ',' or")


class HiddenMarks:
    """Text in which rejected colons and question marks are replaced by other characters."""

    def __init__(self, text: str) -> None:
        free = (chr(code) for code in _PRIVATE_USE if chr(code) not in text)
        self._colon, self._question = next(free), next(free)
        #: The text to parse.
        self.text = text

    def hide(self, error: Any) -> bool:
        """Hide the character at the position of an error; return False if the error has another cause.

        The first time, the colons of all URLs are hidden, because a text with one URL usually has many.
        """
        at = _offset(self.text, error.problem_mark)
        stand_in = self._stand_in(at)
        if not stand_in:
            return False
        if stand_in == self._colon not in self.text:
            self.text = _URL_COLON.sub(stand_in, self.text)
        self.text = self.text[:at] + stand_in + self.text[at + 1 :]
        return True

    def restore(self, value: str) -> str:
        """Return the original text of a scalar."""
        return value.replace(self._colon, ":").replace(self._question, "?")

    def restore_nodes(self, root: Any) -> Any:
        """Restore the characters in all scalars of a tree; return the tree."""
        seen: set[int] = set()
        left = [root] if root is not None else []
        while left:
            node = left.pop()
            if isinstance(node, tuple):
                left.extend(node)
            elif isinstance(node.value, str):
                node.value = self.restore(node.value)
            elif id(node) not in seen:
                seen.add(id(node))
                left.extend(node.value)
        return root

    def _stand_in(self, at: int) -> str:
        refused = self.text[at : at + 1]
        if refused == ":" and self.text[at + 1 : at + 2] not in _AFTER_INDICATOR:
            return self._colon
        if refused == "?" and at and self.text[at - 1] not in _BEFORE_INDICATOR:
            return self._question
        return ""


def _offset(text: str, mark: Any) -> int:
    """Return the index of a libyaml mark in the text; for libyaml, lines also end at NEL, LS and PS."""
    start = 0
    for _ in range(mark.line):
        end = _LINE_END.search(text, start)
        if end is None:
            break
        start = end.end()
    return start + int(mark.column)
