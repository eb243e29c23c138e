"""A fake master in memory: it records its requests, and the test supplies its events."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

from salt_g.client.link import MasterEvent
from salt_g.shapes.loads import EventData, Load

JID = "20260102030405678901"


class MemoryLink:
    """A link with replies and events from the test; time passes only while none are pending."""

    def __init__(self) -> None:
        self.now = 0.0
        self.requests: list[Load] = []
        self.events: collections.deque[tuple[float, MasterEvent]] = collections.deque()
        self.answer: Callable[[Load], Any] = lambda load: {}
        self.followed: list[tuple[str, str]] = []
        self.left: list[str] = []
        self.is_closed = False

    def clock(self) -> float:
        return self.now

    def ask(self, load: Load, *, timeout: float, follow: bool = False) -> Any:
        self.requests.append(load)
        return self.answer(load)

    def subscribe(self, tag: str, way: str = "startswith") -> None:
        self.followed.append((tag, way))

    def unsubscribe(self, tag: str, way: str = "startswith") -> None:
        self.left.append(tag)

    def next_event(self, timeout: float) -> MasterEvent | None:
        if self.events and self.events[0][0] <= self.now + timeout:
            moment, event = self.events.popleft()
            self.now = max(self.now, moment)
            return event
        self.now += max(timeout, 0.001)
        return None

    def fire(self, tag: str, data: EventData) -> None:
        self.events.append((self.now, MasterEvent(tag, data)))

    def close(self) -> None:
        self.is_closed = True

    def put(self, moment: float, tag: str, **data: Any) -> None:
        """Schedule an event at a given time."""
        self.events.append((moment, MasterEvent(tag, data)))

    def put_return(self, moment: float, id: str, value: Any = True, *, jid: str = JID, **more: Any) -> None:
        """Schedule a return at a given time."""
        self.put(
            moment, f"salt/job/{jid}/ret/{id}", id=id, jid=jid, **{"return": value, "retcode": 0, **more}
        )
