"""Local event bus of a daemon.

Two sockets: `*_pub.ipc` (events out) and `*_pull.ipc` (events in). Platforms that use loopback ports instead
admit the users that the mode of the socket would admit.
Shapes: events travel as bodies (`wire.events`), which are framed once for all subscribers.
Bounds: each subscriber has a ring of `ring` frames and `ring_bytes`; when a subscriber reads too slowly, its
oldest frames are dropped and counted, which is logged once, and the publisher never waits. `connections`
bounds the peers of both sockets, shared among users (`user_limits.py`).
Source: wire specification, section 11.
"""

from __future__ import annotations

import collections
import contextlib
import logging
import os
from collections.abc import Callable, Container
from typing import Any

import gevent
import gevent.event
from gevent import socket
from gevent.socket import wait_read

from salt_g.errors import WireError
from salt_g.net.event_bus_addresses import EventBusAddresses, LoopbackPort
from salt_g.process.supervisor import Supervisor
from salt_g.transport.accept_loop import accept_connections
from salt_g.transport.loopback_tcp import listen_on, other_end
from salt_g.transport.time_slice import TimeSlice
from salt_g.transport.unix_socket import PeerCredentials, credentials_of, listen
from salt_g.transport.user_limits import UserLimits, is_trusted
from salt_g.wire.events import FrameReader, bare_frame, prefixed_frame

log = logging.getLogger(__name__)

#: Maximum number of bytes read from a peer at once.
CHUNK = 65536
#: Mode of the socket that accepts events.
PULL_MODE = 0o600
#: Credentials of an unknown peer.
_NOBODY = PeerCredentials(pid=-1, uid=-1, gid=-1)


class BusServer:
    """Server of the two sockets of one event bus. Lifecycle: `start`, `stop`.

    `on_event` is called with (body, credentials) for each fired event; `may_connect` decides by
    credentials, in addition to the modes of the sockets.
    """

    def __init__(
        self,
        places: EventBusAddresses,
        *,
        supervisor: Supervisor,
        on_event: Callable[[bytes, PeerCredentials], None],
        may_connect: Callable[[PeerCredentials], bool] = lambda who: True,
        pub_mode: int = 0o600,
        prefixes_pub: bool = False,
        ring: int = 10_000,
        ring_bytes: int = 32 * 1024 * 1024,
        connections: int = 256,
    ) -> None:
        """Create the server; `prefixes_pub` frames published events as 3006 does, for its local tools."""
        self._places = places
        self._supervisor = supervisor
        self._on_event = on_event
        self._may_connect = may_connect
        self._pub_mode = pub_mode
        self._frame = prefixed_frame if prefixes_pub else bare_frame
        self._ring = ring
        self._ring_bytes = ring_bytes
        self._seats = UserLimits(connections)
        self._subscribers: set[_Subscriber] = set()
        self._listeners: dict[str | LoopbackPort, Any] = {}
        self._greenlets: list[Any] = []
        self.dropped = 0

    def start(self) -> None:
        """Bind both sockets, each created with its mode, and serve."""
        for place, mode, serve in (
            (self._places.pub, self._pub_mode, self._serve_subscriber),
            (self._places.pull, PULL_MODE, self._serve_writer),
        ):
            listener = listen_on(place) if isinstance(place, LoopbackPort) else listen(place, mode)
            self._listeners[place] = listener
            self._spawn(self._accept, listener, mode, serve, name=f"bus {os.path.basename(str(place))}")

    def publish(self, body: bytes, readers: Container[int] | None = None) -> None:
        """Send an event to all subscribers; never waits for them.

        `readers` are the ids of the users who receive the event besides root and our own user; None means all
        users.
        """
        frame = self._frame(body)
        # A copy, because logging a slow subscriber may wait, during which subscribers come and go.
        for subscriber in tuple(self._subscribers):
            if readers is None or is_trusted(subscriber.uid) or subscriber.uid in readers:
                self.dropped += subscriber.put(frame)

    def __len__(self) -> int:
        """Return the number of subscribers."""
        return len(self._subscribers)

    def stop(self) -> None:
        """Close everything and remove the sockets."""
        gevent.killall(self._greenlets)
        while self._listeners:
            place, listener = self._listeners.popitem()
            listener.close()
            if isinstance(place, str):
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(place)

    def _spawn(self, function: Callable[..., None], *args: Any, name: str) -> Any:
        greenlet = self._supervisor.spawn(function, *args, name=name)
        self._greenlets.append(greenlet)
        greenlet.link(self._forget)
        return greenlet

    def _forget(self, greenlet: Any) -> None:
        with contextlib.suppress(ValueError):
            self._greenlets.remove(greenlet)

    def _accept(self, listener: Any, mode: int, serve: Callable[[Any, PeerCredentials], None]) -> None:
        failure = "event bus: cannot accept a peer"
        accept_connections(listener, failure, lambda peer, _: self._admit(peer, mode, serve))

    def _admit(self, peer: Any, mode: int, serve: Callable[[Any, PeerCredentials], None]) -> None:
        """Serve a peer if it is admitted and its user is below the limit; close the connection otherwise."""
        who = self._credentials(peer)
        if not self._is_admitted(who, peer, mode):
            log.warning("event bus: uid %d (pid %d) was refused", who.uid, who.pid)
            peer.close()
            return
        lacking = self._seats.take(who.uid)
        if lacking:
            log.warning("event bus: a peer of uid %d was refused: %s", who.uid, lacking)
            peer.close()
            return
        self._spawn(self._serve_guarded, peer, who, serve, name="bus peer").link(
            lambda _: self._seats.leave(who.uid)
        )

    def _serve_guarded(
        self, peer: Any, who: PeerCredentials, serve: Callable[[Any, PeerCredentials], None]
    ) -> None:
        """Serve one peer; an error ends only this connection."""
        try:
            serve(peer, who)
        except WireError as exc:
            log.warning("event bus: uid %d (pid %d): %s", who.uid, who.pid, exc)
        except OSError as exc:
            log.debug("event bus: pid %d disconnected: %s", who.pid, exc)
        finally:
            peer.close()

    def _credentials(self, peer: Any) -> PeerCredentials:
        """Return the credentials of the peer, or `_NOBODY` if they are unknown."""
        try:
            found = credentials_of(peer) if peer.family == socket.AF_UNIX else other_end(peer)
        except OSError:
            found = None
        return _NOBODY if found is None else found

    def _is_admitted(self, who: PeerCredentials, peer: Any, mode: int) -> bool:
        """Return whether a user may connect; on ports, this replaces the check of the socket's mode."""
        if who == _NOBODY:
            return False
        is_let_in = peer.family == socket.AF_UNIX or is_trusted(who.uid) or bool(mode & 0o006)
        return is_let_in and self._may_connect(who)

    def _is_same_peer(self, peer: Any, who: PeerCredentials) -> bool:
        """Return whether a connection still belongs to the user who was admitted."""
        return peer.family == socket.AF_UNIX or other_end(peer) == who

    def _serve_subscriber(self, peer: Any, who: PeerCredentials) -> None:
        subscriber = _Subscriber(self._ring, self._ring_bytes, who)
        self._subscribers.add(subscriber)
        watch = self._spawn(_wait_for_end, peer, subscriber, name=f"bus watch {who.pid}")
        try:
            subscriber.send_to(peer, lambda: self._is_same_peer(peer, who))
        finally:
            self._subscribers.discard(subscriber)
            watch.kill(block=False)

    def _serve_writer(self, peer: Any, who: PeerCredentials) -> None:
        reader, turns = FrameReader(), TimeSlice()
        while True:
            if peer.family != socket.AF_UNIX:
                wait_read(peer.fileno())
            # Checked before reading: a writer may close as soon as all its data is read (`tcp_table`).
            if not self._is_same_peer(peer, who):
                return
            data = peer.recv(CHUNK)
            if not data:
                return
            for body in reader.feed(data):
                self._fire(body, who)
                turns.pause()

    def _fire(self, body: bytes, who: PeerCredentials) -> None:
        try:
            self._on_event(body, who)
        except WireError as exc:
            log.warning("event bus: uid %d (pid %d) fired a malformed event: %s", who.uid, who.pid, exc)
        except Exception:
            log.exception("event bus: an event of pid %d was dropped", who.pid)


class _Subscriber:
    """Ring of frames for one subscriber; the newest frame is always kept."""

    def __init__(self, size: int, size_bytes: int, who: PeerCredentials) -> None:
        self.uid = who.uid
        self._size = size
        self._size_bytes = size_bytes
        self._name = f"uid {who.uid} (pid {who.pid})"
        self._frames: collections.deque[bytes] = collections.deque()
        self._held = 0
        self._wake = gevent.event.Event()
        self._is_gone = False
        self._is_slow = False

    def put(self, frame: bytes) -> int:
        """Add a frame; return the number of old frames dropped for it."""
        self._frames.append(frame)
        self._held += len(frame)
        lost = 0
        while len(self._frames) > 1 and (len(self._frames) > self._size or self._held > self._size_bytes):
            self._take()
            lost += 1
        if lost and not self._is_slow:
            self._is_slow = True
            log.warning("event bus: %s reads too slowly and loses events", self._name)
        self._wake.set()
        return lost

    def _take(self) -> bytes:
        frame = self._frames.popleft()
        self._held -= len(frame)
        return frame

    def end(self) -> None:
        """Note that the subscriber has disconnected, and wake its sender."""
        self._is_gone = True
        self._wake.set()

    def send_to(self, peer: Any, is_still: Callable[[], bool]) -> None:
        """Send frames as they arrive, until the peer disconnects or `is_still` returns False."""
        turns = TimeSlice()
        while not self._is_gone:
            if self._frames and not is_still():
                return
            while self._frames and not self._is_gone:
                peer.sendall(self._take())
                turns.pause()
            self._is_slow = False
            self._wake.clear()
            if not self._frames and not self._is_gone:
                self._wake.wait()


def _wait_for_end(peer: Any, subscriber: _Subscriber) -> None:
    """Discard input from a subscriber until it disconnects."""
    try:
        while peer.recv(CHUNK):
            pass
    except OSError:
        pass
    finally:
        subscriber.end()
