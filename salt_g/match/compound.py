"""Read and evaluate compound targets: `G@os:Debian and not ( web* or L@a,b )`.

Why its own file: the expression is parsed once into small closures and then asked for each
minion, which is what a master with many minions needs.
Shapes: words are split at white space, so parentheses stand alone. A word is
`<engine><delimiter?>@pattern` or a glob. `not` binds before `and`, `and` before `or`; a
`not` after a target means `and not`.
Errors: TargetError inside, logged at the border: a malformed expression matches nobody.
"""

from __future__ import annotations

import functools
import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from salt_g.errors import TargetError
from salt_g.match.minion import Minion
from salt_g.match.nodegroups import OPERATORS, expand_nodegroup
from salt_g.match.single import match_glob, match_single
from salt_g.nested import DELIMITER

log = logging.getLogger(__name__)

#: Asks one minion.
Verdict = Callable[[Minion], bool]

#: Engine letter to target type; `N` is expanded while parsing.
ENGINES = {
    "E": "pcre",
    "G": "grain",
    "I": "pillar",
    "J": "pillar_pcre",
    "L": "list",
    "M": "managing_minion",
    "P": "grain_pcre",
    "R": "range",
    "S": "ipcidr",
    "T": "resource",
}
_NONE: Mapping[str, Any] = {}
#: Deepest nesting of parentheses and nodegroups.
MAX_DEPTH = 50

_TARGET = re.compile(
    r"""(?:(?P<engine>[EGIJLMNPRST])
        (?P<delimiter>(?<=[GIJP]).)?  # only where a value is nested
        @)?(?P<pattern>.+)$""",
    re.DOTALL | re.VERBOSE,
)


def match_compound(tgt: Any, minion: Minion) -> bool:
    """Return whether `minion` is meant by a compound expression (a text or a list of words)."""
    if not isinstance(tgt, (str, list, tuple)):
        log.error("compound target %r is neither text nor list", tgt)
        return False
    words = tgt.split() if isinstance(tgt, str) else tgt
    return _ask(words, minion)


def match_nodegroup(name: str, minion: Minion) -> bool:
    """Return whether `minion` is in a nodegroup."""
    return _ask([f"N@{name}"], minion)


def parse_compound(words: Sequence[Any], nodegroups: Mapping[str, Any]) -> Verdict:
    """Return what asks a minion; raises TargetError when the expression is malformed."""
    parser = _Parser(_expanded(words, nodegroups))
    return parser.parse()


def _ask(words: Sequence[Any], minion: Minion) -> bool:
    texts = tuple(map(str, words))
    nodegroups = minion.nodegroups if any(text.startswith("N@") for text in texts) else _NONE
    try:
        return _parsed(texts, _Frozen(nodegroups))(minion)
    except TargetError as exc:
        log.error("compound target %r: %s", " ".join(texts), exc)
        return False


class _Frozen:
    """Nodegroups as a key of the parse cache: equal when their text is."""

    def __init__(self, nodegroups: Mapping[str, Any]) -> None:
        self.nodegroups = nodegroups
        self._text = repr(nodegroups)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Frozen) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)


@functools.lru_cache(maxsize=256)
def _parsed(words: tuple[str, ...], frozen: _Frozen) -> Verdict:
    return parse_compound(words, frozen.nodegroups)


def _expanded(words: Sequence[Any], nodegroups: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words with each `N@group` replaced by the group's own."""
    for word in map(str, words):
        if word.startswith("N@") and len(word) > 2:
            yield from expand_nodegroup(word[2:], nodegroups)
        else:
            yield word


class _Parser:
    """Recursive descent over words; each rule returns what asks a minion."""

    def __init__(self, words: Iterator[str]) -> None:
        self._words = list(words)
        self._at = 0
        self._depth = 0

    def parse(self) -> Verdict:
        verdict = self._either()
        if self._at < len(self._words):
            raise TargetError(f"{self._next()!r} is not expected in place {self._at + 1}")
        return verdict

    def _next(self) -> str:
        return self._words[self._at] if self._at < len(self._words) else ""

    def _take(self, *words: str) -> bool:
        if self._next() in words and self._at < len(self._words):
            self._at += 1
            return True
        return False

    def _either(self) -> Verdict:
        choices = [self._both()]
        while self._take("or"):
            choices.append(self._both())
        return choices[0] if len(choices) == 1 else lambda minion: any(ask(minion) for ask in choices)

    def _both(self) -> Verdict:
        needed = [self._negated()]
        # `web* not db*` means `web* and not db*`.
        while self._take("and") or self._next() == "not":
            needed.append(self._negated())
        return needed[0] if len(needed) == 1 else lambda minion: all(ask(minion) for ask in needed)

    def _negated(self) -> Verdict:
        if self._take("not"):
            inner = self._single()
            return lambda minion: not inner(minion)
        return self._single()

    def _single(self) -> Verdict:
        if self._take("("):
            return self._group()
        word = self._next()
        if word in ("", "and", "or", "not", ")"):
            raise TargetError(
                f"a target is missing before {word!r}" if word else "a target is missing at the end"
            )
        self._at += 1
        return _leaf(word)

    def _group(self) -> Verdict:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise TargetError(f"parentheses are nested deeper than {MAX_DEPTH}")
        verdict = self._either()
        self._depth -= 1
        if not self._take(")"):
            raise TargetError("a closing parenthesis is missing")
        return verdict


def leaves(tgt: Any, nodegroups: Mapping[str, Any]) -> list[str]:
    """Return the words of an expression that ask something of a minion.

    Raises TargetError when the expression is malformed.
    """
    if not isinstance(tgt, (str, list, tuple)):
        raise TargetError(f"compound target {tgt!r} is neither text nor list")
    words = list(_expanded(tgt.split() if isinstance(tgt, str) else tgt, nodegroups))
    _Parser(iter(words)).parse()
    return [word for word in words if word not in OPERATORS]


def split_word(word: str) -> tuple[str, str, str]:
    """Return (target type, pattern, delimiter) of one word; raises TargetError for an unknown engine."""
    match = _TARGET.match(word)
    engine = match["engine"] if match else None
    if match is None or engine is None:
        return "glob", word, DELIMITER
    if engine not in ENGINES:
        raise TargetError(f"target engine {engine!r} of {word!r} has nothing to look for")
    return ENGINES[engine], match["pattern"], match["delimiter"] or DELIMITER


def _leaf(word: str) -> Verdict:
    """Return what asks a minion for one word without operators."""
    tgt_type, pattern, delimiter = split_word(word)
    if tgt_type == "glob":
        return lambda minion: match_glob(pattern, minion)
    return lambda minion: match_single(pattern, tgt_type, minion, delimiter=delimiter)
