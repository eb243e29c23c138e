"""Readiness of a minion: acceptance by a master, and the start of work at the first connection."""

from __future__ import annotations

from collections.abc import Callable

import gevent.event

from salt_g.minion.jobs.running_jobs import JobOrigin


class Readiness:
    """Combined state of all connections; `on_first(origin)` is called once, at the first connection.

    `settled` is set when a master has accepted the minion or does not accept it now, `connected` when jobs
    can be received or no master is needed.
    """

    def __init__(self, *, on_first: Callable[[JobOrigin], None]) -> None:
        self.settled = gevent.event.Event()
        self.connected = gevent.event.Event()
        self._on_first = on_first

    def note_connected(self, origin: JobOrigin) -> None:
        """Record that jobs of a master can be received; the first time, call `on_first`."""
        self.settled.set()
        if not self.connected.is_set():
            self._on_first(origin)
        self.connected.set()

    def note_trouble(self) -> None:
        """Record that a master does not accept the minion now; the minion starts nevertheless."""
        self.settled.set()

    def note_masterless(self) -> None:
        """Record that no master is needed."""
        self.connected.set()
