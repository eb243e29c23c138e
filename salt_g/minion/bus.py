"""The minion's own event bus: in memory, and on two sockets (or ports) for the programs of this machine.

Why its own file: schedule, beacons, refreshes and `salt-g call` all meet here.
Source: wire specification, section 11.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from typing import Any

from salt_g.event.bus import Bus, Subscription
from salt_g.net import event_bus_addresses
from salt_g.process.disk import make_private_directory
from salt_g.process.supervisor import Supervisor
from salt_g.transport.bus_server import BusServer
from salt_g.transport.unix_socket import Credentials

log = logging.getLogger(__name__)


class MinionBus:
    """The bus and its sockets; implements `fleet.Events`. Life: `start`, `stop`."""

    def __init__(self, opts: Mapping[str, Any], *, supervisor: Supervisor) -> None:
        self.bus = Bus(max_event_bytes=int(opts.get("max_event_size") or 1048576))
        self._opts = opts
        self._supervisor = supervisor
        self._folder = str(opts["sock_dir"])
        self._places = event_bus_addresses.of_minion(opts)
        self._server = BusServer(
            self._places,
            supervisor=supervisor,
            on_event=self._take,
            may_connect=lambda who: who.uid in (0, os.geteuid()),
        )

    def start(self) -> None:
        """Listen on the sockets and give them every event."""
        make_private_directory(self._folder)
        self._server.start()
        if event_bus_addresses.is_tcp(self._opts):
            log.info("the event bus is on %s and %s, for root and our own user", *self._places)
        self._supervisor.spawn(self._publish, self.bus.subscribe(name="sockets"), name="bus to sockets")

    def stop(self) -> None:
        """Close the sockets."""
        self._server.stop()

    def fire(self, tag: str, data: Mapping[str, Any]) -> bool:
        """Fire an event; True, because there is a minion to take it."""
        self.bus.fire(tag, data)
        return True

    def watch(self, tag: str = "", way: str = "startswith") -> Subscription:
        """Gather the events whose tags `tag` means, from now on."""
        return self.bus.watch(tag, way)

    def _publish(self, subscription: Subscription) -> None:
        for event in subscription:
            self._server.publish(event.body)

    def _take(self, body: bytes, who: Credentials) -> None:
        self.bus.relay(body)
