"""Client with which a call on the master publishes jobs.

A client waits for one job at a time, while the states of one orchestration may run in parallel; so each
greenlet of a call has its own client, and all are closed with the call.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any


class CallClients:
    """Clients of one call; behaves like the client of the calling greenlet (or thread)."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._mine = threading.local()
        self._made: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        client = getattr(self._mine, "client", None)
        if client is None:
            client = self._mine.client = self._make()
            self._made.append(client)
        return getattr(client, name)

    def destroy(self) -> None:
        """Close the clients."""
        for client in self._made:
            client.destroy()
