"""Sets of characters as bits of an integer, so that two sets can be compared in one operation.

An alphabet holds each character that a pattern names, its neighbours, and samples of all others. Together
they represent all characters, because all characters between two named ones belong to the same sets of the
pattern.
Units: code points; sets are ints with a bit for each character of the alphabet.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from typing import Any

#: Code points that represent all characters that a pattern does not name.
_SAMPLES = frozenset(map(ord, "aAzZ09_- \t\n.:é~"))
_CATEGORIES: dict[str, Callable[[str], bool]] = {
    "DIGIT": str.isdigit,
    "SPACE": str.isspace,
    "WORD": lambda sign: sign.isalnum() or sign == "_",
}


class Alphabet:
    """Alphabet of a pattern; `codes` are the code points that the pattern names."""

    def __init__(self, codes: Iterable[int], *, ignore_case: bool) -> None:
        signs = set(_SAMPLES)
        for code in codes:
            signs.update(near for near in (code - 1, code, code + 1) if 0 <= near <= 0x10FFFF)
        if ignore_case:
            signs.update(other for code in tuple(signs) for other in _other_cases(code))
        self._codes = sorted(signs)
        #: The set of all characters.
        self.everything = (1 << len(self._codes)) - 1
        self._case_pairs = list(self._pairs()) if ignore_case else []
        self._categories = {name: self._category(check) for name, check in _CATEGORIES.items()}

    def one(self, code: int) -> int:
        """Return the set of one character, with its other cases if the pattern ignores case."""
        return self._closed(self._between(code, code))

    def listed(self, entries: Iterable[tuple[Any, Any]]) -> int:
        """Return the set of an `IN` item of the parser, given as (operator, argument) entries."""
        found, is_negated = 0, False
        for op, argument in entries:
            name = str(op)
            if name == "NEGATE":
                is_negated = True
            elif name == "LITERAL":
                found |= self._between(argument, argument)
            elif name == "RANGE":
                found |= self._between(*argument)
            else:
                found |= self._in_category(str(argument).removeprefix("CATEGORY_"))
        found = self._closed(found)
        return self.everything & ~found if is_negated else found

    def _in_category(self, name: str) -> int:
        if name.startswith("NOT_"):
            return self.everything & ~self._categories.get(name.removeprefix("NOT_"), 0)
        return self._categories.get(name, self.everything)

    def _category(self, check: Callable[[str], bool]) -> int:
        return sum(1 << bit for bit, code in enumerate(self._codes) if check(chr(code)))

    def _between(self, first: int, last: int) -> int:
        below = (1 << bisect_left(self._codes, first)) - 1
        return ((1 << bisect_right(self._codes, last)) - 1) & ~below

    def _pairs(self) -> Iterable[tuple[int, int]]:
        """Yield pairs of one-character sets: a character, and the same character in another case."""
        bits = {code: 1 << number for number, code in enumerate(self._codes)}
        for code, bit in bits.items():
            for other in _other_cases(code):
                yield bit, bits.get(other, 0)
                yield bits.get(other, 0), bit

    def _closed(self, found: int) -> int:
        """Return a set with the other cases of its characters, if the pattern ignores case."""
        result = found
        for bit, other in self._case_pairs:
            if found & bit:
                result |= other
        return result


def _other_cases(code: int) -> list[int]:
    """Return the code points of a character's other cases, except those of several characters."""
    sign = chr(code)
    return [ord(other) for other in {sign.lower(), sign.upper()} - {sign} if len(other) == 1]
