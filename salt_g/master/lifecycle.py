"""The parts of the master that have begun, and their end, the last first.

Why its own file: a part that fails while it ends must not keep the others from ending: the store is among the
first to begin, and writes what is queued when it ends.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

log = logging.getLogger(__name__)


class Lifecycle:
    """What has begun. Life: `begin` for each part, `end` once; `at_the_end` for what is only done then."""

    def __init__(self) -> None:
        self._ends: list[Callable[[], object]] = []

    def begin(self, start: Callable[[], object], stop: Callable[[], object]) -> None:
        """Start a part, which `stop` ends; it may return False when it was not finished in time."""
        start()
        self._ends.append(stop)

    def at_the_end(self, *acts: Callable[[], object]) -> None:
        """Do these when the master ends, the last first, before whatever has begun until now."""
        self._ends += acts

    def end(self) -> bool:
        """End all, the last first; return whether everything was finished, in time and without an error."""
        finished = True
        while self._ends:
            finished = _is_finished(self._ends.pop()) and finished
        return finished


def _is_finished(stop: Callable[[], object]) -> bool:
    try:
        return stop() is not False
    # What is wrong with one part is logged, and the rest ends as ever.
    except Exception:
        log.exception("a part of the master did not end in order")
        return False
