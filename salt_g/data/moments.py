"""Moments for people, in this host's zone."""

from __future__ import annotations

import time


def shown_time(moment: float) -> str:
    """Return a time of the epoch (s) with its date, to the minute, to the second if it has seconds."""
    then = time.localtime(int(moment // 1))
    return time.strftime("%Y-%m-%d %H:%M:%S" if then.tm_sec else "%Y-%m-%d %H:%M", then)
