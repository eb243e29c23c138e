"""Client side of the local event bus, for greenlets of other programs and for tests.

The command line, which has no hub, reads the same frames with plain sockets.
Units: seconds. Errors: NoReply, WireError; OSError when the bus does not exist.
"""

from __future__ import annotations

import collections
from typing import Any

import gevent
from gevent import socket

from salt_g.errors import NoReply, WireError
from salt_g.net.event_bus_addresses import LoopbackPort, address_of
from salt_g.net.tcp_table import wait_until_read
from salt_g.transport.bus_server import CHUNK
from salt_g.wire.events import FrameReader, prefixed_frame


class BusSubscriber:
    """Receiver of the bodies of all events fired after its creation."""

    def __init__(self, place: str | LoopbackPort) -> None:
        self._path = str(place)
        self._socket = _connected(place)
        self._reader = FrameReader()
        self._bodies: collections.deque[bytes] = collections.deque()

    def receive(self, *, timeout: float) -> bytes:
        """Return the body of the next event; raises NoReply after `timeout` seconds."""
        with gevent.Timeout(timeout, NoReply(self._path, timeout)):
            while not self._bodies:
                data = self._socket.recv(CHUNK)
                if not data:
                    raise WireError(f"{self._path}: the event bus was closed")
                self._bodies.extend(self._reader.feed(data))
        return self._bodies.popleft()

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()


class BusWriter:
    """Writer that fires events on the bus."""

    def __init__(self, place: str | LoopbackPort) -> None:
        self._path = str(place)
        self._socket = _connected(place)

    def fire(self, body: bytes, *, timeout: float = 10.0) -> None:
        """Send the body of an event; raises NoReply when the daemon does not read it in time."""
        with gevent.Timeout(timeout, NoReply(self._path, timeout)):
            self._socket.sendall(prefixed_frame(body))

    def close(self) -> None:
        """Close the connection; one by TCP only after the daemon has read everything, or a time limit."""
        wait_until_read(self._socket, pause=gevent.sleep)
        self._socket.close()


def _connected(place: str | LoopbackPort) -> Any:
    family, address = address_of(place)
    connection = socket.socket(family, socket.SOCK_STREAM)
    try:
        connection.connect(address)
    except OSError:
        connection.close()
        raise
    return connection
