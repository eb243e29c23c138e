"""Connection to a stock master: clear requests on its `ret_port`, events from its bus.

Only this connection needs pyzmq. It also works with our master's sockets of the same names.
Units: seconds.
Source: wire specification, sections 10 and 11.
"""

from __future__ import annotations

import collections
import socket
import time
from typing import TYPE_CHECKING, Any

from salt_g.client.debug_log import debug
from salt_g.client.link import MasterEvent, TagFilter, followed_tags
from salt_g.errors import MasterUnreachable, WireError
from salt_g.net import event_bus_addresses
from salt_g.net.network_interfaces import reached_at
from salt_g.wire.events import FrameReader, pack_event, prefixed_frame, stamp, tag_of, unpack_event
from salt_g.wire.load_summary import LoadSummary
from salt_g.wire.packing import pack, unpack

if TYPE_CHECKING:
    from salt_g.shapes import Opts
    from salt_g.shapes.loads import EventData, Load

#: Supported clear commands; a stock master logs an error for any other.
COMMANDS = frozenset(("publish", "runner", "wheel", "mk_token", "get_token", "ping"))
#: Protocol version of clear requests.
VERSION = 3
#: Maximum number of bytes per read, and of queued events.
CHUNK = 1 << 18
MAX_EVENTS = 100_000


class StockLink:
    """REQ socket and bus subscription, both opened on first use."""

    def __init__(self, opts: Opts, *, key: str = "") -> None:
        """Use the addresses in `opts` (`interface`, `ret_port`, bus); `key` is the text of the key file."""
        self._address = f"tcp://{_bracketed(opts['interface'])}:{opts['ret_port']}"
        self._places = event_bus_addresses.of_master(opts)
        self._key = key
        self._subscriptions = TagFilter()
        self._bus: socket.socket | None = None
        self._reader = FrameReader()
        self._bodies: collections.deque[bytes] = collections.deque(maxlen=MAX_EVENTS)
        self._context: Any = None

    def ask(self, load: Load, *, timeout: float, follow: bool = False) -> Any:
        """Send a clear command with the user's key; return the reply, or {} for commands that stock lacks."""
        if load.get("cmd") not in COMMANDS:
            return {}
        if follow:
            self._connect_bus()
        debug("request to the master at %s: %s", self._address, LoadSummary(load))
        reply = self._request(
            {"enc": "clear", "load": {**load, "key": self._key}, "version": VERSION}, timeout
        )
        for tag in followed_tags(reply) if follow else ():
            self._subscriptions.add(tag)
        return reply

    def subscribe(self, tag: str, way: str = "startswith") -> None:
        """Subscribe to matching tags."""
        self._connect_bus()
        self._subscriptions.add(tag, way)

    def unsubscribe(self, tag: str, way: str = "startswith") -> None:
        """Cancel a subscription."""
        self._subscriptions.remove(tag, way)

    def next_event(self, timeout: float) -> MasterEvent | None:
        """Return the next subscribed event, or None on timeout."""
        deadline = time.monotonic() + timeout
        is_over = False
        while True:
            event = self._next_wanted()
            # Events of other tags may keep arriving, so the deadline is checked here as well.
            if event is not None or is_over or not self._read(deadline):
                return event
            is_over = time.monotonic() >= deadline

    def fire(self, tag: str, data: EventData) -> None:
        """Fire an event through the master's pull socket."""
        import datetime

        moment = datetime.datetime.now(datetime.timezone.utc)
        body = pack_event(tag, {**data, "_stamp": stamp(moment)})
        with _connected(self._places.pull) as pull:
            pull.sendall(prefixed_frame(body))
            event_bus_addresses.wait_until_read(pull)

    def close(self) -> None:
        """Close the connection."""
        if self._bus is not None:
            self._bus.close()
        if self._context is not None:
            self._context.destroy(linger=0)

    def _request(self, envelope: Load, timeout: float) -> Any:
        # A REQ socket without an answer cannot be reused, so each request has its own.
        import zmq

        if self._context is None:
            self._context = zmq.Context()
        request = self._context.socket(zmq.REQ)
        try:
            request.setsockopt(zmq.LINGER, 0)
            request.setsockopt(zmq.IPV6, int("[" in self._address))
            request.connect(self._address)
            request.send(pack(envelope))
            if not request.poll(int(timeout * 1000)):
                raise MasterUnreachable(
                    "Salt request timed out. The master is not responding"
                    f" (nothing from {self._address} within {timeout:g} s)."
                )
            return unpack(request.recv())
        finally:
            request.close()

    def _connect_bus(self) -> None:
        if self._bus is None:
            self._bus = _connected(self._places.pub)

    def _next_wanted(self) -> MasterEvent | None:
        """Return the next subscribed event of those already read, or None if there is none."""
        try:
            while self._bodies:
                body = self._bodies.popleft()
                if self._subscriptions.want(tag_of(body)):
                    return MasterEvent(*unpack_event(body))
        except WireError as exc:
            raise MasterUnreachable(f"an event from {self._places.pub} cannot be read: {exc}") from exc
        return None

    def _read(self, deadline: float) -> bool:
        """Read available data, waiting until `deadline`; return False if none arrived."""
        self._connect_bus()
        assert self._bus is not None
        self._bus.settimeout(max(0.0, deadline - time.monotonic()))
        try:
            data = self._bus.recv(CHUNK)
        except (TimeoutError, BlockingIOError):
            return False
        if not data:
            raise MasterUnreachable(f"the master has closed its event bus {self._places.pub}")
        try:
            self._bodies.extend(self._reader.feed(data))
        except WireError as exc:
            raise MasterUnreachable(f"the event bus {self._places.pub} cannot be read: {exc}") from exc
        return True


def _connected(place: str | event_bus_addresses.LoopbackPort) -> socket.socket:
    try:
        return event_bus_addresses.connect(place)
    except OSError as exc:
        raise MasterUnreachable(f"{place} is not available ({exc.strerror}); is the master running?") from exc


def _bracketed(address: str) -> str:
    """Return an address to connect to, the loopback address if the master listens on all addresses."""
    address = reached_at(address)
    return f"[{address}]" if ":" in address and not address.startswith("[") else address
