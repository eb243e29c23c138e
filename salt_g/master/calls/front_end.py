"""Socket server for front ends: programs that pass on the orders of users at other hosts.

The HTTP API connects here. A front end has no permissions of its own, whichever user runs it. Each order
carries a login or a token, and the address that it came from, by which failed logins are counted; the key of
a local user or the peer's credentials prove nothing here. A front end reads all events and decides which
users may see them.
Shapes: to the master {"n", "load": {...}, "source": address} or {"n", "fire": [tag, data]}; from the master
as in `client/frames.py`, and {"lost": number} before an event if earlier ones were dropped. Orders are served
concurrently.
Bounds: the number of front ends, of orders served at once (further ones wait in the socket), and of queued
events.
"""

from __future__ import annotations

import contextlib
import grp
import logging
import os
import pwd
from collections.abc import Callable
from typing import Any

import gevent
import gevent.lock
import msgpack

from salt_g.client.frames import MAX_FRAME, FrameCutter, frame
from salt_g.errors import SaltGError, WireError
from salt_g.event import tags
from salt_g.event.bus import Bus
from salt_g.master.calls.authorization import CommandCaller
from salt_g.master.calls.ipc_server import (
    CHUNK,
    SEND_TIMEOUT,
    Answer,
    IpcServer,
    Peer,
    answer_frame,
    read_frame,
)
from salt_g.process.supervisor import Supervisor
from salt_g.shapes.loads import Load
from salt_g.transport.time_slice import TimeSlice
from salt_g.transport.unix_socket import PeerCredentials
from salt_g.wire.packing import MessageLimits

log = logging.getLogger(__name__)

#: Mode of the socket, whose group is that of the user who runs the front end.
MODE = 0o660
#: Maximum number of front ends, and of orders of one front end that are served at the same time.
FRONT_ENDS, AT_ONCE = 16, 512
#: Maximum number of events queued for a front end; the oldest are dropped.
WAITING = 50_000
#: Longest source address, in characters.
_MAX_SOURCE = 64
#: Fields of a load that prove or claim a local user.
_OF_LOCAL_USERS = frozenset(("key", "user"))


class FrontEndServer(IpcServer):
    """Server of the socket of front ends. Lifecycle: `start`, `stop`."""

    def __init__(self, path: str, *, answer: Answer, bus: Bus, supervisor: Supervisor, user: str) -> None:
        """Initialize; `user` is the user that runs the front end, '' for the master's own."""
        super().__init__(path, answer=answer, bus=bus, supervisor=supervisor, connections=FRONT_ENDS)
        self._mode = MODE
        self._user = user

    def start(self) -> None:
        """Bind the socket, give it to the group of the front end's user, and serve."""
        super().start()
        if self._user:
            self._give()

    def _give(self) -> None:
        try:
            group = pwd.getpwnam(self._user).pw_gid
            os.chown(self._path, -1, group)
        except KeyError:
            log.error(
                "api_user: there is no user %r, so only the master's own user can use its socket", self._user
            )
        except OSError as exc:
            log.error(
                "api_user: %s cannot be given to the group %s (%s): add the master's user to that group",
                self._path,
                _name_of(group),
                exc.strerror,
            )

    def _peer(self, connection: Any, who: PeerCredentials) -> Peer:
        """Return the handler of a front end's connection."""
        return FrontEnd(connection, self._answer, self._bus, self._spawn)


class FrontEnd:
    """Connection of one front end."""

    def __init__(self, connection: Any, answer: Answer, bus: Bus, spawn: Callable[..., Any]) -> None:
        self._connection = connection
        self._answer = answer
        self._bus = bus
        self._spawn = spawn
        self._places: Any = gevent.lock.BoundedSemaphore(AT_ONCE)
        self._writing: Any = gevent.lock.BoundedSemaphore(1)
        self._events = bus.subscribe(name="front end", max_events=WAITING, is_packed=True)

    def serve(self) -> None:
        """Read orders until the front end disconnects; raise WireError and OSError."""
        cutter = FrameCutter(max_frame=MAX_FRAME, read=_read_order)
        turns = TimeSlice()
        while data := self._connection.recv(CHUNK):
            for message in cutter.feed(data):
                self._places.acquire()
                self._spawn(self._take, message, name="front end order")
                turns.pause()

    def send_events(self) -> None:
        """Send all events as they arrive, and after a loss the total number of dropped events."""
        reported = 0
        for event in self._events:
            dropped = self._events.dropped
            try:
                if dropped > reported:
                    reported = dropped
                    self._send(frame({"lost": dropped}))
                self._send(frame({"event": event.body}))
            except OSError:
                self.close()
                return

    def close(self) -> None:
        """Unsubscribe from the bus and disconnect."""
        self._events.close()
        self._connection.close()

    def _take(self, message: Load) -> None:
        try:
            reply = {"reply": self._reply(message)}
        except SaltGError as exc:
            reply = {"error": str(exc)}
        # Guard around one message of one peer: its failure is answered and logged.
        except (Exception, SystemExit, gevent.Timeout):
            log.exception("front end: an order failed")
            reply = {"error": "the master failed to serve this request; its log says why"}
        finally:
            self._places.release()
        with contextlib.suppress(OSError):
            self._send(answer_frame(message.get("n"), reply))

    def _reply(self, message: Load) -> Any:
        if "malformed" in message:
            raise WireError(str(message["malformed"]))
        if isinstance(message.get("load"), dict):
            source = message.get("source")
            if not isinstance(source, str) or not 0 < len(source) <= _MAX_SOURCE:
                raise WireError("an order of a front end needs its source address")
            load = {name: value for name, value in message["load"].items() if name not in _OF_LOCAL_USERS}
            return self._answer(load, CommandCaller(source))
        if "fire" in message:
            return self._fire(message["fire"])
        raise WireError("a message of a front end holds no known request")

    def _fire(self, event: Any) -> bool:
        if not (isinstance(event, list) and len(event) == 2 and isinstance(event[1], dict)):
            raise WireError("an event must be [tag, data]")
        tag = str(event[0])
        if not tag.startswith(tags.NETAPI):
            raise WireError(f"a front end may fire events below {tags.NETAPI} only")
        self._bus.fire(tag, event[1])
        return True

    def _send(self, packed: bytes) -> None:
        with (
            self._writing,
            gevent.Timeout(SEND_TIMEOUT, TimeoutError("the front end does not read what is sent to it")),
        ):
            self._connection.sendall(packed)


def _read_order(content: bytes, limits: MessageLimits) -> Any:
    """Return the content of a frame; for an unreadable one, its number and the error.

    Orders of many users come through one connection, so a malformed one must not end it.
    """
    try:
        return read_frame(content, limits)
    except WireError as exc:
        return {"n": _number_of(content), "malformed": str(exc)}


def _number_of(content: bytes) -> int | None:
    """Return the number of a message, which is its first entry, or None if it cannot be read."""
    unpacker = msgpack.Unpacker(max_buffer_size=max(1, len(content)))
    unpacker.feed(content)
    try:
        unpacker.read_map_header()
        name, number = unpacker.unpack(), unpacker.unpack()
    except (ValueError, msgpack.UnpackException):
        return None
    return number if name == "n" and isinstance(number, int) else None


def _name_of(gid: int) -> str:
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        return str(gid)
