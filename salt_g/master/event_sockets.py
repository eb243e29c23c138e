"""The event bus as stock's tools on this host see it.

Why its own file: it joins the bus in memory and the two sockets (ports, with `ipc_mode: tcp`), and leaves
the files that stock's programs look for before they speak to a master.
Source: wire specification, sections 11.1 and 11.4.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable, Container, Mapping
from typing import Any

from salt_g.event.bus import Bus
from salt_g.net import event_bus_addresses
from salt_g.process import disk
from salt_g.process.supervisor import Supervisor
from salt_g.transport.bus_server import BusServer

log = logging.getLogger(__name__)

#: Sockets inside of stock's master, without which its command line and salt-api refuse to do anything.
MARKS = ("publish_pull.ipc", "workers.ipc")
#: The first series whose tools read frames without a length before them.
BARE_SINCE = 3007
#: Events that may wait for the sockets, which take them at once.
WAITING = 50_000


class EventSockets:
    """Life: `start`, `stop`."""

    def __init__(
        self,
        opts: Mapping[str, Any],
        bus: Bus,
        supervisor: Supervisor,
        readers_of: Callable[[str], Container[int]] = lambda tag: (),
    ) -> None:
        """`readers_of` says of the tag of an event which users get it besides root and our own."""
        self._readers_of = readers_of
        self._directory = opts["sock_dir"]
        self._bus = bus
        self._supervisor = supervisor
        # Users who may publish must be able to wait for what comes of it, and hear of nothing else.
        self.is_open = bool(opts["publisher_acl"] or opts["external_auth"])
        self._places = event_bus_addresses.of_master(opts)
        self._is_tcp = event_bus_addresses.is_tcp(opts)
        self._server = BusServer(
            self._places,
            supervisor=supervisor,
            on_event=lambda body, who: _relay(bus, body),
            pub_mode=0o666 if self.is_open else 0o600,
            prefixes_pub=opts["event_bus_release"] < BARE_SINCE,
        )
        self._subscription: Any = None

    def start(self) -> None:
        """Bind, and begin to give out events."""
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
        self._subscription = self._bus.subscribe(name="event sockets", max_events=WAITING, is_packed=True)
        self._supervisor.spawn(self._give_out, name="event sockets")
        for name in MARKS:
            disk.write_whole(os.path.join(self._directory, name), b"")

    def stop(self) -> None:
        """Remove what `start` made."""
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
