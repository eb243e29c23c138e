"""Follow the event bus of the minion on this machine, for `salt-g event --minion`.

Why its own file: a minion's bus has one socket and takes no wishes; plain sockets are enough.
Units: seconds.
Errors: ClientError when no minion runs here, and when it ends.
"""

from __future__ import annotations

import collections
import socket
import time
from collections.abc import Mapping
from typing import Any

from salt_g.client.link import Event
from salt_g.errors import ClientError
from salt_g.minion.bus_link import socket_paths
from salt_g.wire.events import FrameReader, unpack_event

#: Bytes read at once.
_CHUNK = 1 << 18


class MinionEvents:
    """Every event of the minion with these settings, from now on."""

    def __init__(self, opts: Mapping[str, Any]) -> None:
        """Connect; raises ClientError."""
        self._path, _ = socket_paths(opts)
        self._reader = FrameReader()
        self._events: collections.deque[Event] = collections.deque()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(self._path)
        except OSError as exc:
            self._socket.close()
            raise ClientError(
                f"the bus of the minion {opts['id']} cannot be used: {self._path}: {exc.strerror};"
                " is the minion running?"
            ) from exc

    def next_event(self, timeout: float) -> Event | None:
        """Return the next event, None when none came in time; raises ClientError when the minion ends."""
        deadline = time.monotonic() + timeout
        while not self._events:
            self._socket.settimeout(max(0.0, deadline - time.monotonic()))
            try:
                data = self._socket.recv(_CHUNK)
            except (TimeoutError, BlockingIOError):
                return None
            if not data:
                raise ClientError(f"the minion has closed {self._path}; was it stopped?")
            self._events.extend(Event(*unpack_event(body)) for body in self._reader.feed(data))
        return self._events.popleft()

    def close(self) -> None:
        """Hang up."""
        self._socket.close()
