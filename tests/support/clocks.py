"""Manually advanced time."""

from __future__ import annotations


class Clock:
    """Clock that shows `now` until the test sets another time."""

    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now
