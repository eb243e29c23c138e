"""Matching of nested grains or pillar by a colon path that ends in a pattern.

Six matchers (grain, pillar and their pcre and exact forms) share it; they differ only in the comparison of
one value.
Shapes: `role:web` matches {"role": "web"}, {"role": ["web", "db"]} and {"role": {"web": ...}}; since values
may contain the delimiter, every split of the path is tried, the deepest first.
Source: conformance cases `top/matchers`, `pillar/match`, `modules/match`.
"""

from __future__ import annotations

import fnmatch
import logging
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.data.nested import traverse
from salt_g.errors import TargetError

log = logging.getLogger(__name__)

#: Compares one value with a pattern.
Accepts = Callable[[Any, str], bool]

_MISSING: Mapping[str, Any] = {}


def accepts_glob(value: Any, pattern: str) -> bool:
    """Match as a glob, case-insensitively."""
    return fnmatch.fnmatchcase(str(value).lower(), pattern.lower())


def accepts_pcre(value: Any, pattern: str) -> bool:
    """Match as a regular expression from the start, case-insensitively; return False for a rejected one."""
    from salt_g.regex.bounded import matches_start  # Imported lazily: most targets are globs.

    try:
        return matches_start(pattern, str(value), ignore_case=True)
    except TargetError as exc:
        log.error("%s", exc)
        return False


def accepts_exact(value: Any, pattern: str) -> bool:
    """Compare the whole text, case-insensitively."""
    return str(value).lower() == pattern.lower()


def matches_nested(data: Mapping[str, Any], expr: str, accepts: Accepts, *, delimiter: str = ":") -> bool:
    """Return whether a value of `data` matches `expr`; False if it has no delimiter."""
    parts = expr.split(delimiter)
    for split in range(len(parts) - 1, 0, -1):
        path = delimiter.join(parts[:split])
        if path == "*":
            found, pattern = data, expr
        else:
            found, pattern = (
                traverse(data, path, _MISSING, delimiter=delimiter),
                delimiter.join(parts[split:]),
            )
        if _value_matches(found, pattern, accepts, delimiter):
            return True
    return False


def _value_matches(found: Any, pattern: str, accepts: Accepts, delimiter: str) -> bool:
    if isinstance(found, Mapping):
        return bool(found) and _mapping_matches(found, pattern, accepts, delimiter)
    if isinstance(found, (list, tuple)):
        return any(_member_matches(member, pattern, accepts, delimiter) for member in found)
    return accepts(found, pattern)


def _member_matches(member: Any, pattern: str, accepts: Accepts, delimiter: str) -> bool:
    if isinstance(member, Mapping) and _mapping_matches(member, pattern, accepts, delimiter):
        return True
    return accepts(member, pattern)


def _mapping_matches(found: Mapping[Any, Any], pattern: str, accepts: Accepts, delimiter: str) -> bool:
    """Compare with the keys of a mapping and with deeper values; `*:` skips one key."""
    over_any_key = pattern.startswith("*" + delimiter)
    if over_any_key:
        pattern = pattern[1 + len(delimiter) :]
    if pattern == "*" or pattern in found or any(accepts(key, pattern) for key in found):
        return True
    if matches_nested(found, pattern, accepts, delimiter=delimiter):
        return True
    return over_any_key and any(
        _below_matches(value, pattern, accepts, delimiter) for value in found.values()
    )


def _below_matches(value: Any, pattern: str, accepts: Accepts, delimiter: str) -> bool:
    if isinstance(value, Mapping):
        return _mapping_matches(value, pattern, accepts, delimiter)
    if isinstance(value, list):
        return any(accepts(item, pattern) for item in value)
    return accepts(value, pattern)
