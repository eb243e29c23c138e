"""Count log lines that come too often, instead of writing them.

Why its own file: a peer decides how often it is refused, and must not decide how fast the disk of a
daemon fills up. Programs that end by themselves do not need it.
Shapes: a `logging` filter; what it lets pass tells how many lines of its kind it did not.
Units: seconds, monotonic.
"""

from __future__ import annotations

import collections
import logging
import time
from collections.abc import Callable, Hashable
from typing import NamedTuple

#: For how long lines are counted together (s).
WINDOW = 60.0
#: Lines with the same text that are written in a window.
SAME_TEXT = 10
#: Lines of one place in the code that are written in a window, whatever they say.
SAME_PLACE = 300
#: Texts and places that are counted at once; the oldest are forgotten first.
_CAPACITY = 4096


class _Count(NamedTuple):
    """Since when lines are counted, and how many there were."""

    began: float
    lines: int


class LogRateLimit(logging.Filter):
    """Lets a bounded number of equal lines pass in each window.

    Below `info` all lines pass: whoever asks for those wants to see everything.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._counts: collections.OrderedDict[Hashable, _Count] = collections.OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the line is to be written; one that ends a silence says how long it was."""
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
        """Count a line; return how many this window has, and the one before when this line began it."""
        now = self._clock()
        known = self._counts.pop(key, None)
        is_over = known is None or now - known.began >= WINDOW
        count = _Count(now, 1) if known is None or is_over else _Count(known.began, known.lines + 1)
        self._counts[key] = count
        if len(self._counts) > _CAPACITY:
            self._counts.popitem(last=False)
        return count.lines, known.lines if known is not None and is_over else 0
