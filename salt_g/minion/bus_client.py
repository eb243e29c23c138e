"""Client of the running minion's event bus, for another program on this machine (`salt-g call`).

That program may have no hub, so plain sockets carry the frames. Without a running minion there is no bus, and
`fire` returns False.
Units: seconds.
Source: wire specification, section 11.
"""

from __future__ import annotations

import collections
import datetime
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from salt_g.net import event_bus_addresses
from salt_g.process.secret_hiding import hide
from salt_g.shapes import Opts
from salt_g.shapes.loads import EventData, EventFields

#: Timeout for the minion to accept an event (s).
TIMEOUT = 5.0
_CHUNK = 65536


class BusEvent(NamedTuple):
    """Event received from the bus of a running minion."""

    tag: str
    data: EventData


class MinionBusClient:
    """Client of a running minion's bus; implements `services.protocols.Events`."""

    def __init__(self, opts: Opts) -> None:
        self._pub, self._pull = event_bus_addresses.of_minion(opts)

    def fire(self, tag: str, data: EventFields) -> bool:
        """Fire an event; return whether a minion accepted it."""
        from salt_g.wire.events import pack_event, prefixed_frame, stamp

        now = stamp(datetime.datetime.now(datetime.timezone.utc))
        frame = prefixed_frame(pack_event(tag, {**hide(data), "_stamp": now}))
        try:
            with event_bus_addresses.connect(self._pull, TIMEOUT) as connection:
                connection.sendall(frame)
                event_bus_addresses.wait_until_read(connection)
        except OSError:
            return False
        return True

    @contextmanager
    def watch(self, tag: str = "", way: str = "startswith") -> Iterator[BusWatch]:
        """Yield a subscription to the events that match `tag`; raise OSError if no minion is running here."""
        from salt_g.event.matching import accepts

        with event_bus_addresses.connect(self._pub, TIMEOUT) as connection:
            yield BusWatch(connection, accepts(tag, way))


class BusWatch:
    """Subscription over one connection; `is_closed` is set when the minion disconnects."""

    def __init__(self, connection: socket.socket, accepts: Callable[[str], bool]) -> None:
        from salt_g.wire.events import FrameReader

        self._connection = connection
        self._accepts = accepts
        self._reader = FrameReader()
        self._events: collections.deque[BusEvent] = collections.deque()
        self.is_closed = False

    def get(self, timeout: float | None = None) -> BusEvent | None:
        """Return the next event, or None on timeout or if the minion has disconnected."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self._events:
            left = None if deadline is None else deadline - time.monotonic()
            if (left is not None and left <= 0) or not self._read(left):
                return None
        return self._events.popleft()

    def _read(self, timeout: float | None) -> bool:
        from salt_g.wire.events import tag_of, unpack_event

        self._connection.settimeout(timeout)
        try:
            data = self._connection.recv(_CHUNK)
        except TimeoutError:
            return False
        except OSError:
            data = b""
        self.is_closed = not data
        for body in self._reader.feed(data):
            if self._accepts(tag_of(body)):
                self._events.append(BusEvent(*unpack_event(body)))
        return bool(data)
