"""Timeout of a job: when its silent minions are asked whether they run it, and when they are given up.

A minion may take `timeout`. Silent ones are then asked, and have `gather_timeout` to answer; one that runs
the job is given `timeout` again, and asked again after that.
Units: seconds; timestamps come from the caller's clock.
Source: wire specification, section 13.3.
"""

from __future__ import annotations

from collections.abc import Iterable


class JobTimeout:
    """Deadlines of the minions of one job, and the time of the next query."""

    def __init__(self, *, timeout: float, gather_timeout: float, now: float) -> None:
        self._timeout = timeout
        self._gather_timeout = gather_timeout
        self._ask_at = now + timeout
        self._until: dict[str, float] = {}

    def extend(self, minions: Iterable[str], now: float) -> None:
        """Give minions the whole `timeout` from now on."""
        self._until.update(dict.fromkeys(minions, now + self._timeout))

    def note_query(self, now: float, *, was_sent: bool = True) -> None:
        """Record a query of minions; the next is due after `gather_timeout`, or now if none was sent."""
        self._ask_at = now + (self._gather_timeout if was_sent else 0.0)

    def is_query_due(self, now: float) -> bool:
        """Return whether the time of the next query has come."""
        return now >= self._ask_at

    def is_over(self, minions: Iterable[str], now: float) -> bool:
        """Return whether none of these minions has time left."""
        return all(now >= self._until[id] for id in minions)

    def next_moment(self, minions: Iterable[str]) -> float:
        """Return the later of the next query and the deadlines of these minions."""
        return max([self._ask_at, *(self._until[id] for id in minions)])
