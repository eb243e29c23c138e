"""A small HTTP server for ports of ours that anybody may reach: slow peers do not shut out others.

Why its own file: the metrics port and the engine `webhook` need the same bounds.
Bounds: connections at once, and of one address; bytes and seconds of a request's head; bytes of a body;
seconds of a connection. A further connection is always taken: the oldest one that has not sent its request
goes for it, first of the same address, else of the address that has most. One request for each connection.
Units: bytes; seconds.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import io
import logging
import socket
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import gevent
import gevent.pool
import gevent.pywsgi

log = logging.getLogger(__name__)

#: Bytes that the head of a request may have: its first line and its headers.
MAX_HEAD = 16 * 1024
#: How long the head may take, with the handshake of TLS (s).
HEAD_TIME = 5.0
#: Connections that the kernel keeps until they are taken.
BACKLOG = 128

#: Answers a request (WSGI).
Answer = Callable[[Any, Callable[..., Any]], Iterable[bytes]]


@dataclasses.dataclass(frozen=True)
class HttpLimits:
    """What peers may take: connections, those of one address, bytes of a body (0: not read), seconds."""

    connections: int
    per_address: int
    max_body: int
    lifetime: float
    head_time: float = HEAD_TIME


@dataclasses.dataclass(eq=False)
class HttpConnection:
    """One connection, the greenlet that serves it, and how far it has come."""

    host: str
    connection: Any
    greenlet: Any = None
    has_head: bool = False
    is_answered: bool = False

    def hang_up(self) -> None:
        """End the connection; a handshake of TLS has it to itself, so its greenlet ends too."""
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
        if self.greenlet is not None:
            self.greenlet.kill(block=False)


class HttpConnections:
    """The connections of one port by their peer's address and port, the oldest first."""

    def __init__(self, connections: int, per_address: int) -> None:
        self._most = connections
        self._most_of_one = per_address
        self._taken: dict[Any, HttpConnection] = {}

    def __len__(self) -> int:
        return len(self._taken)

    def get(self, peer: Any) -> HttpConnection | None:
        """Return the place of a peer, None when it has lost it."""
        return self._taken.get(peer)

    def take(self, peer: Any, connection: Any) -> HttpConnection | None:
        """Return a place for a connection, None when all are being answered."""
        host = str(peer[0])
        if not self._make_room(host):
            return None
        place = self._taken[peer] = HttpConnection(host, connection)
        return place

    def leave(self, peer: Any, connection: Any) -> None:
        """Free the place of a connection, unless another one of the same port has it by now."""
        place = self._taken.get(peer)
        if place is not None and connection is place.connection:
            del self._taken[peer]

    def _make_room(self, host: str) -> bool:
        of_hosts = collections.Counter(place.host for place in self._taken.values())
        if of_hosts[host] >= self._most_of_one:
            return self._drop_oldest(host)
        if len(self._taken) < self._most:
            return True
        return any(self._drop_oldest(busiest) for busiest, _ in of_hosts.most_common())

    def _drop_oldest(self, host: str) -> bool:
        for peer, place in self._taken.items():
            if place.host == host and not place.is_answered:
                log.info("%s: a connection that has not sent its request goes for another one", host)
                del self._taken[peer]
                place.hang_up()
                return True
        return False


class HttpServer(gevent.pywsgi.WSGIServer):
    """Serves `answer` on a listening socket; life: `start`, `stop` as gevent's servers."""

    #: Each connection has its turn before the next is taken: one whose request is there is answered at once.
    max_accept = 1

    def __init__(self, listener: Any, answer: Answer, bounds: HttpLimits, **options: Any) -> None:
        self._bounds = bounds
        self._places = HttpConnections(bounds.connections, bounds.per_address)
        self._answer = answer
        super().__init__(
            listener,
            self._answer_whole,
            spawn=gevent.pool.Pool(),
            handler_class=_Handler,
            log=None,
            **options,
        )

    def set_max_accept(self) -> None:
        """Keep our own number of connections that are taken at once."""

    def do_handle(self, *args: Any) -> None:
        """Give a new connection its place, and serve it."""
        connection, peer = args
        if self._places.take(peer, connection) is None:
            log.warning("%s: a connection is refused, all are being answered", peer[0])
            connection.close()
            return
        super().do_handle(*args)

    def do_close(self, *args: Any) -> None:
        """Free the place of a connection that has ended."""
        connection, peer = args
        self._places.leave(peer, connection)
        super().do_close(*args)

    def wrap_socket_and_handle(self, client_socket: Any, address: Any) -> Any:
        """Serve a connection with TLS, whose handshake counts as part of the head."""
        with self._timed(address):
            return super().wrap_socket_and_handle(client_socket, address)

    def handle(self, sock: Any, address: Any) -> None:
        """Serve one connection within its time."""
        place = self._places.get(address)
        if place is None:
            return
        raw, place.connection = place.connection, sock
        try:
            with self._timed(address) if raw is sock else contextlib.nullcontext():
                super().handle(sock, address)
        finally:
            place.connection = raw

    def note_head(self, peer: Any) -> None:
        """Note that the head of a request has come."""
        place = self._places.get(peer)
        if place is not None:
            place.has_head = True

    @contextlib.contextmanager
    def _timed(self, peer: Any) -> Iterator[None]:
        """Hang up on a peer whose head or whole connection takes too long, while the block runs."""
        place = self._places.get(peer)
        if place is None:
            yield
            return
        place.greenlet = gevent.getcurrent()
        timers: list[Any] = [
            gevent.spawn_later(self._bounds.head_time, _hang_up_without_head, place),
            gevent.spawn_later(self._bounds.lifetime, place.hang_up),
        ]
        try:
            yield
        finally:
            place.greenlet = None
            gevent.killall(timers, block=False)

    def _answer_whole(self, environ: Any, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a request when all of it is there; of a larger body there is one byte too many."""
        try:
            body = environ["wsgi.input"].read(self._bounds.max_body + 1) if self._bounds.max_body else b""
        except OSError:
            start_response("400 Bad Request", [("Content-Length", "0"), ("Connection", "close")])
            return []
        place = self._places.get((environ["REMOTE_ADDR"], int(environ["REMOTE_PORT"])))
        if place is not None:
            place.is_answered = True
        return self._answer({**environ, "wsgi.input": io.BytesIO(body)}, start_response)


def _hang_up_without_head(place: HttpConnection) -> None:
    if not place.has_head:
        place.hang_up()


class _Handler(gevent.pywsgi.WSGIHandler):
    """Reads one request, whose head has a bound."""

    def read_request(self, raw_requestline: str) -> Any:
        """Read the headers; raises ValueError for a head that is too long, which is answered with 400."""
        whole: Any = self.rfile
        head: Any = _Head(whole, MAX_HEAD - len(raw_requestline))
        self.rfile = head
        try:
            done = super().read_request(raw_requestline)
        finally:
            self.rfile = whole
        server: Any = self.server
        server.note_head(self.client_address)
        return done


class _Head:
    """The lines of a head, as far as they may reach."""

    def __init__(self, file: Any, left: int) -> None:
        self._file = file
        self._left = left

    def readline(self, size: int = -1) -> bytes:
        """Return the next line; raises ValueError behind the bound."""
        most = self._left + 1
        line: bytes = self._file.readline(most if size < 0 else min(size, most))
        self._left -= len(line)
        if self._left < 0:
            raise ValueError(f"the head of a request has more than {MAX_HEAD} bytes")
        return line
