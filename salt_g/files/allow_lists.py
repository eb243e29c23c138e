"""White and black lists of names.

Used for environments of repositories and for minions whose pushed files are served.
"""

from __future__ import annotations

from collections.abc import Sequence

from salt_g.regex.name_patterns import matches_name


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
