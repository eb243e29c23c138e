"""Times for display, in this host's time zone."""

from __future__ import annotations

import time


def shown_time(moment: float) -> str:
    """Return a time (s since the epoch) as date and time, with seconds unless they are 0."""
    then = time.localtime(int(moment // 1))
    return time.strftime("%Y-%m-%d %H:%M:%S" if then.tm_sec else "%Y-%m-%d %H:%M", then)
