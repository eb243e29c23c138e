"""Limits for connections of the listening ports, in total and per address.

The ports share the file descriptors of one process. When a slot is needed, connections that have not
sent a message yet are closed first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol


class LimitedConnection(Protocol):
    """Protocol of a connection that `ConnectionLimits` counts and can close."""

    address: str
    messages: int
    opened_at: float

    def close(self) -> None:
        """Close the connection and call `ConnectionLimits.leave`."""


class ConnectionLimits:
    """Connection slots; `refused` counts rejected connections and those closed to make room for others."""

    def __init__(self, total: int, per_address: int) -> None:
        self.total = total
        self.per_address = per_address
        self.refused = 0
        self._by_address: dict[str, dict[int, LimitedConnection]] = {}
        self._number = 0

    def __len__(self) -> int:
        return self._number

    def enter(self, newcomer: LimitedConnection) -> bool:
        """Assign a slot to a connection, evicting another if necessary; return whether that succeeded."""
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
        """Release the slot of a closed connection; harmless if it had none."""
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
    """Return the limits for a process with `open_files` descriptors; a quarter, at most 512, stays free.

    The store, the local socket and local clients need the free ones. `per_address` 0 means half of the slots.
    """
    total = max(1, open_files - min(512, open_files // 4))
    return ConnectionLimits(total, per_address or max(1, total // 2))


def _oldest_silent(placed: Iterable[LimitedConnection]) -> LimitedConnection | None:
    # Connections are in the order in which they were opened.
    return next((one for one in placed if not one.messages), None)
