"""UNIX socket server for our command line and Python API.

It owns the socket `salt_g.ipc` and its connections. The kernel reports the credentials of a peer, so no key
is needed; `answer` authorizes each command.
Shapes: `client/frames.py`. Root and the master's own user may follow and fire every event; other users may
follow only the jobs and runs that they have started through their connection.
Bounds: peers (shared among users, `user_limits.py`), frame size, subscriptions and queued events per peer
(the oldest are dropped), and the time for a peer to read.
Units: seconds.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import gevent
import gevent.event
import gevent.lock

from salt_g.client.frames import MAX_FRAME, FrameCutter, frame
from salt_g.client.link import STARTED, TagFilter, followed_tags
from salt_g.errors import SaltGError, WireError
from salt_g.event.bus import Bus
from salt_g.master.calls.authorization import CommandCaller
from salt_g.process.offload import offload
from salt_g.process.supervisor import Supervisor
from salt_g.shapes.loads import Load
from salt_g.transport.accept_loop import accept_connections
from salt_g.transport.time_slice import TimeSlice
from salt_g.transport.unix_socket import PeerCredentials, credentials_of, listen
from salt_g.transport.user_limits import UserLimits, is_trusted
from salt_g.wire.incremental_unpack import PIECE
from salt_g.wire.packing import MessageLimits, unpack

log = logging.getLogger(__name__)

#: Bytes per read from a peer.
CHUNK = 1 << 16
#: Time limit for a peer to read what is sent to it (s).
SEND_TIMEOUT = 60.0
#: Maximum number of concurrent peers.
CONNECTIONS = 512

#: Largest frame of a peer that is neither root nor our own user (bytes).
MAX_STRANGERS_FRAME = 1 << 20

#: Function that answers a clear command of a caller.
Answer = Callable[[Load, CommandCaller], Any]


class Peer(Protocol):
    """Connection of one peer, served by two greenlets."""

    def serve(self) -> None:
        """Read and answer until the peer disconnects; raise WireError and OSError."""

    def send_events(self) -> None:
        """Send events as they arrive, until the connection is closed."""

    def close(self) -> None:
        """Disconnect."""


class IpcServer:
    """Server of one socket. Lifecycle: `start`, `stop`."""

    def __init__(
        self,
        path: str,
        *,
        answer: Answer,
        bus: Bus,
        supervisor: Supervisor,
        is_open: bool = False,
        connections: int = CONNECTIONS,
    ) -> None:
        """Initialize; `is_open` also admits users other than root and our own (`publisher_acl`, eauth)."""
        self._path = path
        self._answer = answer
        self._bus = bus
        self._supervisor = supervisor
        self._mode = 0o666 if is_open else 0o600
        self._seats = UserLimits(connections)
        self._listener: Any = None
        self._greenlets: set[Any] = set()

    def __len__(self) -> int:
        """Return the number of peers."""
        return len(self._seats)

    def start(self) -> None:
        """Bind the socket and serve."""
        self._listener = listen(self._path, self._mode)
        self._spawn(self._accept, name="local socket")

    def stop(self) -> None:
        """Disconnect all peers and remove the socket."""
        gevent.killall(list(self._greenlets))
        if self._listener is not None:
            self._listener.close()
            self._listener = None
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._path)

    def _spawn(self, function: Callable[..., None], *args: Any, name: str) -> Any:
        greenlet = self._supervisor.spawn(function, *args, name=name)
        self._greenlets.add(greenlet)
        greenlet.link(self._greenlets.discard)
        return greenlet

    def _peer(self, connection: Any, who: PeerCredentials) -> Peer:
        """Return the handler of a connection."""
        return _LocalPeer(connection, CommandCaller("", who.uid), self._answer, self._bus)

    def _accept(self) -> None:
        failure = "local socket: cannot accept a connection"
        accept_connections(self._listener, failure, lambda connection, _: self._admit(connection))

    def _admit(self, connection: Any) -> None:
        """Serve a peer if its user has a free slot; disconnect it otherwise."""
        try:
            who = credentials_of(connection)
        except OSError:
            connection.close()
            return
        lacking = self._seats.take(who.uid)
        if lacking:
            log.warning("local socket: a peer of uid %d was refused: %s", who.uid, lacking)
            connection.close()
            return
        self._spawn(self._serve, connection, who, name="local peer").link(
            lambda _: self._seats.leave(who.uid)
        )

    def _serve(self, connection: Any, who: PeerCredentials) -> None:
        """Serve one peer; an error ends only its own connection."""
        peer = self._peer(connection, who)
        events = self._spawn(peer.send_events, name=f"local events {who.pid}")
        try:
            peer.serve()
        except WireError as exc:
            log.warning("local socket: uid %d (pid %d): %s", who.uid, who.pid, exc)
        except OSError as exc:
            log.debug("local socket: pid %d disconnected: %s", who.pid, exc)
        finally:
            events.kill(block=False)
            peer.close()


class _LocalPeer:
    """Connection of one peer: its requests are answered in order, its events are sent concurrently."""

    def __init__(self, connection: Any, caller: CommandCaller, answer: Answer, bus: Bus) -> None:
        self._connection = connection
        self._caller = caller
        self._answer = answer
        self._bus = bus
        self._is_trusted = is_trusted(caller.uid)
        self._tag_filter = TagFilter()
        # The reply with the jid follows the first events of the job; until then, events of any job are kept.
        self._is_settled = gevent.event.Event()
        self._is_settled.set()
        self._writing = gevent.lock.BoundedSemaphore(1)
        self._events = bus.subscribe_by(self._may_want, name=f"local uid {caller.uid}", is_packed=True)

    def serve(self) -> None:
        """Read and answer until the peer disconnects; raise WireError and OSError."""
        max_frame = MAX_FRAME if self._is_trusted else MAX_STRANGERS_FRAME
        cutter = FrameCutter(max_frame=max_frame, read=read_frame)
        turns = TimeSlice()
        while data := self._connection.recv(CHUNK):
            for message in cutter.feed(data):
                self._take(message)
                turns.pause()

    def send_events(self) -> None:
        """Send the events that the peer follows, as they arrive."""
        for event in self._events:
            self._is_settled.wait()
            if not self._tag_filter.want(event.tag):
                continue
            try:
                self._send(frame({"event": event.body}))
            except OSError:
                self.close()
                return

    def close(self) -> None:
        """Unsubscribe from the bus and disconnect."""
        self._events.close()
        self._connection.close()

    def _may_want(self, tag: str) -> bool:
        if not self._is_settled.is_set() and tag.startswith(STARTED):
            return True
        return self._tag_filter.want(tag)

    def _take(self, message: Load) -> None:
        number = message.get("n")
        try:
            reply = {"reply": self._reply(message)}
        except SaltGError as exc:
            reply = {"error": str(exc)}
        # Guard around one message of one peer: its failure is answered and logged, and the next one is
        # served.
        except (Exception, SystemExit, gevent.Timeout):
            log.exception("local socket: a message of uid %s failed", self._caller.uid)
            reply = {"error": "the master failed to serve this request; its log says why"}
        if number is not None:
            self._send(answer_frame(number, reply))

    def _reply(self, message: Load) -> Any:
        if isinstance(message.get("load"), dict):
            return self._ask(message["load"], follows=bool(message.get("following")))
        if "follow" in message:
            return self._change(message["follow"], self._tag_filter.add)
        if "leave" in message:
            return self._change(message["leave"], self._tag_filter.remove, is_free=True)
        if "fire" in message:
            return self._fire(message["fire"])
        raise WireError("a message holds no known request")

    def _ask(self, load: Load, *, follows: bool) -> Any:
        if not follows:
            return self._answer(load, self._caller)
        self._is_settled.clear()
        try:
            reply = self._answer(load, self._caller)
            for tag in followed_tags(reply):
                self._tag_filter.add(tag)
            return reply
        finally:
            self._is_settled.set()

    def _change(self, pairs: Any, change: Callable[[str, str], None], *, is_free: bool = False) -> bool:
        if not (self._is_trusted or is_free):
            raise WireError("only root and the master's user may follow all events")
        if not isinstance(pairs, list) or len(pairs) > 100:
            raise WireError("a subscription must be a list of at most 100 pairs")
        for pair in pairs:
            if not (
                isinstance(pair, list) and len(pair) == 2 and all(isinstance(part, str) for part in pair)
            ):
                raise WireError("each entry of a subscription must be [tag, way]")
            change(*pair)
        return True

    def _fire(self, event: Any) -> bool:
        if not self._is_trusted:
            raise WireError("only root and the master's user may fire events")
        if not (isinstance(event, list) and len(event) == 2 and isinstance(event[1], dict)):
            raise WireError("an event must be [tag, data]")
        self._bus.fire(str(event[0]), event[1])
        return True

    def _send(self, packed: bytes) -> None:
        with (
            self._writing,
            gevent.Timeout(SEND_TIMEOUT, TimeoutError("the peer does not read what is sent to it")),
        ):
            self._connection.sendall(packed)


def read_frame(content: bytes, limits: MessageLimits) -> Any:
    """Return the content of a frame; a native thread reads large ones. Raise WireError."""
    if len(content) <= PIECE:
        return unpack(content, limits)
    return offload(unpack, content, limits)


def answer_frame(number: Any, reply: Mapping[str, Any]) -> bytes:
    """Return the frame of an answer, or of an error if the answer is too large or malformed."""
    try:
        return frame({"n": number, **reply})
    except WireError as exc:
        log.warning("local socket: an answer cannot be sent: %s", exc)
        return frame({"n": number, "error": f"the answer of the master cannot be sent: {exc}"})
