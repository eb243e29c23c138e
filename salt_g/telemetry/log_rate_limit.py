"""Rate limit for repeated log lines.

A peer controls how often it is refused, and must not control how fast a daemon's disk fills up.
Short-lived programs do not need it.
Shapes: the limit is a `logging` filter; a line that passes reports how many equal ones were suppressed.
Units: seconds, monotonic.
"""

from __future__ import annotations

import collections
import logging
import time
from collections.abc import Callable, Hashable
from typing import NamedTuple

#: Length of a counting window (s).
WINDOW = 60.0
#: Maximum number of lines with the same text per window.
SAME_TEXT = 10
#: Maximum number of lines of one source location per window, whatever their text.
SAME_PLACE = 300
#: Maximum number of texts and locations counted; the oldest are dropped first.
_CAPACITY = 4096


class _Count(NamedTuple):
    """Start of a window and the number of lines in it."""

    began: float
    lines: int


class LogRateLimit(logging.Filter):
    """Filter that passes a bounded number of equal lines per window.

    Below `info` all lines pass, because these levels are for complete output.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._counts: collections.OrderedDict[Hashable, _Count] = collections.OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to write the line; the first line of a new window has the suppressed count."""
        if record.levelno < logging.INFO:
            return True
        text = record.getMessage()
        place = (record.pathname, record.lineno)
        of_text, text_before = self._count((place, text))
        of_place, place_before = self._count(place)
        if of_text > SAME_TEXT or of_place > SAME_PLACE:
            return False
        silent = max(text_before - SAME_TEXT, place_before - SAME_PLACE)
        if silent > 0:
            record.msg, record.args = f"{text} ({silent} more like this were not written)", None
        return True

    def _count(self, key: Hashable) -> tuple[int, int]:
        """Count a line; return (count in this window, count in the previous one if this is new, else 0)."""
        now = self._clock()
        known = self._counts.pop(key, None)
        is_over = known is None or now - known.began >= WINDOW
        count = _Count(now, 1) if known is None or is_over else _Count(known.began, known.lines + 1)
        self._counts[key] = count
        if len(self._counts) > _CAPACITY:
            self._counts.popitem(last=False)
        return count.lines, known.lines if known is not None and is_over else 0
