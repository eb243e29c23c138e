"""Compound targets: `G@os:Debian and not ( web* or L@a,b )`.

The expression is parsed once into small closures, which are called for each minion and each resource,
because a master has many of them.
Shapes: words are split at white space, so parentheses are separate words. A word is
`<engine><delimiter?>@pattern` or a glob. `not` binds tighter than `and`, `and` tighter than `or`; a `not`
after a target means `and not`. A member is a MinionView or a Resource; the operators are Boolean over
members. Words about minions also apply to the resources they manage (`managed`, see `resource.py`) in a
conjunction that refers to resources: one with a `T@`, or with an `M@` and another word.
Errors: TargetError; `parsed` and `match_compound` log the error, and the expression matches no member.
"""

from __future__ import annotations

import functools
import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

from salt_g.data.nested import DELIMITER
from salt_g.errors import TargetError
from salt_g.match.minion_view import MinionView
from salt_g.match.nodegroups import expand_nodegroup
from salt_g.match.resource import Resource, is_glob, test_resources
from salt_g.match.single import match_single
from salt_g.wire.compound_words import ENGINES, OPERATORS, WORD

log = logging.getLogger(__name__)

#: Minion or resource that a target can match.
Member = MinionView | Resource
#: Predicate over one member: (member, managed).
Predicate = Callable[[Any, bool], bool]
#: Function that chooses minions by one criterion: (tgt, target type, delimiter, ids to choose from).
Choice = Callable[[Any, str, str, AbstractSet[str]], AbstractSet[str]]
#: Function that chooses minions by an expression: (function that chooses by a criterion, ids to choose from).
Selection = Callable[[Choice, AbstractSet[str]], AbstractSet[str]]

_NONE: Mapping[str, Any] = {}
#: Pattern of a word that looks like a criterion with an engine, in upper or lower case.
_WITH_ENGINE = re.compile(r"([A-Za-z])\W?@")
_LETTERS = (
    "E (ids, regular expression), G, P (grains, glob or regular expression), I, J (pillar, the same), "
    "L (list of ids), M (managing minion), N (nodegroup), R (range), S (addresses), T (resource)"
)
#: Target types whose pattern is a regular expression.
REGEX_TYPES = frozenset(("pcre", "grain_pcre", "pillar_pcre"))
#: Maximum nesting of parentheses and nodegroups.
MAX_DEPTH = 50


def _choose_nobody(choice: Choice, ids: AbstractSet[str]) -> AbstractSet[str]:
    return frozenset()


class Part(NamedTuple):
    """Parsed expression, or a part of one.

    `matches(member, managed)` is the predicate for one member, `select(choice, ids)` selects the matching
    minions among many at once. `is_of_resources`: the part cannot match a minion; `is_of_managers`: the part
    consists of `M@` only; `types` are the types that a matching resource must have, None for any.
    """

    matches: Predicate
    is_of_resources: bool = False
    is_of_managers: bool = False
    types: frozenset[str] | None = None
    select: Selection = _choose_nobody


def match_compound(tgt: Any, member: Member) -> bool:
    """Return whether `member` matches a compound expression (a text or a list of words)."""
    try:
        return parsed(tgt, member.nodegroups).matches(member, False)
    except TargetError as exc:
        log.error("compound target %r: %s", tgt, exc)
        return False


def match_nodegroup(name: str, member: Member) -> bool:
    """Return whether `member` is in a nodegroup."""
    return match_compound([f"N@{name}"], member)


def parsed(tgt: Any, nodegroups: Mapping[str, Any]) -> Part:
    """Return a parsed compound expression, cached; log a malformed one, which matches nothing."""
    if not isinstance(tgt, (str, list, tuple)):
        log.error("compound target %r is neither text nor a list", tgt)
        return _NOBODY
    texts = tuple(tgt.split() if isinstance(tgt, str) else map(str, tgt))
    if not any(text.startswith("N@") for text in texts):
        nodegroups = _NONE
    try:
        return _parsed(texts, _Frozen(nodegroups))
    except TargetError as exc:
        log.error("compound target %r: %s", " ".join(texts), exc)
        return _NOBODY


def parse_compound(words: Sequence[Any], nodegroups: Mapping[str, Any]) -> Part:
    """Parse an expression; raise TargetError when it is malformed."""
    parser = _Parser(_expanded(words, nodegroups))
    return parser.parse()


class _Frozen:
    """Nodegroups as a key of the parse cache, hashed and compared by their text."""

    def __init__(self, nodegroups: Mapping[str, Any]) -> None:
        self.nodegroups = nodegroups
        self._text = repr(nodegroups)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Frozen) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)


@functools.lru_cache(maxsize=256)
def _parsed(words: tuple[str, ...], frozen: _Frozen) -> Part:
    return parse_compound(words, frozen.nodegroups)


def _expanded(words: Sequence[Any], nodegroups: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words, with each `N@group` replaced by the words of the group."""
    for word in map(str, words):
        if word.startswith("N@") and len(word) > 2:
            yield from expand_nodegroup(word[2:], nodegroups)
        else:
            yield word


class _Parser:
    """Recursive descent parser over words; each rule returns a part."""

    def __init__(self, words: Iterator[str]) -> None:
        self._words = list(words)
        self._at = 0
        self._depth = 0

    def parse(self) -> Part:
        part = self._either()
        if self._at < len(self._words):
            raise TargetError(f"unexpected {self._next()!r} at word {self._at + 1}")
        return part

    def _next(self) -> str:
        return self._words[self._at] if self._at < len(self._words) else ""

    def _take(self, *words: str) -> bool:
        if self._next() in words and self._at < len(self._words):
            self._at += 1
            return True
        return False

    def _either(self) -> Part:
        choices = [self._both()]
        while self._take("or"):
            choices.append(self._both())
        return choices[0] if len(choices) == 1 else _disjunction(choices)

    def _both(self) -> Part:
        needed = [self._negated()]
        # `web* not db*` means `web* and not db*`.
        while self._take("and") or self._next() == "not":
            needed.append(self._negated())
        return needed[0] if len(needed) == 1 else _conjunction(needed)

    def _negated(self) -> Part:
        return _negation(self._single()) if self._take("not") else self._single()

    def _single(self) -> Part:
        if self._take("("):
            return self._group()
        word = self._next()
        if word in ("", "and", "or", "not", ")"):
            raise TargetError(
                f"a target is missing before {word!r}" if word else "a target is missing at the end"
            )
        self._at += 1
        return _leaf(word)

    def _group(self) -> Part:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise TargetError(f"parentheses are nested deeper than {MAX_DEPTH}")
        if self._next() == ")":
            raise TargetError("there is no target between the parentheses")
        part = self._either()
        self._depth -= 1
        if not self._take(")"):
            raise TargetError("a closing parenthesis is missing")
        return part


def criteria(tgt: Any, nodegroups: Mapping[str, Any]) -> list[str]:
    """Return the words of an expression that are criteria; raise TargetError when it is malformed."""
    found = _criteria(tgt, nodegroups)
    for word in found:
        _check_spaces(word)
        _check_engine(word)
        _check_commas(word)
    return found


def check_compound(tgt: Any, nodegroups: Mapping[str, Any]) -> None:
    """Raise TargetError for an expression that is malformed, or has a word that cannot be a criterion.

    Matchers read such words as globs that match nothing, so the rest of `(web1 or web2` or `not a,b` would
    select minions that its author did not mean. A word with an unknown letter before an `@` passes, because
    it can be an id.
    """
    for word in _criteria(tgt, nodegroups):
        _check_spaces(word)
        _check_commas(word)


def _criteria(tgt: Any, nodegroups: Mapping[str, Any]) -> list[str]:
    if not isinstance(tgt, (str, list, tuple)):
        raise TargetError(f"compound target {tgt!r} is neither text nor a list")
    words = list(_expanded(tgt.split() if isinstance(tgt, str) else tgt, nodegroups))
    _Parser(iter(words)).parse()
    return [word for word in words if word not in OPERATORS]


def _check_spaces(word: str) -> None:
    """Raise TargetError for a criterion joined to a parenthesis, such as `(web1` or `G@os:Debian)`."""
    is_pattern = word[:2] in ("E@", "P@", "J@")
    if word.startswith("(") or (not is_pattern and word.count(")") > word.count("(")):
        raise TargetError(f"{word!r} is read as one criterion; parentheses need spaces around them")


def _check_commas(word: str) -> None:
    """Raise TargetError for a glob with a comma: no id has one, and only stock's master would split it."""
    if "," in word and split_word(word)[0] == "glob":
        raise TargetError(f"{word!r} is read as one glob; a list of ids is written L@{word}")


def _check_engine(word: str) -> None:
    """Raise TargetError for a criterion with an unknown letter, or without a pattern after the `@`."""
    looks = _WITH_ENGINE.match(word)
    known = WORD.match(word)
    if looks is None or (known is not None and known["engine"]):
        return
    if word.endswith("@") and looks[1] in ENGINES:
        raise TargetError(f"{word!r} has no pattern after the @")
    raise TargetError(f"{word!r} looks like a criterion but is not one; before an @ use {_LETTERS}")


def split_word(word: str) -> tuple[str, str, str]:
    """Split a word into (target type, pattern, delimiter); raise TargetError for a nodegroup."""
    match = WORD.match(word)
    engine = match["engine"] if match else None
    if match is None or engine is None:
        return "glob", word, DELIMITER
    if engine not in ENGINES:
        raise TargetError(f"{word!r} cannot be used here: nodegroups are expanded before")
    return ENGINES[engine], match["pattern"], match["delimiter"] or DELIMITER


def _leaf(word: str) -> Part:
    tgt_type, pattern, delimiter = split_word(word)
    if tgt_type in REGEX_TYPES:
        check_regex(pattern, tgt_type, delimiter)
    return single_part(pattern, tgt_type, delimiter)


def check_regex(pattern: str, tgt_type: str, delimiter: str) -> None:
    """Raise TargetError when the regular expression of a criterion is invalid.

    As in stock, this makes the whole expression malformed; as a mere mismatch, it would make `not E@(` match.
    """
    from salt_g.regex.bounded import compile_bounded  # Imported lazily: most targets are globs.

    compile_bounded(pattern if tgt_type == "pcre" else pattern.rpartition(delimiter)[2])


def single_part(tgt: Any, tgt_type: str, delimiter: str = DELIMITER) -> Part:
    """Return the part for one criterion; raise KeyError for a type that is not in `single.py`."""
    of_resource = test_resources(tgt, tgt_type, delimiter)

    def matches(member: Member, managed: bool) -> bool:
        if isinstance(member, Resource):
            return of_resource(member, managed)
        return match_single(tgt, tgt_type, member, delimiter=delimiter)

    if tgt_type == "resource":
        kind = str(tgt).partition(":")[0]
        return Part(matches, is_of_resources=True, types=None if is_glob(kind) else frozenset((kind,)))

    def select(choice: Choice, ids: AbstractSet[str]) -> AbstractSet[str]:
        return choice(tgt, tgt_type, delimiter, ids)

    return Part(matches, is_of_managers=tgt_type == "managing_minion", select=select)


def _conjunction(parts: list[Part]) -> Part:
    predicates = [part.matches for part in parts]
    speaks = any(part.is_of_resources for part in parts)
    managers = [part.is_of_managers for part in parts]
    here = speaks or (any(managers) and not all(managers))

    def matches(member: Member, managed: bool) -> bool:
        return _all(predicates, member, managed or here)

    limits = [part.types for part in parts if part.types is not None]
    types = frozenset.intersection(*limits) if limits else None

    def select(choice: Choice, ids: AbstractSet[str]) -> AbstractSet[str]:
        for part in parts:
            ids = part.select(choice, ids)
        return ids

    return Part(matches, speaks, all(managers), types, select)


def _disjunction(parts: list[Part]) -> Part:
    predicates = [part.matches for part in parts]
    known = [part.types for part in parts if part.types is not None]
    types = frozenset[str]().union(*known) if len(known) == len(parts) else None

    def select(choice: Choice, ids: AbstractSet[str]) -> AbstractSet[str]:
        found: AbstractSet[str] = frozenset()
        for part in parts:
            found = found | part.select(choice, ids - found)
        return found

    return Part(
        lambda member, managed: _any(predicates, member, managed),
        all(part.is_of_resources for part in parts),
        all(part.is_of_managers for part in parts),
        types,
        select,
    )


def _negation(part: Part) -> Part:
    """Return the negation; `not M@m1` also excludes the resources that m1 manages."""
    matches, always = part.matches, part.is_of_managers

    def select(choice: Choice, ids: AbstractSet[str]) -> AbstractSet[str]:
        return ids - part.select(choice, ids)

    return Part(
        lambda member, managed: not matches(member, managed or always), is_of_managers=always, select=select
    )


# Loops, because generators take three times as long, and these functions run for each resource of a fleet.
def _all(predicates: list[Predicate], member: Member, managed: bool) -> bool:
    for predicate in predicates:  # noqa: SIM110
        if not predicate(member, managed):
            return False
    return True


def _any(predicates: list[Predicate], member: Member, managed: bool) -> bool:
    for predicate in predicates:  # noqa: SIM110
        if predicate(member, managed):
            return True
    return False


_NOBODY = Part(lambda member, managed: False)
