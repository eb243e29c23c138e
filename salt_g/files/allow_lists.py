"""White and black lists of names.

Used for environments of repositories and for minions whose pushed files are served.
"""

from __future__ import annotations

import fnmatch
import logging
from collections.abc import Sequence

from salt_g.errors import TargetError
from salt_g.regex.bounded import compile_bounded

log = logging.getLogger(__name__)


def is_exposed(name: str, whitelist: Sequence[str] | str, blacklist: Sequence[str] | str) -> bool:
    """Return whether the white list (an empty one matches all) has a name and the black list does not.

    An entry is a name, a glob, or a regular expression for the whole name.
    """
    if whitelist and not _is_in(name, whitelist):
        return False
    return not _is_in(name, blacklist)


def _is_in(name: str, entries: Sequence[str] | str) -> bool:
    listed = entries.split(",") if isinstance(entries, str) else entries
    return any(_fits(name, str(entry)) for entry in listed)


def _fits(name: str, entry: str) -> bool:
    if not entry:
        return False
    if fnmatch.fnmatchcase(name, entry):
        return True
    try:
        return compile_bounded(entry).fullmatch(name) is not None
    except TargetError as exc:
        # Most globs are not valid regular expressions; they were matched above.
        log.debug("%s", exc)
        return False
