"""Connection to our own master on this machine: one UNIX socket.

The remote command line loads nothing else, so only the standard library and msgpack are imported. The
kernel reports the user to the master; no key is needed.
Units: seconds.
"""

from __future__ import annotations

import collections
import os
import socket
import time
from typing import TYPE_CHECKING, Any

from salt_g.client.debug_log import debug
from salt_g.client.frames import SOCKET, FrameCutter, frame
from salt_g.client.link import MasterEvent
from salt_g.errors import ClientError, MasterUnreachable, WireError
from salt_g.wire.events import unpack_event
from salt_g.wire.load_summary import LoadSummary

if TYPE_CHECKING:
    from salt_g.shapes.loads import EventData, Load

#: Maximum number of bytes per read.
CHUNK = 1 << 18
#: Maximum number of events queued while waiting for an answer; the oldest are dropped.
MAX_EVENTS = 100_000
#: Timeout for sending to the master.
SEND_TIMEOUT = 30.0


#: Connection errors when no master serves the socket: the socket is missing, or a killed master left it.
_NOT_SERVED = (FileNotFoundError, NotADirectoryError, ConnectionRefusedError)


def is_served(sock_dir: str) -> bool:
    """Return whether a salt-g master serves its socket in this directory.

    If that cannot be determined, for example without permission, return True, because connecting then reports
    the error.
    """
    try:
        link = link_if_served(sock_dir)
    except MasterUnreachable:
        return True
    if link is not None:
        link.close()
    return link is not None


def link_if_served(sock_dir: str) -> UnixLink | None:
    """Return a connection to the salt-g master in this directory, or None if there is none.

    Raise MasterUnreachable if that cannot be determined.
    """
    try:
        return UnixLink(sock_dir)
    except MasterUnreachable as exc:
        cause = exc.__cause__
        # An OSError without a number means that the path is too long for a socket.
        if isinstance(cause, _NOT_SERVED) or (isinstance(cause, OSError) and cause.errno is None):
            return None
        raise


class UnixLink:
    """Connection to the master's socket; connected when created, closed by `close`."""

    def __init__(self, sock_dir: str) -> None:
        """Connect; raise MasterUnreachable if that fails."""
        self._path = os.path.join(sock_dir, SOCKET)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(SEND_TIMEOUT)
        self._cutter = FrameCutter()
        self._events: collections.deque[MasterEvent] = collections.deque(maxlen=MAX_EVENTS)
        self._replies: dict[int, Load] = {}
        self._last = 0
        try:
            self._socket.connect(self._path)
        except OSError as exc:
            self._socket.close()
            raise MasterUnreachable(
                f"cannot connect to the master's socket {self._path} ({exc.strerror or exc}); {_advice(exc)}"
            ) from exc

    def ask(self, load: Load, *, timeout: float, follow: bool = False) -> Any:
        """Send a clear command and return the reply."""
        debug("request to the master through %s: %s", self._path, LoadSummary(load))
        message: Load = {"load": load}
        if follow:
            message["following"] = True
        return self._call(message, timeout)

    def subscribe(self, tag: str, way: str = "startswith") -> None:
        """Subscribe to matching tags."""
        self._call({"follow": [[tag, way]]}, SEND_TIMEOUT)

    def unsubscribe(self, tag: str, way: str = "startswith") -> None:
        """Cancel a subscription, without waiting for a reply."""
        self._send({"leave": [[tag, way]]})

    def fire(self, tag: str, data: EventData) -> None:
        """Fire an event on the master's bus."""
        self._call({"fire": [tag, data]}, SEND_TIMEOUT)

    def next_event(self, timeout: float) -> MasterEvent | None:
        """Return the next subscribed event, or None on timeout."""
        deadline = time.monotonic() + timeout
        while not self._events:
            if not self._read(deadline):
                return None
        event = self._events.popleft()
        debug("event %s", event.tag)
        return event

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def _call(self, message: Load, timeout: float) -> Any:
        self._last += 1
        number = self._last
        self._send({"n": number, **message})
        deadline = time.monotonic() + timeout
        is_over = False
        while number not in self._replies:
            # Events may keep arriving, so the deadline is checked here as well.
            if is_over or not self._read(deadline):
                raise MasterUnreachable(
                    "Salt request timed out. The master is not responding"
                    f" (nothing on {self._path} within {timeout:g} s)."
                )
            is_over = time.monotonic() >= deadline
        answer = self._replies.pop(number)
        if "error" in answer:
            raise ClientError(str(answer["error"]))
        return answer.get("reply")

    def _send(self, message: Load) -> None:
        self._socket.settimeout(SEND_TIMEOUT)
        try:
            self._socket.sendall(frame(message))
        except OSError as exc:
            raise MasterUnreachable(f"{self._path}: cannot send to the master: {exc}") from exc

    def _read(self, deadline: float) -> bool:
        """Read available data, waiting until `deadline`; return False if none arrived."""
        self._socket.settimeout(max(0.0, deadline - time.monotonic()))
        try:
            data = self._socket.recv(CHUNK)
        except (TimeoutError, BlockingIOError):
            return False
        except OSError as exc:
            raise MasterUnreachable(f"{self._path}: {exc}") from exc
        if not data:
            raise MasterUnreachable(f"the master has closed {self._path}; was it stopped?")
        try:
            for message in self._cutter.feed(data):
                self._sort(message)
        except WireError as exc:
            raise MasterUnreachable(f"{self._path} cannot be read: {exc}") from exc
        return True

    def _sort(self, message: Load) -> None:
        if "event" in message:
            self._events.append(MasterEvent(*unpack_event(message["event"])))
        elif message.get("n") == self._last:
            # Drop answers that arrive after their timeout.
            self._replies = {self._last: message}


def _advice(exc: OSError) -> str:
    if isinstance(exc, PermissionError):
        return "run as root or the master's user, or add your user to `publisher_acl` and restart the master"
    return "is the master running?"
