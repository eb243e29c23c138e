"""Misspelt keywords of state functions with `**kwargs`.

These functions silently accept a misspelt keyword, as in stock. Known keywords come from the function's
parameters and docstring (words in backticks, lists of arguments); `@takes` of the state rooms declares to
which functions keywords are passed on, or that users choose the names. A keyword similar to no known one is
taken as intended.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from typing import Any

from salt_g.loader.signature import signature_of
from salt_g.state.compile.vocabulary import ENGINE_KEYS, is_internal

#: Minimum similarity (0 to 1) at which a word counts as a misspelling of a known one.
_MIN_SIMILARITY = 0.8
#: Keywords of other states with the same meaning as a known one; preferred to similar words.
_MEANT = {"user": "runas"}
#: Keywords that any state accepts.
_ALWAYS = frozenset(("name", "names", "sfun", "env", "test"))

Function = Callable[..., Any]


def misspelt_keywords(
    function: Function, given: Iterable[str], find: Callable[[str], Function | None]
) -> list[tuple[str, str]]:
    """Return [(keyword, similar known keyword)] for the misspelt ones among the given keywords.

    `find` returns an execution function by name, None if missing.
    """
    # Fast path, because most calls have no unknown keyword.
    own = _parameters(function)
    if own is None or not (stray := [key for key in given if key not in own and not is_internal(key)]):
        return []
    known = own | _documented(function.__doc__ or "") | _passed_on_keywords(function, find)
    import difflib

    def like(key: str) -> list[str]:
        meant = _MEANT.get(key)
        return [meant] if meant in known else difflib.get_close_matches(key, known, 1, _MIN_SIMILARITY)

    return [(key, near[0]) for key in stray if key not in known and (near := like(key))]


@functools.lru_cache(maxsize=1024)
def _parameters(function: Function) -> frozenset[str] | None:
    """Return the function's parameters and the engine's keywords; None if no check is needed.

    No check is needed without `**kwargs`, or if every keyword is allowed.
    """
    signature = signature_of(function)
    if not signature.takes_keywords or getattr(function, "__takes__", None) == ():
        return None
    return _ALWAYS | ENGINE_KEYS | frozenset(signature.names)


def _passed_on_keywords(function: Function, find: Callable[[str], Function | None]) -> frozenset[str]:
    """Return the words of `@takes`, with execution functions replaced by their keywords."""
    words: set[str] = set()
    for name in getattr(function, "__takes__", ()):
        target = find(name) if "." in name else None
        words |= (
            {name} if target is None else {*signature_of(target).names, *_documented(target.__doc__ or "")}
        )
    return frozenset(words)


def _documented(doc: str) -> set[str]:
    """Return the words that a docstring mentions in backticks, in lists of arguments and in examples."""
    words = set(re.findall(r"`([A-Za-z_]\w*)`", doc))
    for line in re.findall(r"^ *([A-Za-z_]\w*(?:, *[A-Za-z_]\w*)*):?$", doc, re.MULTILINE):
        words.update(re.split(r", *", line))
    return words | set(re.findall(r"(?:^\s+- |[ ])([A-Za-z_]\w*)[:=]", doc, re.MULTILINE))
