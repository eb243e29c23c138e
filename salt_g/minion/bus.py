"""Event bus of the minion, in memory and on two sockets (or ports) for other programs on this machine.

Schedule, beacons, refreshes and `salt-g call` communicate over this bus. `serve` calls the handlers of its
events: refresh events have one table of handlers, schedule and beacon events another.
Source: wire specification, section 11.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.event.bus import Bus, Subscription
from salt_g.minion.settings import BusSettings
from salt_g.process.disk import make_private_directory
from salt_g.process.secret_hiding import hide
from salt_g.process.supervisor import Supervisor
from salt_g.shapes.loads import EventFields
from salt_g.transport.bus_server import BusServer
from salt_g.transport.unix_socket import PeerCredentials

log = logging.getLogger(__name__)

#: Data of an event.
Data = Mapping[str, Any]
#: {tag: handler of its events}
Handlers = Mapping[str, Callable[[Data], None]]


class MinionBus:
    """Event bus and its sockets; implements `services.protocols.Events`. Lifecycle: `start`, `stop`."""

    def __init__(self, settings: BusSettings, *, supervisor: Supervisor) -> None:
        self.bus = Bus(max_event_bytes=settings.max_event_size)
        self._settings = settings
        self._supervisor = supervisor
        self._server = BusServer(
            settings.addresses,
            supervisor=supervisor,
            on_event=self._take,
            may_connect=lambda who: who.uid in (0, os.geteuid()),
        )

    def start(self) -> None:
        """Listen on the sockets and relay every event to connected programs."""
        make_private_directory(self._settings.sock_dir)
        self._server.start()
        if self._settings.is_tcp:
            log.info("the event bus is on %s and %s, for root and our own user", *self._settings.addresses)
        self._supervisor.spawn(self._publish, self.bus.subscribe(name="sockets"), name="bus to sockets")

    def stop(self) -> None:
        """Close the sockets."""
        self._server.stop()

    def fire(self, tag: str, data: EventFields) -> bool:
        """Fire an event; return True, because this minion is running and receives it."""
        self.bus.fire(tag, hide(data))
        return True

    def watch(self, tag: str = "", way: str = "startswith") -> Subscription:
        """Return a subscription to the events that match `tag`, from now on."""
        return self.bus.watch(tag, way)

    def _publish(self, subscription: Subscription) -> None:
        for event in subscription:
            self._server.publish(event.body)

    def _take(self, body: bytes, who: PeerCredentials) -> None:
        self.bus.relay(body)


def serve(subscription: Subscription, handlers: Handlers) -> None:
    """Handle the events of a subscription until it ends; it must be limited to the tags of `handlers`."""
    for event in subscription:
        try:
            handlers[event.tag](event.data)
        # Any local program may fire an event, and its handler may call plugins: an error must affect only
        # this event.
        except (Exception, SystemExit):
            log.exception("handling of event %s failed", event.tag)
