"""Estimate of the number of steps that a regular expression may take.

`re` tries every way in which repeats can divide a text. One repeat has as many ways as characters, two in a
row the square of that, and a repeat of an ambiguous item doubles them with every character. The estimate
comes from the parsed pattern, without matching.
Units: steps, characters.
Errors: Explosive.
"""

from __future__ import annotations

import importlib
import math
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

#: Repeats from this count are treated as unbounded.
MANY = 64
#: Upper limit of all estimates.
_CEILING = 10**12
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
#: Characters that represent all those that a pattern does not name.
_SAMPLES = frozenset("aAzZ09_- \t\n.:é~")
_CATEGORIES: dict[str, Callable[[str], bool]] = {
    "DIGIT": str.isdigit,
    "SPACE": str.isspace,
    "WORD": lambda sign: sign.isalnum() or sign == "_",
}

#: Items of `re`'s parser: (operator, argument).
_Items = Any


class Explosive(ValueError):
    """Pattern whose number of ways doubles with each character."""


class Effort(NamedTuple):
    """`repeats` unbounded repeats share the text, in `ways` ways each time."""

    repeats: int = 0
    ways: int = 1

    def steps(self, length: int) -> int:
        """Return the approximate maximum number of steps for a text of `length` characters."""
        shared: int = length**self.repeats // math.factorial(self.repeats)
        return min(_CEILING, max(1, shared) * self.ways)


class _Part(NamedTuple):
    """Item in a repeated body that matches one character; it always occurs once, or at least once."""

    signs: frozenset[str]
    is_fixed: bool
    is_sure: bool


def effort_of(pattern: str, *, ignore_case: bool = False) -> Effort:
    """Return the effort of a valid pattern; raise Explosive."""
    items = _parsed(pattern)
    return _Judge(_alphabet(items, ignore_case), ignore_case).sequence(items)


class _Judge:
    def __init__(self, alphabet: frozenset[str], ignore_case: bool) -> None:
        self._alphabet = alphabet
        self._ignore_case = ignore_case

    def sequence(self, items: _Items) -> Effort:
        whole = Effort()
        for op, argument in items:
            whole = _together(whole, self._item(str(op), argument))
        return whole

    def _item(self, op: str, argument: Any) -> Effort:
        if op in _REPEATS:
            return self._repeat(*argument)
        efforts = [self.sequence(inner) for inner in _inner(op, argument)]
        if not efforts:
            return Effort()
        ways = [effort.ways for effort in efforts]
        is_choice = op == "BRANCH" and self._first_signs(argument[1]) is None
        return Effort(
            max(effort.repeats for effort in efforts), min(_CEILING, sum(ways) if is_choice else max(ways))
        )

    def _repeat(self, least: int, most: int, body: _Items) -> Effort:
        inner = self.sequence(body)
        times = int(most) - int(least) + 1
        if int(most) <= 1 or self._is_unambiguous(body):
            return _together(inner, Effort(1) if times > MANY else Effort(0, times))
        if int(most) > MANY:
            raise Explosive
        return Effort(min(99, inner.repeats * int(most)), min(_CEILING, inner.ways ** int(most) * times))

    def _is_unambiguous(self, body: _Items) -> bool:
        """Return whether a text can be divided among repetitions of this in one way only.

        This holds when its variable items match no characters of its other items, and an item that always
        occurs separates any two of the variable ones.
        """
        parts = list(self._parts(body))
        for number, varying in enumerate(parts):
            others = parts[:number] + parts[number + 1 :]
            if varying.is_fixed:
                continue
            if not any(part.is_sure for part in others) or any(varying.signs & part.signs for part in others):
                return False
        return True

    def _parts(self, items: _Items) -> Iterator[_Part]:
        for op, argument in items:
            name = str(op)
            if name in _REPEATS:
                yield from self._parts_of_repeat(*argument)
            elif name == "BRANCH":
                yield from self._parts_of_branch(argument[1])
            elif name == "SUBPATTERN":
                yield from self._parts(argument[-1])
            elif name == "ATOMIC_GROUP":
                yield from self._parts(argument)
            elif name != "AT":
                signs = self._signs(name, argument)
                yield _Part(self._alphabet, False, False) if signs is None else _Part(signs, True, True)

    def _parts_of_repeat(self, least: int, most: int, body: _Items) -> Iterator[_Part]:
        parts = list(self._parts(body))
        if int(least) == int(most):
            yield from parts
            return
        if not any(part.is_sure for part in parts):
            yield self._nothing()
        yield from (part._replace(is_fixed=False, is_sure=part.is_sure and int(least) > 0) for part in parts)

    def _parts_of_branch(self, ways: Iterable[_Items]) -> Iterator[_Part]:
        """Yield the parts of all alternatives; one selected by its first character counts as fixed text."""
        ways = list(ways)
        inner = [list(self._parts(way)) for way in ways]
        parts = [part for way in inner for part in way]
        if self._first_signs(ways) is not None and all(part.is_fixed for part in parts):
            yield _Part(frozenset().union(*(part.signs for part in parts)), True, True)
            return
        if sum(not any(part.is_sure for part in way) for way in inner) > 1:
            yield self._nothing()
        yield from (part._replace(is_fixed=False, is_sure=False) for part in parts)

    def _nothing(self) -> _Part:
        """Return a part for an empty text that can match in several ways: it matches anywhere."""
        return _Part(self._alphabet, False, False)

    def _first_signs(self, ways: Iterable[_Items]) -> list[frozenset[str]] | None:
        """Return the first character of each alternative, or None if they do not determine it."""
        firsts: list[frozenset[str]] = []
        for way in ways:
            first = next(self._parts(way[:1]), None)
            if first is None or not first.is_fixed or any(first.signs & other for other in firsts):
                return None
            firsts.append(first.signs)
        return firsts

    def _signs(self, op: str, argument: Any) -> frozenset[str] | None:
        """Return the characters of the alphabet that an item matches, or None if it is not one character."""
        if op in ("LITERAL", "NOT_LITERAL"):
            found = self._closed({chr(argument)})
            return found if op == "LITERAL" else self._alphabet - found
        if op == "ANY":
            return self._alphabet
        if op == "IN":
            found = self._closed(
                sign for sign in self._alphabet if any(_is_in(sign, *item) for item in argument)
            )
            return self._alphabet - found if str(argument[0][0]) == "NEGATE" else found
        return None

    def _closed(self, signs: Iterable[str]) -> frozenset[str]:
        signs = frozenset(signs)
        if not self._ignore_case:
            return signs
        return signs | {other for sign in signs for other in (sign.lower(), sign.upper())}


def _together(one: Effort, other: Effort) -> Effort:
    return Effort(min(99, one.repeats + other.repeats), min(_CEILING, one.ways * other.ways))


def _is_in(sign: str, op: Any, argument: Any) -> bool:
    """Return whether a character belongs to one entry of a set."""
    name = str(op)
    if name == "LITERAL":
        return ord(sign) == int(argument)
    if name == "RANGE":
        return int(argument[0]) <= ord(sign) <= int(argument[1])
    if name == "CATEGORY":
        kind = str(argument).removeprefix("CATEGORY_")
        check = _CATEGORIES.get(kind.removeprefix("NOT_"))
        return check is None or bool(check(sign)) is not kind.startswith("NOT_")
    return False


def _alphabet(items: _Items, ignore_case: bool) -> frozenset[str]:
    """Return an alphabet with some characters of each set in the pattern, if it has any."""
    signs = set(_SAMPLES)
    for code in _codes(items):
        signs.update(chr(near) for near in (code - 1, code, code + 1) if 0 <= near <= 0x10FFFF)
    if ignore_case:
        signs |= {other for sign in signs for other in (sign.lower(), sign.upper())}
    return frozenset(signs)


def _codes(items: _Items) -> Iterator[int]:
    for op, argument in items:
        name = str(op)
        if name in ("LITERAL", "NOT_LITERAL"):
            yield int(argument)
        elif name == "RANGE":
            yield from map(int, argument)
        elif name == "IN":
            yield from _codes(argument)
        for inner in _inner(name, argument):
            yield from _codes(inner)


def _inner(op: str, argument: Any) -> list[Any]:
    """Return the item lists inside one parsed item."""
    if op in _REPEATS:
        return [argument[2]]
    if op == "SUBPATTERN":
        return [argument[-1]]
    if op == "BRANCH":
        return list(argument[1])
    if op in ("ASSERT", "ASSERT_NOT"):
        return [argument[1]]
    if op == "ATOMIC_GROUP":
        return [argument]
    if op == "GROUPREF_EXISTS":
        return [inner for inner in argument[1:] if inner is not None]
    return []


def _parsed(pattern: str) -> _Items:
    # The parser of `re` has no public name; its module changed in Python 3.11.
    parser = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")
    return parser.parse(pattern)
