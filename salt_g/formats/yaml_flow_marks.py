"""Read `[salt://a, salt://b]` and `{a: http://b?c}`, which the C part of ruamel.yaml refuses.

Why its own file: ruamel.yaml.clib carries libyaml 0.1.7, where a colon or question mark ends a
plain scalar inside of brackets; since libyaml 0.2 they are part of it, and SLS files rely on
that. Here the refused ones are replaced by characters that the text does not hold, and put
back in the nodes. Marks stay right, because one character replaces one.
"""

from __future__ import annotations

import re
from typing import Any

#: Where characters that no text holds are looked for: Unicode's private use area.
_PRIVATE_USE = range(0xE000, 0xF8FF)
#: A colon before one of these is an indicator in today's libyaml as well.
_AFTER_INDICATOR = frozenset(" \t\r\n,?[]{}")
#: A question mark behind one of these is an indicator.
_BEFORE_INDICATOR = frozenset(" \t\r\n,[]{}")
_URL_COLON = re.compile(r"(?<=[A-Za-z0-9]):(?=//)")
_LINE_END = re.compile("\r\n|[\r\n\x85\u2028\u2029]")


def may_be_refusal(error: Any) -> bool:
    """Return whether a parser error can be the one about a colon or question mark."""
    problem = error.problem or ""
    return problem == "found unexpected ':'" or problem.startswith("did not find expected ',' or")


class HiddenMarks:
    """A text whose refused colons and question marks are replaced by stand-ins."""

    def __init__(self, text: str) -> None:
        free = (chr(code) for code in _PRIVATE_USE if chr(code) not in text)
        self._colon, self._question = next(free), next(free)
        #: The text to parse.
        self.text = text

    def hide(self, error: Any) -> bool:
        """Hide the mark at the place of an error; False when the error is right.

        With the first one all colons of URLs are hidden, as most texts that have one have many.
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
        """Return the text of a scalar as it was."""
        return value.replace(self._colon, ":").replace(self._question, "?")

    def restore_nodes(self, root: Any) -> Any:
        """Give all scalars of a tree their marks back; return the tree."""
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
    """Return the index of a mark of libyaml, whose lines also end at NEL, LS and PS."""
    start = 0
    for _ in range(mark.line):
        end = _LINE_END.search(text, start)
        if end is None:
            break
        start = end.end()
    return start + int(mark.column)
