"""Small HTTP server for public ports, in which slow peers cannot lock out others.

Shared by the metrics port and the engine `webhook`.
Bounds: connections in total and per address; bytes and seconds of a request's head; bytes of a body; seconds
of a connection. At the limit, a further connection replaces the oldest one that has not sent its request, see
`http_connections.py`. One request per connection.
Units: bytes; seconds.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import logging
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import gevent
import gevent.pool
import gevent.pywsgi

from salt_g.net.http_connections import HttpConnections

log = logging.getLogger(__name__)

#: Maximum size of the head of a request, its first line and headers (bytes).
MAX_HEAD = 16 * 1024
#: Time limit for the head, including the TLS handshake (s).
HEAD_TIME = 5.0
#: Maximum number of connections that the kernel queues until they are accepted.
BACKLOG = 128

#: WSGI application that responds to a request.
Answer = Callable[[Any, Callable[..., Any]], Iterable[bytes]]


@dataclasses.dataclass(frozen=True)
class HttpLimits:
    """Limits: connections in total and per address, bytes of a body (0: not read), and times (s)."""

    connections: int
    per_address: int
    max_body: int
    lifetime: float
    head_time: float = HEAD_TIME


class HttpServer(gevent.pywsgi.WSGIServer):
    """HTTP server that calls `answer` for each request. Lifecycle: `start`, `stop`, as in gevent."""

    #: Number of connections accepted per loop; with 1, each connection is handled before the next is
    #: accepted, so a complete request gets its response at once.
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
        """Ignore gevent's value, because the class sets the number of connections accepted at once."""

    def do_handle(self, *args: Any) -> None:
        """Register a new connection and serve it."""
        connection, peer = args
        if self._places.take(peer, connection) is None:
            log.warning("%s: connection refused: all slots are busy", peer[0])
            connection.close()
            return
        super().do_handle(*args)

    def do_close(self, *args: Any) -> None:
        """Release the slot of a closed connection."""
        connection, peer = args
        self._places.leave(peer, connection)
        super().do_close(*args)

    def wrap_socket_and_handle(self, client_socket: Any, address: Any) -> Any:
        """Serve a connection with TLS, whose handshake counts as part of the head."""
        with self._timed(address):
            return super().wrap_socket_and_handle(client_socket, address)

    def handle(self, sock: Any, address: Any) -> None:
        """Serve one connection within its time limit."""
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
        """Note that the head of a request was received."""
        place = self._places.get(peer)
        if place is not None:
            place.has_head = True

    @contextlib.contextmanager
    def _timed(self, peer: Any) -> Iterator[None]:
        """Close the connection if its head, or the whole connection, takes too long during the block."""
        place = self._places.get(peer)
        if place is None:
            yield
            return
        place.greenlet = gevent.getcurrent()
        try:
            with (
                _after(self._bounds.head_time, place.hang_up_without_head),
                _after(self._bounds.lifetime, place.hang_up),
            ):
                yield
        finally:
            place.greenlet = None

    def _answer_whole(self, environ: Any, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a complete request; a body that is too large is read to one byte past the limit."""
        try:
            body = environ["wsgi.input"].read(self._bounds.max_body + 1) if self._bounds.max_body else b""
        except OSError:
            start_response("400 Bad Request", [("Content-Length", "0"), ("Connection", "close")])
            return []
        place = self._places.get((environ["REMOTE_ADDR"], int(environ["REMOTE_PORT"])))
        if place is not None:
            place.is_answered = True
        return self._answer({**environ, "wsgi.input": io.BytesIO(body)}, start_response)


@contextlib.contextmanager
def _after(seconds: float, act: Callable[[], None]) -> Iterator[None]:
    """Call `act` in the hub after some seconds, unless the block ends before; `act` must not wait."""
    timer = gevent.get_hub().loop.timer(seconds)
    timer.start(act)
    try:
        yield
    finally:
        timer.stop()
        timer.close()


class _Handler(gevent.pywsgi.WSGIHandler):
    """Reader of one request with a bounded head."""

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
    """Reader of the lines of a head, with a limit on their total size."""

    def __init__(self, file: Any, left: int) -> None:
        self._file = file
        self._left = left

    def readline(self, size: int = -1) -> bytes:
        """Return the next line; raises ValueError if the head is too long."""
        most = self._left + 1
        line: bytes = self._file.readline(most if size < 0 else min(size, most))
        self._left -= len(line)
        if self._left < 0:
            raise ValueError(f"the head of a request exceeds {MAX_HEAD} bytes")
        return line
