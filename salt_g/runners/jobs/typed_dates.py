"""Parser of dates and times typed by users: `2015, Mar 16 19:00`, `2015-03-16T19:00:01`, `2015/03/16`."""

from __future__ import annotations

import datetime

from salt_g.errors import InvocationError

_DATES = ("%Y, %b %d", "%Y %b %d", "%b %d %Y", "%b %d, %Y", "%d %b %Y", "%Y/%m/%d", "%m/%d/%Y", "%Y%m%d")
_TIMES = ("", " %H:%M", " %H:%M:%S", " %H:%M:%S.%f")


def read_moment(text: object) -> datetime.datetime:
    """Return a date and time without zone; raises InvocationError with the accepted formats."""
    written = " ".join(str(text).split())
    try:
        return datetime.datetime.fromisoformat(written.replace("Z", "+00:00")).replace(tzinfo=None)
    except ValueError:
        pass
    for date in _DATES:
        for time in _TIMES:
            try:
                return datetime.datetime.strptime(written, date + time)
            except ValueError:
                continue
    raise InvocationError(
        f"{written!r} is not a date and time; write one like '2026-03-16 19:00' or '2026, Mar 16 19:00:00'"
    )
