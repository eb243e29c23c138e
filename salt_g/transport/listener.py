"""Listening port: accepts connections, delivers messages, closes connections.

It replaces a libzmq socket so that a peer without a key affects only its own connection, whatever it sends
and whenever it disconnects. Routing ids of peers have no meaning here, and no peer can take over another's
connection.
Bounds: connections (`ConnectionLimits`), time for reading (`ReadTurns`), and `MAX_HELD` bytes of incomplete
or unprocessed messages of all connections together. Units: seconds, bytes.
Source: decision 4 (docs/decisions) has the reasons.
"""

from __future__ import annotations

import collections
import errno
import itertools
import logging
import os
import socket as plain_socket
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import gevent
import gevent.event
import gevent.monkey

from salt_g.errors import TlsRefused, WireError
from salt_g.process import fd_limit
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.process.supervisor import Supervisor
from salt_g.transport import zeromq
from salt_g.transport.carriers import PeerSession, TlsSession
from salt_g.transport.connection import PeerConnection
from salt_g.transport.connection_limits import ConnectionLimits
from salt_g.transport.read_turns import ReadTurns
from salt_g.transport.time_slice import TimeSlice

log = logging.getLogger(__name__)

#: Maximum total size of incomplete and unprocessed messages of all connections of a port (bytes).
MAX_HELD = 4 * zeromq.MAX_MESSAGE
#: Backlog of connections not accepted yet, and maximum number accepted before the hub switches.
BACKLOG = 1000
ACCEPTED_AT_ONCE = 32
#: Pause in accepting connections after file descriptors ran out (s).
ACCEPT_PAUSE = 1.0
#: File descriptors reserved for files and programs: fraction of the limit (1/8), and maximum number.
RESERVED_PART, MAX_RESERVED = 8, 256
#: Errors of a connection that the peer closed before it was accepted.
_GONE = (errno.ECONNABORTED, errno.EPROTO, errno.EPERM, errno.ENETDOWN, errno.EHOSTUNREACH, errno.ENETUNREACH)
#: Number of connections above which the heartbeat interval grows in proportion, and the maximum factor, at
#: which keepalive (two minutes, see below) is the first to notice a dead peer.
MANY, LONGEST_STRETCH = 5000, 3.0
#: Keepalive settings (s): a peer whose host is down is noticed within idle + count * interval, here two
#: minutes.
KEEPALIVE_IDLE = 60
KEEPALIVE_INTERVAL = 15
KEEPALIVE_COUNT = 4
USER_TIMEOUT_MS = 120_000


class Listener:
    """Listener on some addresses. Lifecycle: `start` (or `bind` and later `accept`), `stop`.

    `on_message` is called in the hub for each message, with its connection, and must not wait; `on_end`
    is called for each closed connection.
    """

    def __init__(
        self,
        addresses: Sequence[str],
        *,
        new_session: Callable[[], PeerSession],
        supervisor: Supervisor,
        places: ConnectionLimits,
        on_message: Callable[[PeerConnection, list[bytes]], None],
        on_end: Callable[[PeerConnection], None] = lambda connection: None,
        new_tls: Callable[[], TlsSession] | None = None,
        max_held: int = MAX_HELD,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wanted = list(addresses)
        self._new_session = new_session
        self._new_tls = new_tls
        self._supervisor = supervisor
        self._places = places
        self._on_message = on_message
        self._on_end = on_end
        self._max_held = max_held
        self._clock = clock
        self._numbers = itertools.count(1)
        self._turns = ReadTurns()
        self._listening: list[tuple[Any, Any]] = []
        self._connections: dict[int, PeerConnection] = {}
        self._timer: Any = None
        self._is_short_of_descriptors = False
        self._sweeper: Any = None
        self.held = 0
        self.addresses: list[str] = []

    def start(self) -> None:
        """Listen and accept; raises OSError when an address is taken."""
        self.bind()
        self.accept()

    def bind(self) -> None:
        """Listen; peers wait until `accept`. Raises OSError when an address is taken."""
        for address in self._wanted:
            self.addresses.append(zeromq.endpoint(*self._bind_to(address).getsockname()[:2]))

    def accept(self) -> None:
        """Accept connections, beginning with those that are waiting."""
        for listening, watcher in self._listening:
            watcher.start(self._accept, listening)
        sweeping = PeriodicLoop("check of connections", self._sweep, self._half_beat, first=self._half_beat)
        self._sweeper = self._supervisor.spawn(sweeping.run, name="connections")

    def __len__(self) -> int:
        return len(self._connections)

    def get(self, number: int) -> PeerConnection | None:
        """Return a connection by its number, or None when it is closed."""
        return self._connections.get(number)

    def close_for_now(self) -> None:
        """Stop accepting connections and close the existing ones, until `open_again`."""
        self.stop_accepting()
        for connection in list(self._connections.values()):
            connection.close()

    def open_again(self) -> None:
        """Listen at the same addresses as before; raise OSError when one is taken."""
        for address in self.addresses[len(self._listening) :]:
            self._bind_to(address)
        self.accept()

    def _bind_to(self, address: str) -> Any:
        listening = _listen(address)
        watcher = gevent.get_hub().loop.io(listening.fileno(), 1)
        self._listening.append((listening, watcher))
        return listening

    def stop_accepting(self) -> None:
        """Stop accepting connections."""
        if self._timer is not None:
            self._timer.close()
            self._timer = None
        for listening, watcher in self._listening:
            watcher.stop()
            watcher.close()
            listening.close()
        self._listening.clear()

    def stop(self, *, linger: float) -> None:
        """Stop listening and close all connections, after at most `linger` seconds for queued messages."""
        self.stop_accepting()
        if self._sweeper is not None:
            self._sweeper.kill()
        deadline = self._clock() + linger
        while self._clock() < deadline and any(one.waiting for one in self._connections.values()):
            gevent.sleep(0.01)
        for connection in list(self._connections.values()):
            connection.close()

    def on_readable(self, connection: PeerConnection) -> None:
        """Read from a connection with unread bytes when its turn comes."""
        self._turns.on_readable(connection)

    def on_message(self, connection: PeerConnection, frames: list[bytes]) -> None:
        """Deliver a message that a connection has read."""
        self._on_message(connection, frames)

    def on_error(self, connection: PeerConnection, error: WireError) -> None:
        """Log that a connection is closed because of its peer, as a warning if TLS refused the peer."""
        level = logging.WARNING if isinstance(error, TlsRefused) else logging.DEBUG
        log.log(level, "%s: %s; connection closed", connection.address, error)

    def on_growth(self, connection: PeerConnection) -> None:
        """Count the bytes held by a connection; close the largest ones while the total is too high."""
        self._count(connection)
        while self.held > self._max_held and self._connections:
            largest = _largest(self._connections.values())
            largest.inbox.clear()
            largest.queued = 0
            largest.close()

    def on_taken(self, connection: PeerConnection) -> None:
        """Update the count of held bytes after a message was processed."""
        self._count(connection)

    def on_close(self, connection: PeerConnection) -> None:
        """Remove a closed connection."""
        self._count(connection)
        self._connections.pop(connection.number, None)
        self._turns.forget(connection)
        self._places.leave(connection)
        self._on_end(connection)

    def _count(self, connection: PeerConnection) -> None:
        held = connection.queued if connection.is_closed else connection.queued + connection.session.held
        self.held += held - connection.held
        connection.held = held

    def _accept(self, listening: Any) -> None:
        for _ in range(ACCEPTED_AT_ONCE):
            try:
                accepted, peer = listening.accept()
            except (BlockingIOError, InterruptedError):
                break
            except OSError as exc:
                if exc.errno not in _GONE:
                    self._pause(exc.strerror)
                    return
                continue
            if not _leaves_reserve(accepted.fileno(), fd_limit.limit()):
                accepted.close()
                self._pause("the remaining file descriptors are reserved for files")
                return
            self._admit(accepted, peer[0])
        self._note_recovery()

    def _admit(self, accepted: Any, address: str) -> None:
        _tune(accepted)
        session, tls = self._new_session(), None if self._new_tls is None else self._new_tls()
        connection = PeerConnection(next(self._numbers), accepted, address, session, self, self._clock, tls)
        if not self._places.enter(connection):
            log.debug("%s: connection refused: the limit is reached", address)
            connection.close()
            return
        self._connections[connection.number] = connection
        connection.start()

    def _pause(self, reason: str | None) -> None:
        """Stop accepting for a moment, instead of retrying endlessly without free descriptors."""
        if not self._is_short_of_descriptors:
            self._is_short_of_descriptors = True
            log.warning("no further peers are accepted on %s: %s", ", ".join(self.addresses), reason)
        for _, watcher in self._listening:
            watcher.stop()
        if self._timer is None:
            self._timer = gevent.get_hub().loop.timer(ACCEPT_PAUSE)
        self._timer.start(self._accept_again)

    def _note_recovery(self) -> None:
        """Log that connections are accepted again, once after each shortage."""
        if self._is_short_of_descriptors:
            self._is_short_of_descriptors = False
            log.warning("peers are accepted again on %s", ", ".join(self.addresses))

    def _accept_again(self) -> None:
        for listening, watcher in self._listening:
            watcher.start(self._accept, listening)
            # Also runs if no peer is waiting, so that the end of a shortage is logged.
            self._accept(listening)

    def _sweep(self) -> None:
        """Close overdue connections, and send a PING to silent ones."""
        turns, beat = TimeSlice(), 2 * self._half_beat()
        for connection in list(self._connections.values()):
            now = self._clock()
            if reason := connection.overdue(now, beat):
                log.debug("%s: %s; connection closed", connection.address, reason)
                connection.close()
            else:
                connection.beat(now, beat)
            turns.pause()

    def _half_beat(self) -> float:
        """Return half the heartbeat interval (s), longer with many peers because a PING costs 50 µs."""
        stretch = min(max(1.0, len(self._connections) / MANY), LONGEST_STRETCH)
        return stretch * zeromq.HEARTBEAT_INTERVAL_MS / 2000


class MessageQueue:
    """Messages of a listener's connections for one reader, taken from each connection in turn."""

    def __init__(self) -> None:
        self._ready: collections.OrderedDict[int, PeerConnection] = collections.OrderedDict()
        self._there: Any = gevent.event.Event()

    def put(self, connection: PeerConnection, frames: list[bytes]) -> None:
        """Add a message; the connection stops reading when too many are unprocessed."""
        connection.inbox.append(frames)
        connection.queued += sum(map(len, frames))
        self._ready.setdefault(connection.number, connection)
        self._there.set()

    def get(self) -> tuple[PeerConnection, list[bytes]]:
        """Return the next message; wait for one."""
        while True:
            while not self._ready:
                self._there.clear()
                self._there.wait()
            number, connection = self._ready.popitem(last=False)
            if not connection.inbox:
                # The connection was closed because its messages took too much memory.
                continue
            frames = connection.inbox.popleft()
            connection.queued -= sum(map(len, frames))
            if connection.inbox:
                self._ready[number] = connection
            connection.taken()
            return connection, frames


def send_all(connections: Iterable[PeerConnection], message: Sequence[bytes], *, high_water: int) -> int:
    """Send one encoded message to many connections; return how many were skipped because of full queues."""
    pieces = [b"".join(message)]
    left_out = 0
    turns = TimeSlice()
    for connection in connections:
        if connection.waiting < high_water:
            connection.send(pieces)
        else:
            left_out += 1
        turns.pause()
    return left_out


def _leaves_reserve(descriptor: int, limit: int) -> bool:
    """Return whether enough descriptors stay free, judging by the number of a new descriptor."""
    return descriptor < limit - min(MAX_RESERVED, limit // RESERVED_PART)


def _largest(connections: Iterable[PeerConnection]) -> PeerConnection:
    """Return the connection that holds the most bytes, from the address whose connections hold the most."""
    found = list(connections)
    by_address: collections.Counter[str] = collections.Counter()
    for connection in found:
        by_address[connection.address] += connection.held
    address = max(by_address, key=by_address.__getitem__)
    return max((one for one in found if one.address == address), key=lambda one: one.held)


def _listen(address: str) -> Any:
    """Return a listening socket; raises an OSError with advice for the operator."""
    host, _, port = address.removeprefix("tcp://").rpartition(":")
    family, place = _resolved(host.strip("[]"), 0 if port == "*" else int(port))
    listening = _native_socket()(family, plain_socket.SOCK_STREAM)
    try:
        listening.setsockopt(plain_socket.SOL_SOCKET, plain_socket.SO_REUSEADDR, 1)
        if family == plain_socket.AF_INET6:
            listening.setsockopt(plain_socket.IPPROTO_IPV6, plain_socket.IPV6_V6ONLY, 0)
        listening.setblocking(False)
        listening.bind(place)
        listening.listen(BACKLOG)
    except OSError as exc:
        listening.close()
        reason = os.strerror(exc.errno or 0)
        if exc.errno == errno.EADDRINUSE:
            reason = f"another program listens there (`ss -ltnp 'sport = :{port}'` names it)"
        raise OSError(f"cannot listen on {address}: {reason}") from exc
    return listening


def _resolved(host: str, port: int) -> tuple[Any, Any]:
    if host == "*":
        return plain_socket.AF_INET, ("0.0.0.0", port)
    try:
        found = plain_socket.getaddrinfo(
            host, port, type=plain_socket.SOCK_STREAM, flags=plain_socket.AI_PASSIVE
        )
    except plain_socket.gaierror as exc:
        raise OSError(f"cannot listen on {host}: {exc.strerror}") from exc
    # IPv4 takes precedence, as in libzmq.
    family, _, _, _, place = min(found, key=lambda entry: entry[0] != plain_socket.AF_INET)
    return family, place


def _native_socket() -> Any:
    """Return the unpatched socket class, which never switches greenlets; watchers of the hub serve it."""
    return gevent.monkey.get_original("socket", "socket")


def _tune(accepted: Any) -> None:
    """Set the options of an accepted socket; errors are only logged, as the peer may be gone."""
    try:
        accepted.setblocking(False)
        accepted.setsockopt(plain_socket.IPPROTO_TCP, plain_socket.TCP_NODELAY, 1)
        accepted.setsockopt(plain_socket.SOL_SOCKET, plain_socket.SO_KEEPALIVE, 1)
        for name, value in (
            ("TCP_KEEPIDLE", KEEPALIVE_IDLE),
            ("TCP_KEEPINTVL", KEEPALIVE_INTERVAL),
            ("TCP_KEEPCNT", KEEPALIVE_COUNT),
            ("TCP_USER_TIMEOUT", USER_TIMEOUT_MS),
        ):
            option = getattr(plain_socket, name, None)
            if option is not None:
                accepted.setsockopt(plain_socket.IPPROTO_TCP, option, value)
    except OSError as exc:
        log.debug("cannot set all options of a connection: %s", exc)
