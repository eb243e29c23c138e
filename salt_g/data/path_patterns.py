"""Include and exclude patterns for functions that walk a tree."""

from __future__ import annotations

import fnmatch
import re

Patterns = str | list[str] | None


def is_included(path: str, include: Patterns = None, exclude: Patterns = None) -> bool:
    """Return whether a relative path matches `include` (if given) and not `exclude`.

    A pattern is a glob, or a regular expression after the prefix `E@`; a list matches if one of its patterns
    does.
    """
    return (not include or _fits(path, include)) and not (exclude and _fits(path, exclude))


def _fits(path: str, patterns: str | list[str]) -> bool:
    return any(
        _fits_one(path, pattern) for pattern in ([patterns] if isinstance(patterns, str) else patterns)
    )


def _fits_one(path: str, pattern: str) -> bool:
    if pattern.startswith("E@"):
        return re.search(pattern[2:], path) is not None
    return fnmatch.fnmatch(path, pattern)
