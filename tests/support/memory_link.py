"""A master in memory: what it is asked is written down, its events are put in by the test."""

import collections
from collections.abc import Callable
from typing import Any

from salt_g.client.link import Event

JID = "20260102030405678901"


class MemoryLink:
    """A link whose replies and events the test decides; time passes only when nothing is there."""

    def __init__(self):
        self.now = 0.0
        self.asked = []
        self.events: collections.deque[tuple[float, Event]] = collections.deque()
        self.answer: Callable[[Any], Any] = lambda load: {}
        self.followed = []
        self.left = []
        self.is_closed = False

    def clock(self):
        return self.now

    def ask(self, load, *, timeout, follow=False):
        self.asked.append(load)
        return self.answer(load)

    def subscribe(self, tag, way="startswith"):
        self.followed.append((tag, way))

    def unsubscribe(self, tag, way="startswith"):
        self.left.append(tag)

    def next_event(self, timeout):
        if self.events and self.events[0][0] <= self.now + timeout:
            moment, event = self.events.popleft()
            self.now = max(self.now, moment)
            return event
        self.now += max(timeout, 0.001)
        return None

    def fire(self, tag, data):
        self.events.append((self.now, Event(tag, data)))

    def close(self):
        self.is_closed = True

    def put(self, moment, tag, **data):
        """Let an event come at a moment."""
        self.events.append((moment, Event(tag, data)))

    def put_return(self, moment, id, value=True, *, jid=JID, **more):
        """Let a return come at a moment."""
        self.put(
            moment, f"salt/job/{jid}/ret/{id}", id=id, jid=jid, **{"return": value, "retcode": 0, **more}
        )
