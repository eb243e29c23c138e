"""Tag matching with stock's five methods.

Errors: TargetError for an invalid expression or an unknown method.
"""

from __future__ import annotations

import fnmatch
import functools
import re
from collections.abc import Callable, Iterable

from salt_g.errors import TargetError

#: Predicate on a tag.
Accepts = Callable[[str], bool]


def startswith(wanted: str) -> Accepts:
    """Return a predicate for tags that begin with `wanted`; '' accepts all."""
    return lambda tag: tag.startswith(wanted)


def endswith(wanted: str) -> Accepts:
    """Return a predicate for tags that end with `wanted`."""
    return lambda tag: tag.endswith(wanted)


def find(wanted: str) -> Accepts:
    """Return a predicate for tags that contain `wanted`."""
    return lambda tag: wanted in tag


def regex(wanted: str) -> Accepts:
    """Return a predicate for tags whose start matches a regular expression."""
    # Imported lazily: clients compare prefixes, and bounding expressions costs a tenth of their start.
    from salt_g.regex.bounded import compile_bounded, matches_start

    compile_bounded(wanted)
    return lambda tag: matches_start(wanted, tag)


def glob(wanted: str) -> Accepts:
    """Return a predicate for tags that a shell pattern matches as a whole; `*` matches slashes, too."""
    match = _compiled_glob(wanted).match
    return lambda tag: match(tag) is not None


#: Functions that make a predicate, by the value of the setting `event_match_type`.
WAYS: dict[str, Callable[[str], Accepts]] = {
    "startswith": startswith,
    "endswith": endswith,
    "find": find,
    "regex": regex,
    "fnmatch": glob,
}


def accepts(wanted: str, way: str = "startswith") -> Accepts:
    """Return a predicate that matches tags against `wanted`."""
    if way not in WAYS:
        raise TargetError(f"unknown event match type {way!r}; use one of {', '.join(WAYS)}")
    return WAYS[way](wanted)


def is_stored(tag: str, whitelist: Iterable[str], blacklist: Iterable[str]) -> bool:
    """Return whether an event goes to the returners of `event_return`, by globs; the blacklist wins."""
    white, black = list(whitelist), list(blacklist)
    if any(glob(wanted)(tag) for wanted in black):
        return False
    return not white or any(glob(wanted)(tag) for wanted in white)


@functools.lru_cache(maxsize=1024)
def _compiled_glob(wanted: str) -> re.Pattern[str]:
    return re.compile(fnmatch.translate(wanted))
