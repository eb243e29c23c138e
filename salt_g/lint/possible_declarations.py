"""IDs and names that an SLS may declare with other data, in branches that a compile did not take.

They are found in the source: literal ones, ones that an expression completes, and ones with the same
expression as a reference.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

#: Pattern of a line of an SLS that declares an ID or a name.
_DECLARED = re.compile(r"^(?: {0,8}(?!-)(?P<id>\S.*):|\s*-\s+name:\s*(?P<name>\S.*?))\s*(?:\s#.*)?$")
#: Pattern of a reference to an ID or name in a list of requisites; `text` is the part after the module.
_REFERENCE = re.compile(r"^\s*-?\s*(?:\w+:\s+)?(?P<text>\S.*?):?\s*$")
_EXPRESSION = re.compile(r"\{\{.*?\}\}")
#: Minimum number of literal characters in a name with an expression for it to match a wanted name.
_LEAST_LITERAL = 3
#: Maximum number of files whose declarations are cached.
_REMEMBERED = 4096


class PossibleDeclarations(NamedTuple):
    """Declarations of files; `completed` are regular expressions, `expressions` texts without spaces."""

    literals: frozenset[str] = frozenset()
    completed: frozenset[str] = frozenset()
    expressions: frozenset[str] = frozenset()

    def may_have(self, wanted: str, written: str = "") -> bool:
        """Return whether a declaration may match a wanted name; `written` is the source of the reference."""
        if wanted in self.literals or self.may_complete(wanted):
            return True
        reference = _REFERENCE.match(written) if "{{" in written else None
        return reference is not None and _plain(reference["text"]) in self.expressions

    def may_complete(self, wanted: str) -> bool:
        """Return whether an ID or name that a template completes may match the wanted one."""
        return any(re.fullmatch(pattern, wanted) for pattern in self.completed)

    def without(self, declared: Collection[str]) -> PossibleDeclarations:
        """Return these declarations without the literal ones that a compile has declared."""
        return self._replace(literals=self.literals.difference(declared))


def joined(some: Iterable[PossibleDeclarations]) -> PossibleDeclarations:
    """Return the declarations of several files."""
    parts = list(some)
    return PossibleDeclarations(*(frozenset().union(*(one[place] for one in parts)) for place in range(3)))


@functools.lru_cache(maxsize=_REMEMBERED)
def declarations_in(lines: tuple[str, ...]) -> PossibleDeclarations:
    """Return the declarations in the lines of an SLS."""
    literals, completed, expressions = set(), set(), set()
    for line in lines:
        declared = _DECLARED.match(line)
        if declared is None:
            continue
        text = declared["id"] or declared["name"]
        literal = _EXPRESSION.split(text.strip("'\""))
        if len(literal) == 1:
            literals.add(literal[0])
            continue
        expressions.add(_plain(text))
        if sum(map(len, literal)) >= _LEAST_LITERAL:
            completed.add(".*".join(map(re.escape, literal)))
    return PossibleDeclarations(frozenset(literals), frozenset(completed), frozenset(expressions))


def _plain(text: str) -> str:
    return re.sub(r"\s+", "", text.strip("'\""))
