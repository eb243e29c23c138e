"""Ring buffer of events for one subscriber.

A slow reader loses its own events and affects no other subscriber.
Units: bytes of packed events.
"""

from __future__ import annotations

import collections
import dataclasses
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from salt_g.shapes.loads import EventData


@dataclasses.dataclass(frozen=True)
class Event:
    """An event on the bus. Subscribers share `data` and must not modify it.

    `body` is tag, separator and packed data, as the sockets of the bus send it.
    """

    tag: str
    data: EventData
    body: bytes


class Ring:
    """Queue of events for one subscriber.

    When full, the oldest events are dropped and counted; `put` never waits.
    """

    def __init__(self, *, max_events: int, max_bytes: int) -> None:
        self.dropped = 0
        self._max_events = max_events
        self._max_bytes = max_bytes
        self._events: collections.deque[Event] = collections.deque()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._events)

    @property
    def held(self) -> int:
        """Bytes of queued events."""
        return self._bytes

    def put(self, event: Event) -> int:
        """Add an event and return the number of old events dropped for it."""
        before = self.dropped
        size = len(event.body)
        while self._events and (
            len(self._events) >= self._max_events or self._bytes + size > self._max_bytes
        ):
            self.take()
            self.dropped += 1
        self._events.append(event)
        self._bytes += size
        return self.dropped - before

    def take(self) -> Event | None:
        """Return the oldest event, or None when the ring is empty."""
        if not self._events:
            return None
        event = self._events.popleft()
        self._bytes -= len(event.body)
        return event
