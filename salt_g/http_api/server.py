"""Server of the HTTP API, which accepts and encrypts connections and serves each in a greenlet.

Bounds: connections in total and per address (a trusted proxy may use all), time for the TLS handshake.
Units: seconds.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import ssl
from collections.abc import Callable
from typing import Any

import gevent
import gevent.socket

from salt_g.http_api.connection import ApiConnection, Life
from salt_g.http_api.exchange import HEAD_TIME, UnfinishedBodies
from salt_g.http_api.messages import Headers, Request, Response
from salt_g.http_api.settings import ApiSettings
from salt_g.net.http_connections import HttpConnections
from salt_g.process.supervisor import Supervisor
from salt_g.transport.accept_loop import accept_connections
from salt_g.transport.time_slice import TimeSlice

log = logging.getLogger(__name__)

#: Maximum number of connections, and of connections from one address.
CONNECTIONS, PER_ADDRESS = 2048, 64
#: Maximum number of connections that the kernel queues.
_BACKLOG = 256
#: Send buffer that the kernel keeps for a slow client (bytes); the kernel's default is ten times as large.
_SEND_BUFFER = 256 * 1024


class Server:
    """Server of one port. Lifecycle: `start`, `stop`."""

    def __init__(
        self,
        settings: ApiSettings,
        answer: Callable[[Request], Response],
        *,
        supervisor: Supervisor,
        own_headers: Headers,
        connections: int = CONNECTIONS,
        per_address: int = PER_ADDRESS,
    ) -> None:
        self._settings = settings
        self._answer = answer
        self._supervisor = supervisor
        self._own_headers = own_headers
        self._places = HttpConnections(connections, per_address)
        self._context = tls_context(settings) if settings.is_tls else None
        self._listener: Any = None
        self._greenlets: set[Any] = set()
        self._turns = TimeSlice()
        self._bodies = UnfinishedBodies()

    def __len__(self) -> int:
        """Return the number of connections."""
        return len(self._places)

    @property
    def address(self) -> tuple[str, int]:
        """Address and port that the server listens on."""
        host, port, *_ = self._listener.getsockname()
        return str(host), int(port)

    def start(self) -> None:
        """Bind the port and serve."""
        family = socket.AF_INET6 if ":" in self._settings.host else socket.AF_INET
        self._listener = gevent.socket.socket(family, socket.SOCK_STREAM)
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Accepted connections inherit this option.
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
        self._listener.bind((self._settings.host, self._settings.port))
        self._listener.listen(_BACKLOG)
        failure = "http port: cannot accept a connection"
        self._spawn(accept_connections, self._listener, failure, self._admit, name="http port")

    def stop(self) -> None:
        """Close the port and all connections."""
        if self._listener is not None:
            self._listener.close()
        gevent.killall(list(self._greenlets))

    def renew(self) -> None:
        """Reload the certificate for new connections; keep the old one if that fails."""
        if self._context is None:
            return
        try:
            self._context = tls_context(self._settings)
            log.info("the certificate %s was read again", self._settings.certificate)
        except (OSError, ValueError) as exc:
            log.error("the certificate %s cannot be read: %s", self._settings.certificate, exc)

    def _spawn(self, function: Callable[..., None], *args: Any, name: str) -> None:
        greenlet = self._supervisor.spawn(function, *args, name=name)
        self._greenlets.add(greenlet)
        greenlet.link(self._greenlets.discard)

    def _admit(self, connection: Any, peer: Any) -> None:
        """Serve a connection if there is a free place for its address; close it otherwise."""
        place = self._places.take(peer, connection, is_shared=self._settings.is_proxy(_address_of(peer)))
        if place is None:
            log.warning("%s: connection refused: the maximum number of connections is reached", peer[0])
            connection.close()
            return
        self._spawn(self._serve, connection, peer, place, name="http connection")

    def _serve(self, connection: Any, peer: Any, place: Any) -> None:
        """Serve one connection; an error ends only this connection."""
        stream = connection
        place.greenlet = gevent.getcurrent()
        try:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            stream = self._encrypted(connection)
            life = Life(lambda: _note(place, is_answered=False), lambda: _note(place, is_answered=True))
            ApiConnection(
                stream,
                _address_of(peer),
                max_body=self._settings.max_body,
                is_tls=self._context is not None,
                own_headers=self._own_headers,
                is_proxy=self._settings.is_proxy,
                turns=self._turns,
                bodies=self._bodies,
            ).serve(self._answer, life)
        except OSError as exc:
            log.debug("%s: connection ended: %s", peer[0], exc)
        # Guard around one connection: an error must not affect other clients.
        except Exception:
            log.exception("%s: a connection failed", peer[0])
        finally:
            place.greenlet = None
            self._places.leave(peer, connection)
            with contextlib.suppress(OSError):
                stream.close()

    def _encrypted(self, connection: Any) -> Any:
        if self._context is None:
            return connection
        with gevent.Timeout(HEAD_TIME, TimeoutError("the TLS handshake took too long")):
            return self._context.wrap_socket(connection, server_side=True)


def _address_of(peer: Any) -> str:
    """Return the address of a peer; an IPv4-mapped IPv6 address is returned as IPv4."""
    return str(peer[0]).removeprefix("::ffff:")


def _note(place: Any, *, is_answered: bool) -> None:
    place.is_answered = is_answered


def tls_context(settings: ApiSettings) -> ssl.SSLContext:
    """Return the TLS context of a server; raise OSError for files that cannot be read."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if not settings.chain:
        context.load_cert_chain(settings.certificate, settings.key)
        return context
    # Stock has the certificate and its chain in two files, but Python needs them in one.
    import tempfile

    with tempfile.NamedTemporaryFile("wb", suffix=".pem") as whole:
        for path in (settings.certificate, settings.chain):
            with open(path, "rb") as file:
                whole.write(file.read().rstrip() + b"\n")
        whole.flush()
        context.load_cert_chain(whole.name, settings.key)
    return context
