"""The event bus of the minion that runs on this machine, seen from another program (`salt-g call`).

Why its own file: that program may have no hub, so plain sockets carry the frames. No minion, no bus:
`fire` then returns False.
Shapes: the sockets are `minion_event_<hash>_pub.ipc` and `..._pull.ipc` in `sock_dir`, where hash is
the first ten hex digits of `hash_type` of the id.
Units: seconds.
Source: wire specification, section 11.
"""

from __future__ import annotations

import collections
import datetime
import os
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

#: How long the minion has to take an event.
TIMEOUT = 5.0
_CHUNK = 65536


class Event(NamedTuple):
    """An event as it came."""

    tag: str
    data: dict[str, Any]


def socket_paths(opts: Mapping[str, Any]) -> tuple[str, str]:
    """Return the paths of the sockets (pub, pull) of the minion that these settings are for."""
    import hashlib

    digest = hashlib.new(str(opts.get("hash_type") or "sha256"), str(opts["id"]).encode()).hexdigest()[:10]
    folder = str(opts["sock_dir"])
    return tuple(os.path.join(folder, f"minion_event_{digest}_{end}.ipc") for end in ("pub", "pull"))  # type: ignore[return-value]


class BusLink:
    """The bus of a running minion; implements `fleet.Events`."""

    def __init__(self, opts: Mapping[str, Any]) -> None:
        self._pub, self._pull = socket_paths(opts)

    def fire(self, tag: str, data: Mapping[str, Any]) -> bool:
        """Fire an event; return whether a minion was there to take it."""
        from salt_g.wire.events import pack_event, prefixed_frame, stamp

        now = stamp(datetime.datetime.now(datetime.timezone.utc))
        frame = prefixed_frame(pack_event(tag, {**data, "_stamp": now}))
        try:
            with _connected(self._pull) as connection:
                connection.sendall(frame)
        except OSError:
            return False
        return True

    @contextmanager
    def watch(self, tag: str = "", way: str = "startswith") -> Iterator[Watch]:
        """Gather the events whose tags `tag` means; raises OSError when no minion runs here."""
        from salt_g.event.matching import accepts

        with _connected(self._pub) as connection:
            yield Watch(connection, accepts(tag, way))


class Watch:
    """Events as they come over one connection; `is_closed` when the minion went away."""

    def __init__(self, connection: socket.socket, accepts: Callable[[str], bool]) -> None:
        from salt_g.wire.events import FrameReader

        self._connection = connection
        self._accepts = accepts
        self._reader = FrameReader()
        self._events: collections.deque[Event] = collections.deque()
        self.is_closed = False

    def get(self, timeout: float | None = None) -> Event | None:
        """Return the next event, None when none came in time or the minion went away."""
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
                self._events.append(Event(*unpack_event(body)))
        return bool(data)


def _connected(path: str) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(TIMEOUT)
    try:
        connection.connect(path)
    except OSError:
        connection.close()
        raise
    return connection
