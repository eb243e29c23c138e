"""Link to the event bus of the minion on this machine, for users' engines and Python programs.

It carries only events, because a minion accepts no commands there. Plain sockets carry the frames.
Units: seconds.
Errors: MasterUnreachable if no minion serves its bus here, or if the minion ends.
Source: wire specification, section 11.
"""

from __future__ import annotations

import collections
import datetime
from typing import TYPE_CHECKING, Any, NoReturn

from salt_g.client.link import MasterEvent, TagFilter
from salt_g.errors import MasterUnreachable
from salt_g.net import event_bus_addresses
from salt_g.process.supervisor import deadline_in, seconds_until
from salt_g.wire.events import FrameReader, pack_event, prefixed_frame, stamp, unpack_event

if TYPE_CHECKING:
    from salt_g.shapes import Opts
    from salt_g.shapes.loads import EventData, Load

#: Time limit for the minion to accept a connection.
_TIMEOUT = 5.0
_CHUNK = 65536


class MinionLink:
    """Link to the bus of the minion with these settings; connected when created. It has one reader."""

    def __init__(self, opts: Opts) -> None:
        self._id = str(opts["id"])
        self._pub, self._pull = event_bus_addresses.of_minion(opts)
        self._tag_filter = TagFilter()
        self._reader = FrameReader()
        self._events: collections.deque[MasterEvent] = collections.deque()
        try:
            self._connection = event_bus_addresses.connect(self._pub, _TIMEOUT)
        except OSError as exc:
            raise MasterUnreachable(f"the minion {self._id} is not running ({self._pub}: {exc})") from exc

    def ask(self, load: Load, *, timeout: float, follow: bool = False) -> NoReturn:
        """Raise MasterUnreachable, because a minion accepts no commands on its bus."""
        raise MasterUnreachable(f"the event bus of the minion {self._id} accepts no commands")

    def subscribe(self, tag: str, way: str = "startswith") -> None:
        """Subscribe to events with matching tags."""
        self._tag_filter.add(tag, way)

    def unsubscribe(self, tag: str, way: str = "startswith") -> None:
        """Unsubscribe from these tags."""
        self._tag_filter.remove(tag, way)

    def next_event(self, timeout: float) -> MasterEvent | None:
        """Return the next matching event, or None on timeout."""
        deadline = deadline_in(timeout)
        while not self._events:
            if not self._read(seconds_until(deadline)):
                return None
        return self._events.popleft()

    def fire(self, tag: str, data: EventData) -> None:
        """Fire an event on the minion's bus."""
        now = stamp(datetime.datetime.now(datetime.timezone.utc))
        fields: dict[str, Any] = {**data, "_stamp": now}
        try:
            with event_bus_addresses.connect(self._pull, _TIMEOUT) as connection:
                connection.sendall(prefixed_frame(pack_event(tag, fields)))
                event_bus_addresses.wait_until_read(connection)
        except OSError as exc:
            raise MasterUnreachable(f"the minion {self._id} accepted no event ({self._pull}: {exc})") from exc

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _read(self, timeout: float | None) -> bool:
        """Read what has arrived; return False on timeout."""
        self._connection.settimeout(None if timeout is None else max(timeout, 0.001))
        try:
            data = self._connection.recv(_CHUNK)
        except TimeoutError:
            return False
        except OSError as exc:
            raise MasterUnreachable(f"the minion {self._id} has closed its event bus ({exc})") from exc
        if not data:
            raise MasterUnreachable(f"the minion {self._id} has closed its event bus")
        for body in self._reader.feed(data):
            event = MasterEvent(*unpack_event(body))
            if self._tag_filter.want(event.tag):
                self._events.append(event)
        return True
