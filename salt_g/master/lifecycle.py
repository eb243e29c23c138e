"""Running parts of the master and their shutdown in reverse order.

A part that fails to stop must not keep the others from stopping, because the store, among the first to start,
writes its queue when it stops.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

log = logging.getLogger(__name__)


class Lifecycle:
    """Running parts. Lifecycle: `begin` for each part, `end` once; `at_the_end` for shutdown work only."""

    def __init__(self) -> None:
        self._ends: list[Callable[[], object]] = []

    def begin(self, start: Callable[[], object], stop: Callable[[], object]) -> None:
        """Start a part; its `stop` may return False if it was not finished in time."""
        start()
        self._ends.append(stop)

    def at_the_end(self, *acts: Callable[[], object]) -> None:
        """Register functions to call at shutdown, the last first, before the parts started so far stop."""
        self._ends += acts

    def end(self) -> bool:
        """Stop all parts, the last first; return whether all finished in time and without an error."""
        finished = True
        while self._ends:
            finished = _is_finished(self._ends.pop()) and finished
        return finished


def _is_finished(stop: Callable[[], object]) -> bool:
    try:
        return stop() is not False
    # The error of one part is logged; the others are stopped as usual.
    except Exception:
        log.exception("a part of the master failed to stop")
        return False
