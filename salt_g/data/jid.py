"""Job ids: `%Y%m%d%H%M%S%f` in UTC, 20 digits."""

from __future__ import annotations

import time

#: Number of digits in a job id.
LENGTH = 20
#: Maximum number of characters in the suffix of a job's id.
MAX_SUFFIX = 43


def make(now_ns: int | None = None) -> str:
    """Return a job id for the current time (or for `now_ns`, nanoseconds since the epoch)."""
    seconds, rest = divmod(time.time_ns() if now_ns is None else now_ns, 1_000_000_000)
    return time.strftime("%Y%m%d%H%M%S", time.gmtime(seconds)) + f"{rest // 1000:06d}"


def microseconds(jid: str) -> int:
    """Return the time of a job id in microseconds since the epoch; raise ValueError if it has none."""
    # Imported lazily: rarely needed, and the import takes a fortieth of the time of `test.ping`.
    import calendar

    return calendar.timegm(time.strptime(jid[:14], "%Y%m%d%H%M%S")) * 1_000_000 + int(jid[14:LENGTH])


def is_jid(text: str) -> bool:
    """Return whether `text` has the form of a job id."""
    return len(text) == LENGTH and text.isascii() and text.isdigit()


def is_job(text: str) -> bool:
    """Return whether `text` can be a job's id: a jid, optionally with a suffix of `unique_jid` or a client.

    A suffix is short and consists of letters, digits, `_` and `-`, so that it is harmless in tags and paths.
    """
    suffix = text[LENGTH:]
    is_plain = suffix.isascii() and suffix.replace("_", "a").replace("-", "a").isalnum()
    return is_jid(text[:LENGTH]) and (not suffix or (is_plain and len(suffix) <= MAX_SUFFIX))


def started_at(jid: str) -> str:
    """Return the time of a job id in stock's format, `2026, Jan 02 03:04:05.678901`."""
    moment = time.strptime(jid[:14], "%Y%m%d%H%M%S")
    return time.strftime("%Y, %b %d %H:%M:%S", moment) + f".{jid[14:]}"
