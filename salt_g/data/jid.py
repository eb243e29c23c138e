"""Job ids: `%Y%m%d%H%M%S%f` in UTC, 20 digits.

Why its own file: programs, the state lock and the job cache all make or read them.
"""

from __future__ import annotations

import time

#: How many digits a job id has.
LENGTH = 20
#: How many characters may follow in that of a job.
MAX_SUFFIX = 43


def make(now_ns: int | None = None) -> str:
    """Return a job id for this moment (or for `now_ns`, nanoseconds since the epoch)."""
    seconds, rest = divmod(time.time_ns() if now_ns is None else now_ns, 1_000_000_000)
    return time.strftime("%Y%m%d%H%M%S", time.gmtime(seconds)) + f"{rest // 1000:06d}"


def is_jid(text: str) -> bool:
    """Return whether `text` has the form of a job id."""
    return len(text) == LENGTH and text.isascii() and text.isdigit()


def is_job(text: str) -> bool:
    """Return whether `text` can be a job's: a job id, perhaps with the suffix of `unique_jid` or of a client.

    A suffix is short and of letters, digits, `_` and `-`, so that it means nothing in tags and paths.
    """
    suffix = text[LENGTH:]
    is_plain = suffix.isascii() and suffix.replace("_", "a").replace("-", "a").isalnum()
    return is_jid(text[:LENGTH]) and (not suffix or (is_plain and len(suffix) <= MAX_SUFFIX))


def started_at(jid: str) -> str:
    """Return the moment in a job id as stock prints it, `2026, Jan 02 03:04:05.678901`."""
    moment = time.strptime(jid[:14], "%Y%m%d%H%M%S")
    return time.strftime("%Y, %b %d %H:%M:%S", moment) + f".{jid[14:]}"
