"""Nodegroups of the configuration, expanded to words of a compound target.

Shapes: a nodegroup is text (`L@a,b or web*`) or a list of words; one without operators, prefixes or wildcards
is a list of ids, or one regular expression if it looks like one.
Errors: TargetError for a group that does not exist, contains itself, or is neither text nor a list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from salt_g.errors import TargetError
from salt_g.wire.compound_words import OPERATORS

_PREFIX = re.compile(r"[A-Z]@")
_REGEX_SIGNS = re.compile(r"[(\[{\\?}\])]")
#: Criterion that no id matches, used for an empty nodegroup, because stock's minions do not accept `( )`.
NOBODY = "E@^$"


def expand_nodegroup(name: str, nodegroups: Mapping[str, Any], *, within: tuple[str, ...] = ()) -> list[str]:
    """Return the words of a nodegroup, with nested groups expanded; several words are in parentheses."""
    if name in within:
        raise TargetError(f"nodegroup {name!r} contains itself: {' -> '.join((*within, name))}")
    if name not in nodegroups:
        raise TargetError(f"nodegroup {name!r} does not exist")
    words = _words(name, nodegroups[name])
    if not words:
        return [NOBODY]
    joined = _as_one_target(words)
    if joined:
        return [joined]
    expanded: list[str] = []
    for word in words:
        if word.startswith("N@") and len(word) > 2:
            expanded += expand_nodegroup(word[2:], nodegroups, within=(*within, name))
        else:
            expanded.append(word)
    return ["(", *expanded, ")"]


def _words(name: str, group: Any) -> list[str]:
    if isinstance(group, str):
        return group.split()
    if isinstance(group, (list, tuple)):
        return [str(word) for word in group]
    raise TargetError(f"nodegroup {name!r} is neither text nor a list (got {type(group).__name__})")


def _as_one_target(words: Sequence[str]) -> str:
    """Return plain names as one criterion, `L@...`, or `E@...` if one looks like a regular expression."""
    if (
        not words
        or OPERATORS.intersection(words)
        or any("*" in word or _PREFIX.match(word) for word in words)
    ):
        return ""
    engine = "E" if any(_REGEX_SIGNS.search(word) for word in words) else "L"
    return f"{engine}@{','.join(words)}"
