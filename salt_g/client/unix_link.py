"""The link to our own master on this machine: one UNIX socket.

Why its own file: this is all that the remote command line loads, so only the standard library
and msgpack are imported. The kernel tells the master who we are; no key is needed.
Units: seconds.
"""

from __future__ import annotations

import collections
import os
import socket
import time
from typing import Any

from salt_g.client.frames import SOCKET, FrameCutter, frame
from salt_g.client.link import Event
from salt_g.errors import ClientError, MasterUnreachable
from salt_g.wire.events import unpack_event

#: Bytes read at once.
CHUNK = 1 << 18
#: Events that wait while an answer is waited for; the oldest are dropped.
MAX_EVENTS = 100_000
#: How long the master may take to take in what we send.
SEND_TIMEOUT = 30.0


def is_served(sock_dir: str) -> bool:
    """Return whether a master of ours has its socket in this directory.

    Where we may not look it counts as served: connecting says what is missing.
    """
    try:
        os.stat(os.path.join(sock_dir, SOCKET))
    except PermissionError:
        return True
    except OSError:
        return False
    return True


class UnixLink:
    """A connection to the master's socket; made connected."""

    def __init__(self, sock_dir: str) -> None:
        """Connect; raises MasterUnreachable."""
        self._path = os.path.join(sock_dir, SOCKET)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(SEND_TIMEOUT)
        self._cutter = FrameCutter()
        self._events: collections.deque[Event] = collections.deque(maxlen=MAX_EVENTS)
        self._replies: dict[int, dict[str, Any]] = {}
        self._last = 0
        try:
            self._socket.connect(self._path)
        except OSError as exc:
            self._socket.close()
            raise MasterUnreachable(
                f"the master's socket {self._path} cannot be used ({exc.strerror}); {_advice(exc)}"
            ) from exc

    def ask(self, load: dict[str, Any], *, timeout: float, follow: bool = False) -> Any:
        """Send a clear command and return the reply."""
        message: dict[str, Any] = {"load": load}
        if follow:
            message["following"] = True
        return self._call(message, timeout)

    def subscribe(self, tag: str, way: str = "startswith") -> None:
        """Follow the events whose tags are meant."""
        self._call({"follow": [[tag, way]]}, SEND_TIMEOUT)

    def unsubscribe(self, tag: str, way: str = "startswith") -> None:
        """Follow them no more; nobody waits for an answer."""
        self._send({"leave": [[tag, way]]})

    def fire(self, tag: str, data: dict[str, Any]) -> None:
        """Fire an event on the master's bus."""
        self._call({"fire": [tag, data]}, SEND_TIMEOUT)

    def next_event(self, timeout: float) -> Event | None:
        """Return the next event that is followed, None when none came in time."""
        deadline = time.monotonic() + timeout
        while not self._events:
            if not self._read(deadline):
                return None
        return self._events.popleft()

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def _call(self, message: dict[str, Any], timeout: float) -> Any:
        self._last += 1
        number = self._last
        self._send({"n": number, **message})
        deadline = time.monotonic() + timeout
        while number not in self._replies:
            if not self._read(deadline):
                raise MasterUnreachable(
                    "Salt request timed out. The master is not responding"
                    f" (nothing on {self._path} within {timeout:g} s)."
                )
        answer = self._replies.pop(number)
        if "error" in answer:
            raise ClientError(str(answer["error"]))
        return answer.get("reply")

    def _send(self, message: dict[str, Any]) -> None:
        self._socket.settimeout(SEND_TIMEOUT)
        try:
            self._socket.sendall(frame(message))
        except OSError as exc:
            raise MasterUnreachable(f"{self._path}: the master takes nothing: {exc}") from exc

    def _read(self, deadline: float) -> bool:
        """Take in what has come, waiting until `deadline`; return False when nothing came."""
        self._socket.settimeout(max(0.0, deadline - time.monotonic()))
        try:
            data = self._socket.recv(CHUNK)
        except (TimeoutError, BlockingIOError):
            return False
        except OSError as exc:
            raise MasterUnreachable(f"{self._path}: {exc}") from exc
        if not data:
            raise MasterUnreachable(f"the master has closed {self._path}; was it stopped?")
        for message in self._cutter.feed(data):
            self._sort(message)
        return True

    def _sort(self, message: dict[str, Any]) -> None:
        if "event" in message:
            self._events.append(Event(*unpack_event(message["event"])))
        else:
            # Answers that came too late for their question are not kept.
            self._replies = {message.get("n", 0): message}


def _advice(exc: OSError) -> str:
    if isinstance(exc, PermissionError):
        return "be root or the master's user, or let `publisher_acl` name you and restart the master"
    return "is the master running?"
