"""How many connections the listening ports hold, in total and for each address.

Why its own file: the ports share the descriptors of one process, and the rule for who goes is pure.
A place that is wanted is taken from a connection that has sent no message yet before all others.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol


class LimitedConnection(Protocol):
    """What the rule looks at."""

    address: str
    messages: int
    opened_at: float

    def close(self) -> None:
        """Hang up and call `ConnectionLimits.leave`."""


class ConnectionLimits:
    """The places of connections; `refused` counts newcomers and others that had to go."""

    def __init__(self, total: int, per_address: int) -> None:
        self.total = total
        self.per_address = per_address
        self.refused = 0
        self._by_address: dict[str, dict[int, LimitedConnection]] = {}
        self._number = 0

    def __len__(self) -> int:
        return self._number

    def enter(self, newcomer: LimitedConnection) -> bool:
        """Give a place to a connection, if need be that of another; False when there is none for it."""
        mine = self._by_address.get(newcomer.address, {})
        leaving = None
        if len(mine) >= self.per_address:
            leaving = _oldest_silent(mine.values())
        elif self._number >= self.total:
            most = max(self._by_address.values(), key=len)
            leaving = _oldest_silent(most.values())
            if leaving is None and len(most) > len(mine) + 1:
                leaving = max(most.values(), key=lambda placed: placed.opened_at)
        else:
            self._add(newcomer)
            return True
        self.refused += 1
        if leaving is None:
            return False
        leaving.close()
        self._add(newcomer)
        return True

    def leave(self, placed: LimitedConnection) -> None:
        """Take back the place of a connection that has ended; harmless for one that had none."""
        mine = self._by_address.get(placed.address)
        if mine is None or mine.pop(id(placed), None) is None:
            return
        self._number -= 1
        if not mine:
            del self._by_address[placed.address]

    def _add(self, placed: LimitedConnection) -> None:
        self._by_address.setdefault(placed.address, {})[id(placed)] = placed
        self._number += 1


def shared_by_ports(open_files: int, per_address: int = 0) -> ConnectionLimits:
    """Return the places of a process that may have so many open files; a quarter, at most 512, stays free.

    The store, the local socket and local clients need those. `per_address` 0 means half of the places.
    """
    total = max(1, open_files - min(512, open_files // 4))
    return ConnectionLimits(total, per_address or max(1, total // 2))


def _oldest_silent(placed: Iterable[LimitedConnection]) -> LimitedConnection | None:
    # Connections are added in the order in which they were opened.
    return next((one for one in placed if not one.messages), None)
