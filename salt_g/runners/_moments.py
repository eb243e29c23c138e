"""Read moments that users write: `2015, Mar 16 19:00`, `2015-03-16T19:00:01`, `2015/03/16`."""

from __future__ import annotations

import datetime

from salt_g.errors import InvocationError

_DATES = ("%Y, %b %d", "%Y %b %d", "%b %d %Y", "%b %d, %Y", "%d %b %Y", "%Y/%m/%d", "%m/%d/%Y", "%Y%m%d")
_TIMES = ("", " %H:%M", " %H:%M:%S", " %H:%M:%S.%f")


def read_moment(text: object) -> datetime.datetime:
    """Return a moment without zone; raises InvocationError with the forms that are understood."""
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
        f"{written!r} is no moment; write one like '2026-03-16 19:00' or '2026, Mar 16 19:00:00'"
    )
