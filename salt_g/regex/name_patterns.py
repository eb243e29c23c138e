"""Matching of names against patterns: globs, or regular expressions for the whole name.

Such patterns are used for users, groups, minions, grains, event tags and environments of repositories.
"""

from __future__ import annotations

import fnmatch

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
