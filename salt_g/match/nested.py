"""Matching of nested grains or pillar by a colon path that ends in a pattern.

Shared by the five matchers of grains and pillar (glob, pcre, exact), which differ only in the comparison of
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

#: Predicate: (value, pattern).
Accepts = Callable[[Any, str], bool]

_MISSING: Mapping[str, Any] = {}


def accepts_glob(value: Any, pattern: str) -> bool:
    """Return whether a value matches a glob, ignoring case."""
    return fnmatch.fnmatchcase(str(value).lower(), pattern.lower())


def accepts_pcre(value: Any, pattern: str) -> bool:
    """Return whether a value matches a regular expression at its start, ignoring case; log invalid ones."""
    from salt_g.regex.bounded import matches_start  # Imported lazily: most targets are globs.

    try:
        return matches_start(pattern, str(value), ignore_case=True)
    except TargetError as exc:
        log.error("%s", exc)
        return False


def accepts_exact(value: Any, pattern: str) -> bool:
    """Return whether the text of a value equals `pattern`, ignoring case."""
    return str(value).lower() == pattern.lower()


def matches_nested(data: Mapping[str, Any], expr: str, accepts: Accepts, *, delimiter: str = ":") -> bool:
    """Return whether a value of `data` matches `expr`; False if `expr` has no delimiter."""
    return _Search(accepts, delimiter).below(data, expr)


class _Search:
    """Search for one expression in nested data.

    Different splits of the path reach the same mapping with the same rest of the expression, twice as often
    with each level, so mismatches are cached.
    """

    def __init__(self, accepts: Accepts, delimiter: str) -> None:
        self._accepts = accepts
        self._delimiter = delimiter
        #: {(id() of a mapping without a match, length of the rest of the expression): that mapping}, which is
        #: kept alive so that its id is not reused.
        self._failed: dict[tuple[int, int], Mapping[Any, Any]] = {}

    def below(self, data: Mapping[Any, Any], expr: str) -> bool:
        """Return whether the value at a path in the expression matches the rest of the expression."""
        parts = expr.split(self._delimiter)
        for split in range(len(parts) - 1, 0, -1):
            path = self._delimiter.join(parts[:split])
            if path == "*":
                found, pattern = data, expr
            else:
                found = traverse(data, path, _MISSING, delimiter=self._delimiter)
                pattern = self._delimiter.join(parts[split:])
            if self._value(found, pattern):
                return True
        return False

    def _value(self, found: Any, pattern: str) -> bool:
        if isinstance(found, Mapping):
            return bool(found) and self._mapping(found, pattern)
        if isinstance(found, (list, tuple)):
            return any(self._member(member, pattern) for member in found)
        return self._accepts(found, pattern)

    def _member(self, member: Any, pattern: str) -> bool:
        if isinstance(member, Mapping) and self._mapping(member, pattern):
            return True
        return self._accepts(member, pattern)

    def _mapping(self, found: Mapping[Any, Any], pattern: str) -> bool:
        """Return whether a key of a mapping, or a deeper value, matches; `*:` skips one key."""
        known = (id(found), len(pattern))
        if known in self._failed:
            return False
        if self._mapping_matches(found, pattern):
            return True
        self._failed[known] = found
        return False

    def _mapping_matches(self, found: Mapping[Any, Any], pattern: str) -> bool:
        over_any_key = pattern.startswith("*" + self._delimiter)
        if over_any_key:
            pattern = pattern[1 + len(self._delimiter) :]
        if pattern == "*" or pattern in found or any(self._accepts(key, pattern) for key in found):
            return True
        if self.below(found, pattern):
            return True
        return over_any_key and any(self._below(value, pattern) for value in found.values())

    def _below(self, value: Any, pattern: str) -> bool:
        if isinstance(value, Mapping):
            return self._mapping(value, pattern)
        if isinstance(value, list):
            return any(self._accepts(item, pattern) for item in value)
        return self._accepts(value, pattern)
