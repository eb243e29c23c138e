"""Matching of names against patterns, and against white and black lists of them.

A pattern is a glob, or a regular expression for the whole name. Patterns are used for users, groups, minions,
grains and event tags; lists for environments of repositories, and for minions whose pushed files are served.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence

from salt_g.errors import TargetError


def matches_name(name: str, pattern: str) -> bool:
    """Return whether a pattern matches a name; an invalid or too costly expression matches nothing."""
    if fnmatch.fnmatchcase(name, pattern):
        return True
    # Imported lazily, like `logging`: most names match as globs, and command line programs start faster.
    from salt_g.regex.bounded import matches_whole

    try:
        return matches_whole(pattern, name)
    except TargetError as exc:
        import logging

        # The error is expected, because most globs are not valid expressions.
        logging.getLogger(__name__).debug("%s", exc)
        return False


def is_exposed(name: str, whitelist: Sequence[str] | str, blacklist: Sequence[str] | str) -> bool:
    """Return whether a name is in the whitelist (an empty one matches all) and not in the blacklist.

    An entry is a name, a glob, or a regular expression that matches the whole name.
    """
    if whitelist and not _is_in(name, whitelist):
        return False
    return not _is_in(name, blacklist)


def _is_in(name: str, entries: Sequence[str] | str) -> bool:
    listed = entries.split(",") if isinstance(entries, str) else entries
    return any(matches_name(name, str(entry).strip()) for entry in listed)
