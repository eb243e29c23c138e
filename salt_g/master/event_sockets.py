"""Event bus sockets for stock's tools on this host.

Connects the in-memory bus with the two sockets (ports, with `ipc_mode: tcp`), and creates the files that
stock's programs check before they contact a master.
Source: wire specification, sections 11.1 and 11.4.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable, Container
from typing import Any

from salt_g.event.bus import Bus
from salt_g.master.settings import EventSocketSettings
from salt_g.process import disk
from salt_g.process.supervisor import Supervisor
from salt_g.transport.bus_server import BusServer

log = logging.getLogger(__name__)

#: Internal sockets of stock's master; without them stock's command line and salt-api refuse to run.
MARKS = ("publish_pull.ipc", "workers.ipc")
#: First release series whose tools read frames without a length prefix.
BARE_SINCE = 3007
#: Maximum number of events queued for the sockets, which are normally read at once.
WAITING = 50_000


class EventSockets:
    """Event bus sockets. Lifecycle: `start`, `stop`."""

    def __init__(
        self,
        settings: EventSocketSettings,
        bus: Bus,
        supervisor: Supervisor,
        readers_of: Callable[[str], Container[int]] = lambda tag: (),
    ) -> None:
        """Initialize; `readers_of(tag)` returns the users who may read an event besides root and our own."""
        self._readers_of = readers_of
        self._directory = settings.sock_dir
        self._bus = bus
        self._supervisor = supervisor
        # Users who may publish must be able to wait for their results, and must see nothing else.
        self.is_open = settings.is_open
        self._places = settings.addresses
        self._is_tcp = settings.is_tcp
        self._server = BusServer(
            self._places,
            supervisor=supervisor,
            on_event=lambda body, who: _relay(bus, body),
            pub_mode=0o666 if self.is_open else 0o600,
            prefixes_pub=settings.event_bus_release < BARE_SINCE,
        )
        self._subscription: Any = None

    def start(self) -> None:
        """Bind the sockets and start relaying events."""
        disk.make_private_directory(self._directory)
        self._server.start()
        if self._is_tcp:
            readers = "root and our own user"
            if self.is_open:
                readers += " (every other user: its own jobs)"
            log.info(
                "the event bus is on %s for %s, and on %s for root and our own user",
                self._places.pub,
                readers,
                self._places.pull,
            )
        self._subscription = self._bus.subscribe_by(
            lambda tag: True,
            name="event sockets",
            max_events=WAITING,
            is_packed=True,
            has_readers=lambda: len(self._server) > 0,
        )
        self._supervisor.spawn(self._give_out, name="event sockets")
        for name in MARKS:
            disk.write_whole(os.path.join(self._directory, name), b"")

    def stop(self) -> None:
        """Close the sockets, and remove the files created by `start`."""
        for name in MARKS:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.join(self._directory, name))
        if self._subscription is not None:
            self._subscription.close()
        self._server.stop()

    def _give_out(self) -> None:
        for event in self._subscription:
            self._server.publish(event.body, self._readers_of(event.tag))


def _relay(bus: Bus, body: bytes) -> None:
    bus.relay(body)
