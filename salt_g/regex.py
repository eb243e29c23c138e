"""Compile regular expressions of targets, tags and key lists so that they cannot run for ever.

Why its own file: they come from users and configuration, run against grains, ids and tags of
whole fleets, and `re` has no time limit. So patterns and subjects are bounded in length, and
a repeat of nothing but a repeat, as in `(a+)+`, whose effort doubles with each character,
is refused.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import Any

from salt_g.errors import TargetError

#: Longest pattern, in characters.
MAX_PATTERN = 4096
#: Longest text that a pattern is tried on, in characters.
MAX_SUBJECT = 65536

_REPEATS = ("MAX_REPEAT", "MIN_REPEAT")


@functools.lru_cache(maxsize=512)
def compile_bounded(pattern: str, *, ignore_case: bool = False) -> re.Pattern[str]:
    """Return a compiled pattern; raises TargetError when it is invalid or of unbounded effort."""
    if len(pattern) > MAX_PATTERN:
        raise TargetError(
            f"regular expression of {len(pattern)} characters, at most {MAX_PATTERN} are allowed"
        )
    try:
        compiled = re.compile(pattern, re.IGNORECASE if ignore_case else 0)
    except (re.error, OverflowError) as exc:
        raise TargetError(f"regular expression {pattern!r} is invalid: {exc}") from exc
    if pattern.count("+") + pattern.count("*") + pattern.count("{") > 1 and _explodes(_parsed(pattern)):
        raise TargetError(f"regular expression {pattern!r} repeats a repeat; write the inner one without it")
    return compiled


def matches_start(pattern: str, subject: str, *, ignore_case: bool = False) -> bool:
    """Return whether `pattern` matches at the start of `subject`; raises TargetError."""
    return compile_bounded(pattern, ignore_case=ignore_case).match(subject[:MAX_SUBJECT]) is not None


def _parsed(pattern: str) -> Any:
    # The parser of `re` has no public name; its place changed with Python 3.11.
    try:
        from re import _parser  # type: ignore[attr-defined]
    except ImportError:
        import sre_parse as _parser  # type: ignore[no-redef, unused-ignore]
    return _parser.parse(pattern)


def _explodes(items: Any) -> bool:
    """Return whether an unbounded repeat has nothing but another one inside."""
    for op, argument in items:
        if str(op) in _REPEATS and _is_unbounded(argument) and _is_only_a_repeat(argument[2]):
            return True
        if any(_explodes(inner) for inner in _inner(str(op), argument)):
            return True
    return False


def _is_unbounded(repeat: tuple[int, int, Any]) -> bool:
    return int(repeat[1]) > 64


def _is_only_a_repeat(items: Any) -> bool:
    """Return whether these items, those that may be empty left out, are one unbounded repeat."""
    needed = [item for item in items if not _may_be_empty(*item)]
    repeats = [item for item in items if str(item[0]) in _REPEATS and _is_unbounded(item[1])]
    if any(item not in repeats for item in needed):
        return len(needed) == 1 and any(
            _is_only_a_repeat(inner) for inner in _inner(str(needed[0][0]), needed[0][1])
        )
    return bool(repeats) or any(
        _is_only_a_repeat(inner) for op, argument in items for inner in _inner(str(op), argument)
    )


def _may_be_empty(op: Any, argument: Any) -> bool:
    return str(op) == "AT" or (str(op) in _REPEATS and argument[0] == 0)


def _inner(op: str, argument: Any) -> Iterable[Any]:
    """Return the item lists inside of one parsed item."""
    if op in _REPEATS:
        return [argument[2]]
    if op == "SUBPATTERN":
        return [argument[-1]]
    if op == "BRANCH":
        return list(argument[1])
    if op in ("ASSERT", "ASSERT_NOT"):
        return [argument[1]]
    return []
