"""Link of a client to a master whose events are on a bus of this process.

It is used by clients inside the master (`master/calls/call_clients.py`) and by the HTTP API, whose bus
carries the events of the master's front-end socket.
Units: seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from salt_g.client.link import STARTED, MasterEvent, TagFilter, followed_tags
from salt_g.event.bus import Bus, Subscription
from salt_g.process.supervisor import deadline_in, seconds_until
from salt_g.shapes.loads import EventData, Load

#: Sends a clear command, with a timeout, and returns the reply.
Ask = Callable[[Load, float], Any]


class BusLink:
    """Link of one client; connected when created, closed by `close`. It has one reader."""

    def __init__(self, ask: Ask, bus: Bus, *, name: str) -> None:
        self._ask = ask
        self._bus = bus
        self._tag_filter = TagFilter()
        self._is_settled = True
        self._is_closed = False
        self._name = name
        self._events: Subscription | None = None

    def ask(self, load: Load, *, timeout: float, follow: bool = False) -> Any:
        """Send a clear command and return the reply."""
        if not follow:
            return self._ask(load, timeout)
        self._is_settled = False
        self._followed()
        try:
            reply = self._ask(load, timeout)
            for tag in followed_tags(reply):
                self._tag_filter.add(tag)
            return reply
        finally:
            self._is_settled = True

    def subscribe(self, tag: str, way: str = "startswith") -> None:
        """Subscribe to events with matching tags."""
        self._tag_filter.add(tag, way)
        self._followed()

    def unsubscribe(self, tag: str, way: str = "startswith") -> None:
        """Unsubscribe from these tags."""
        self._tag_filter.remove(tag, way)

    def next_event(self, timeout: float) -> MasterEvent | None:
        """Return the next matching event, or None on timeout."""
        deadline = deadline_in(timeout)
        while True:
            event = self._followed().get(seconds_until(deadline))
            if event is None:
                return None
            if self._tag_filter.want(event.tag):
                return MasterEvent(event.tag, event.data)

    def fire(self, tag: str, data: EventData) -> None:
        """Fire an event on the bus."""
        self._bus.fire(tag, data)

    def close(self) -> None:
        """Unsubscribe from the bus."""
        self._is_closed = True
        if self._events is not None:
            self._events.close()

    def _followed(self) -> Subscription:
        """Return the subscription, created on first use: most clients only send requests."""
        if self._events is None:
            self._events = self._bus.subscribe_by(self._may_want, name=self._name)
            if self._is_closed:
                self._events.close()
        return self._events

    def _may_want(self, tag: str) -> bool:
        # Before the reply contains a jid, events of any job are kept: the first may arrive earlier.
        if not self._is_settled and tag.startswith(STARTED):
            return True
        return self._tag_filter.want(tag)
