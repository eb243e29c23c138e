"""Estimate of the number of steps that a regular expression can need.

`re` tries every way in which repeats can divide a text. One repeat has as many ways as the text has
characters, two in a row have the square of that, and a repeat of an ambiguous item doubles the number with
every character. The estimate comes from the parsed pattern, without matching, in time that grows with the
pattern's length.
Units: steps, characters.
Errors: Explosive, Excessive.
"""

from __future__ import annotations

import importlib
import math
import sys
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from salt_g.regex.alphabet import Alphabet

#: Number of repetitions above which a repeat is treated as unbounded.
MANY = 64
#: Maximum number of different characters that a pattern may name.
MAX_NAMED = 500
#: Maximum number of characters in all wide ranges of a pattern; `re` visits each of them.
MAX_SPAN = 500_000
#: Upper limit of all estimates.
_CEILING = 10**12
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")

#: Items of `re`'s parser: (operator, argument).
_Items = Any


class Explosive(ValueError):
    """Raised for a pattern whose number of ways to match doubles with each character."""


class Excessive(ValueError):
    """Raised for a pattern that is too large to be compiled or estimated; the message says why."""


class Effort(NamedTuple):
    """Effort of a pattern: `repeats` unbounded repeats divide the text, each division in `ways` ways."""

    repeats: int = 0
    ways: int = 1

    def steps(self, length: int) -> int:
        """Return the approximate maximum number of steps for a text of `length` characters."""
        divisions = math.comb(length + self.repeats - 1, self.repeats) if self.repeats else 1
        return min(_CEILING, max(1, divisions) * self.ways)


class _Part(NamedTuple):
    """Part of the body of a repeat, with the characters that it can match.

    A fixed part is one character; a variable part (a repeat or a choice) has different lengths or contents. A
    sure part always occurs.
    """

    signs: int
    is_fixed: bool
    is_sure: bool


def check_size(pattern: str) -> None:
    """Raise Excessive if a valid pattern names too many characters, before `re` compiles it."""
    items = _parsed(pattern)
    spans = [last - first for first, last in _ranges(items)]
    if sum(min(span, 0x10000) for span in spans if span > 0xFF) > MAX_SPAN:
        raise Excessive("has too many wide ranges of characters")
    if len(set(_codes(items))) > MAX_NAMED:
        raise Excessive(f"names more than {MAX_NAMED} different characters")


def effort_of(pattern: str, *, ignore_case: bool = False) -> Effort:
    """Return the effort of a valid pattern that `check_size` accepts; raises Explosive."""
    items = _parsed(pattern)
    return _Judge(Alphabet(_codes(items), ignore_case=ignore_case)).sequence(items)


class _Judge:
    def __init__(self, alphabet: Alphabet) -> None:
        self._alphabet = alphabet
        #: {id() of a list of items or of an argument, which the parsed pattern keeps alive: its parts}
        self._known: dict[int, list[_Part]] = {}
        #: A part that matches anything, and so makes each enclosing repeat ambiguous.
        self._anything = _Part(alphabet.everything, False, False)

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
        is_choice = op == "BRANCH" and not self._is_decided(argument[1])
        return Effort(
            max(effort.repeats for effort in efforts), min(_CEILING, sum(ways) if is_choice else max(ways))
        )

    def _repeat(self, least: int, most: int, body: _Items) -> Effort:
        inner = self.sequence(body)
        times = int(most) - int(least) + 1
        if int(most) <= 1 or _repeats_in_one_way(self._parts(body)):
            return _together(inner, Effort(1) if times > MANY else Effort(0, times))
        if int(most) > MANY:
            raise Explosive
        return Effort(min(99, inner.repeats * int(most)), min(_CEILING, inner.ways ** int(most) * times))

    def _parts(self, items: _Items) -> list[_Part]:
        known = self._known.get(id(items))
        if known is None:
            known = [part for op, argument in items for part in self._parts_of(str(op), argument)]
            self._known[id(items)] = known
        return known

    def _parts_of(self, op: str, argument: Any) -> list[_Part]:
        if op in _REPEATS or op == "BRANCH":
            known = self._known.get(id(argument))
            if known is None:
                known = (
                    self._parts_of_branch(argument[1]) if op == "BRANCH" else self._parts_of_repeat(*argument)
                )
                self._known[id(argument)] = known
            return known
        if op in ("SUBPATTERN", "ATOMIC_GROUP"):
            return self._parts(argument[-1] if op == "SUBPATTERN" else argument)
        if op == "AT":
            return []
        signs = self._signs(op, argument)
        return [self._anything if signs is None else _Part(signs, True, True)]

    def _parts_of_repeat(self, least: int, most: int, body: _Items) -> list[_Part]:
        parts = self._parts(body)
        if int(most) > 1 and not _repeats_in_one_way(parts):
            return [self._anything]
        if int(least) == int(most):
            return parts
        may_be_empty = not any(part.is_sure for part in parts)
        unit = self._unit(parts, is_sure=int(least) > 0 and not may_be_empty)
        return [self._anything, unit] if may_be_empty else [unit]

    def _parts_of_branch(self, ways: Iterable[_Items]) -> list[_Part]:
        """Return the parts of a choice; a choice decided by its first character counts as fixed text."""
        ways = list(ways)
        inner = [self._parts(way) for way in ways]
        parts = [part for way in inner for part in way]
        is_decided = self._is_decided(ways)
        if is_decided and all(part.is_fixed for part in parts):
            return [_Part(_union(parts), True, True)]
        if not is_decided:
            parts = [part._replace(is_fixed=False) for part in parts]
        empty_ways = sum(not any(part.is_sure for part in way) for way in inner)
        unit = self._unit(parts, is_sure=False)
        return [self._anything, unit] if empty_ways > 1 else [unit]

    def _unit(self, parts: list[_Part], *, is_sure: bool) -> _Part:
        """Return several parts as one variable part, or as an ambiguous one if they can share a text."""
        return _Part(_union(parts), False, is_sure) if _match_in_one_way(parts) else self._anything

    def _is_decided(self, ways: Iterable[_Items]) -> bool:
        """Return whether the first character of a text decides which alternative can match it."""
        seen = 0
        for way in ways:
            first = self._parts_of(str(way[0][0]), way[0][1])[:1] if len(way) else []
            if not first or not first[0].is_fixed or first[0].signs & seen:
                return False
            seen |= first[0].signs
        return True

    def _signs(self, op: str, argument: Any) -> int | None:
        """Return the characters of the alphabet that an item matches, or None if it is not one character."""
        if op in ("LITERAL", "NOT_LITERAL"):
            found = self._alphabet.one(argument)
            return found if op == "LITERAL" else self._alphabet.everything & ~found
        if op == "ANY":
            return self._alphabet.everything
        return self._alphabet.listed(argument) if op == "IN" else None


def _union(parts: Iterable[_Part]) -> int:
    signs = 0
    for part in parts:
        signs |= part.signs
    return signs


def _match_in_one_way(parts: list[_Part]) -> bool:
    """Return whether a text can be divided among parts in only one way.

    This holds when no variable part shares a character with another part.
    """
    once = twice = 0
    for part in parts:
        twice |= once & part.signs
        once |= part.signs
    return not any(part.signs & twice for part in parts if not part.is_fixed)


def _repeats_in_one_way(parts: list[_Part]) -> bool:
    """Return whether a text can be divided among repetitions of these parts in only one way.

    This holds when they match in one way, and any two repetitions of a variable part are separated by another
    part that always occurs.
    """
    sure = sum(part.is_sure for part in parts)
    is_separated = all(sure - part.is_sure > 0 for part in parts if not part.is_fixed)
    return is_separated and _match_in_one_way(parts)


def _together(one: Effort, other: Effort) -> Effort:
    return Effort(min(99, one.repeats + other.repeats), min(_CEILING, one.ways * other.ways))


def _codes(items: _Items) -> Iterator[int]:
    """Yield the code points that a pattern names."""
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


def _ranges(items: _Items) -> Iterator[tuple[int, int]]:
    """Yield the first and last code point of each range."""
    for op, argument in items:
        name = str(op)
        if name == "RANGE":
            yield int(argument[0]), int(argument[1])
        elif name == "IN":
            yield from _ranges(argument)
        for inner in _inner(name, argument):
            yield from _ranges(inner)


def _inner(op: str, argument: Any) -> list[Any]:
    """Return the lists of items inside a parsed item."""
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
    # The parser of `re` is not public, and its module was renamed in Python 3.11.
    parser = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")
    return parser.parse(pattern)
