"""Hints: signals that wake a polling loop early, before its next regular turn.

While the loop is busy, hints that can wait are collected for `PAUSE`, so that one turn does the work of
several. When there is little to do, each hint wakes the loop at once.
Units: seconds of the monotonic clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import gevent.event

#: Time for which hints are collected after a turn that found `MUCH` items or more.
PAUSE, MUCH = 0.05, 8


class Hints:
    """Hints for one loop, which calls `wait` before each turn and `note_found` after each turn."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._any: Any = gevent.event.Event()
        self._urgent: Any = gevent.event.Event()
        self._gather_until = 0.0

    def give(self, *, can_wait: bool = False) -> None:
        """Wake the loop; with `can_wait`, a busy loop finishes its pause first."""
        if not can_wait:
            self._urgent.set()
        self._any.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for a hint, and for more if the loop is busy; clear them and return whether one was urgent."""
        self._any.wait(timeout)
        left = self._gather_until - self._clock()
        if left > 0:
            self._urgent.wait(left)
        is_urgent = bool(self._urgent.is_set())
        self._any.clear()
        self._urgent.clear()
        return is_urgent

    def note_found(self, count: int) -> None:
        """Record the number of items that the last turn found."""
        self._gather_until = self._clock() + PAUSE if count >= MUCH else 0.0
