"""Queue of outgoing events to a master.

Sources of events (state runs, beacons, the bus) do not wait for the master.
Bounds: `MAX_EVENTS` messages, each with one or several events, and `MAX_BYTES` in total are queued for each
master; beyond that, the oldest messages are dropped and counted.
Source: wire specification, section 9.1 (`_minion_event`).
"""

from __future__ import annotations

import collections
import logging
from collections.abc import Mapping, Sequence
from typing import Any

import gevent.event

from salt_g.data.minion_tags import refused_tags, why_refused
from salt_g.errors import SaltGError, WireError
from salt_g.process.secret_hiding import hide
from salt_g.services.daemons import Asking
from salt_g.shapes.loads import LoadFields, MinionEventLoad
from salt_g.wire.packing import pack_bus

log = logging.getLogger(__name__)

#: Maximum number of messages queued for one master, and their maximum total size (bytes).
MAX_EVENTS = 10_000
MAX_BYTES = 64 * 1024 * 1024
#: Timeout for a master to accept an event (s).
TIMEOUT = 60.0


class EventOutbox:
    """Queue of events for one master, sent in order by one greenlet (`run`)."""

    def __init__(self, channel: Asking) -> None:
        self._channel = channel
        self._loads: collections.deque[tuple[MinionEventLoad, int]] = collections.deque()
        self._held = 0
        self._ready: Any = gevent.event.Event()
        self.dropped = 0

    def fire(self, tag: str, data: Any, **further: Any) -> None:
        """Queue one event; `further` are other fields of the load, such as `grains` and `pretag`."""
        fields: Any = {"tag": tag, "data": data, **further}
        self._put(fields)

    def fire_many(self, events: Sequence[Mapping[str, Any]], pretag: str | None = None) -> None:
        """Queue several events {tag, data} at once, as beacons do."""
        self._put({"events": [dict(event) for event in events], "pretag": pretag})

    def run(self) -> None:
        """Send queued events, forever; an event that a master does not accept in time is lost."""
        while True:
            self._ready.wait()
            while self._loads:
                self._send(self._take())
            self._ready.clear()

    def _put(self, load: MinionEventLoad) -> None:
        load = hide(load)
        size = _size(load)
        while self._loads and (len(self._loads) >= MAX_EVENTS or self._held + size > MAX_BYTES):
            self._take()
            self.dropped += 1
            if self.dropped % MAX_EVENTS == 1:
                log.warning("%d event messages are queued; the oldest are dropped", len(self._loads) + 1)
        self._loads.append((load, size))
        self._held += size
        self._ready.set()

    def _take(self) -> MinionEventLoad:
        load, size = self._loads.popleft()
        self._held -= size
        return load

    def _send(self, load: MinionEventLoad) -> None:
        try:
            reply = self._channel.ask({**load, "cmd": "_minion_event"}, timeout=TIMEOUT)
        except (SaltGError, OSError) as exc:
            log.warning("the master has not accepted an event (%s): %s", load.get("tag", "several"), exc)
            return
        for tag in refused_tags(reply):
            log.warning("the master refused the event %s: %s", tag, why_refused(tag))


def _size(load: LoadFields) -> int:
    """Return the approximate size of a message in bytes; 0 if it cannot be packed, so sending will fail."""
    try:
        return len(pack_bus(load))
    except WireError:
        return 0
