"""Compilation of regular expressions with bounded running time.

Patterns come from users, minions and configuration and run against grains, ids and tags of whole fleets, and
`re` has no time limit. So their cost is estimated before they run (`cost.py`), and the lengths of patterns
and subjects are limited.
Errors: TargetError.
"""

from __future__ import annotations

import functools
import logging
import re

from salt_g.errors import TargetError
from salt_g.regex.cost import Effort, Excessive, Explosive, check_size, effort_of

log = logging.getLogger(__name__)

#: Maximum length of a pattern in characters.
MAX_PATTERN = 4096
#: Maximum length of a subject in characters.
MAX_SUBJECT = 65536
#: Maximum number of steps of one match; `re` performs about 500 million per second.
MAX_EFFORT = 50_000_000
#: Minimum subject length that a pattern must support, in characters.
_USUAL = 32


@functools.lru_cache(maxsize=512)
def compile_bounded(pattern: str, *, ignore_case: bool = False) -> re.Pattern[str]:
    """Compile a pattern; raise TargetError when it is invalid or its cost is unbounded."""
    if len(pattern) > MAX_PATTERN:
        raise TargetError(
            f"regular expression of {len(pattern)} characters exceeds the limit of {MAX_PATTERN} characters"
        )
    try:
        check_size(pattern)
        compiled = re.compile(pattern, re.IGNORECASE if ignore_case else 0)
    except Excessive as exc:
        raise TargetError(f"regular expression {pattern!r} {exc}") from exc
    except (re.error, OverflowError, RecursionError) as exc:
        raise TargetError(f"regular expression {pattern!r} is invalid: {exc}") from exc
    if _effort(pattern, ignore_case).steps(_USUAL) > MAX_EFFORT:
        raise TargetError(f"regular expression {pattern!r} has too many repeats; write it with fewer")
    return compiled


def matches_start(pattern: str, subject: str, *, ignore_case: bool = False) -> bool:
    """Return whether `pattern` matches at the start of `subject`; raises TargetError.

    Only the first MAX_SUBJECT characters of the subject count. A subject that is too long for the pattern is
    logged and does not match, because its sender must not affect the match of other subjects.
    """
    compiled = compile_bounded(pattern, ignore_case=ignore_case)
    subject = subject[:MAX_SUBJECT]
    if _is_too_long(subject, _effort(pattern, ignore_case), pattern):
        return False
    return compiled.match(subject) is not None


def matches_whole(pattern: str, subject: str) -> bool:
    """Return whether `pattern` matches all of `subject`; raises TargetError.

    A subject that is too long is logged and does not match.
    """
    compiled = compile_bounded(pattern)
    if _is_too_long(subject, _effort(pattern, False), pattern):
        return False
    return compiled.fullmatch(subject) is not None


def _is_too_long(subject: str, effort: Effort, pattern: str) -> bool:
    if len(subject) <= MAX_SUBJECT and effort.steps(len(subject)) <= MAX_EFFORT:
        return False
    log.warning(
        "subject of %d characters is too long for the regular expression %.200r", len(subject), pattern
    )
    return True


@functools.lru_cache(maxsize=512)
def _effort(pattern: str, ignore_case: bool) -> Effort:
    if not set(pattern) & set("*+?{|"):
        return Effort()
    try:
        return effort_of(pattern, ignore_case=ignore_case)
    except Explosive as exc:
        raise TargetError(
            f"regular expression {pattern!r} repeats a repeat; remove the inner repeat,"
            " or separate the repetitions by a character that it does not match"
        ) from exc
    except RecursionError as exc:
        raise TargetError(f"regular expression {pattern!r} nests too many groups") from exc
