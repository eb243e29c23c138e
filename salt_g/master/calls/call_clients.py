"""The client that a call on the master publishes jobs with.

Why its own file: a client waits for one job at a time, while the states of one orchestration may
run side by side; so each greenlet of a call gets its own, and all end with the call.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any


class CallClients:
    """Clients of one call; looks like the one of the greenlet (or thread) that asks."""

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
        """Hang up."""
        for client in self._made:
            client.destroy()
