"""Connection of a minion to a port of its master: socket, TLS and messages, for one greenlet at a time.

Units: seconds, bytes. Waits are unlimited unless the caller sets a `gevent.Timeout`.
Errors: OSError when there is no connection or it ends; WireError for a peer that is not trusted or speaks
another protocol.
"""

from __future__ import annotations

import itertools
import os
import select
import ssl
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

import gevent.socket
from gevent.monkey import get_original

from salt_g.errors import ConfigError
from salt_g.transport.streams import message_maps
from salt_g.transport.streams.message_maps import StreamMessageReader
from salt_g.transport.streams.tls_layer import TlsLayer, client_context
from salt_g.transport.streams.websocket import ClientWebSocket
from salt_g.transport.zeromq import MAX_MESSAGE

#: Maximum number of bytes read at once.
CHUNK = 64 * 1024
#: Keepalive settings: interval of probes of a silent connection (s), and maximum number of unanswered ones.
KEEPALIVE_INTERVAL, KEEPALIVE_COUNT = 15, 4


class StreamAddress(NamedTuple):
    """Address to connect to: host and port, and our own address and port ("" and 0 for any)."""

    host: str
    port: int
    own_host: str = ""
    own_port: int = 0

    @classmethod
    def of(cls, address: str) -> StreamAddress:
        """Parse a ZeroMQ address (`tcp://[own;]host:port`)."""
        own, _, there = address.removeprefix("tcp://").rpartition(";")
        host, port = _host_and_port(there)
        return cls(host, port, *_host_and_port(own)) if own else cls(host, port)


class ClientMessages(Protocol):
    """Client side of a connection's protocol: encodes requests and decodes replies."""

    def greeting(self) -> bytes:
        """Return the first bytes to send."""

    def is_open(self) -> bool:
        """Return whether the server has accepted our greeting."""

    def feed(self, data: bytes) -> None:
        """Add received bytes."""

    def next_message(self) -> bytes | None:
        """Return the packed content of the next message; raises WireError."""

    def encode(self, payload: bytes) -> list[bytes]:
        """Return a request in wire format."""

    def take_output(self) -> bytes:
        """Return the protocol's own output for the server."""


class MapMessages:
    """Messages of `transport: tcp`; replies to earlier requests are skipped."""

    def __init__(self) -> None:
        self._reader = StreamMessageReader(MAX_MESSAGE)
        self._numbers = itertools.count(1)
        self._head = b"\x80"

    def greeting(self) -> bytes:
        """Return b"", because there is no greeting."""
        return b""

    def is_open(self) -> bool:
        """Return True: there is no handshake."""
        return True

    def feed(self, data: bytes) -> None:
        """Add received bytes."""
        self._reader.feed(data)

    def next_message(self) -> bytes | None:
        """Return the next publication, or the reply to the last request."""
        while (found := self._reader.next_message()) is not None:
            if found[0] == self._head:
                return bytes(found[1])
        return None

    def encode(self, payload: bytes) -> list[bytes]:
        """Return a request with a new id."""
        # The id is a text of eight characters, because servers unpack and repack it; a number would come back
        # shorter.
        self._head = b"\x81\xa3mid\xa8" + b"%08x" % (next(self._numbers) & 0xFFFFFFFF)
        return message_maps.encode_message(self._head, payload)

    def encode_registration(self, payload: bytes, topic: bytes) -> list[bytes]:
        """Return the message in which a subscriber proves its id and names its topic; no reply follows."""
        return message_maps.encode_message(message_maps.named_head(topic), payload)

    def take_output(self) -> bytes:
        """Return b"", because the protocol has no output of its own."""
        return b""


class WebSocketMessages:
    """Messages of `transport: ws`."""

    def __init__(self, host: str, path: str) -> None:
        self._socket = ClientWebSocket(host, path, MAX_MESSAGE, os.urandom)
        self.greeting: Callable[[], bytes] = lambda: self._socket.greeting
        self.is_open = self._socket.is_open
        self.feed = self._socket.feed
        self.next_message = self._socket.next_message
        self.encode = self._socket.encode
        self.take_output = self._socket.take_output


class StreamClientSettings(NamedTuple):
    """Client settings of a minion: `transport` is tcp or ws, and `context` the TLS context, if any."""

    transport: str
    context: ssl.SSLContext | None = None
    keepalive_idle: int = 300

    def connect(self, place: StreamAddress, *, path: str) -> ClientStream:
        """Return a connection that is ready for messages; `path` is for a WebSocket only."""
        return self.open_on(self.dial(place), place, path=path)

    def open_on(self, connected: gevent.socket.socket, place: StreamAddress, *, path: str) -> ClientStream:
        """Perform the handshake on a new connection and return it as a stream; close it on failure."""
        messages: ClientMessages
        if self.transport == "ws":
            messages = WebSocketMessages(f"{place.host}:{place.port}", path)
        else:
            messages = MapMessages()
        try:
            stream = ClientStream(connected, messages, self._tls_with(place))
            stream.open()
        except BaseException:
            connected.close()
            raise
        return stream

    def _tls_with(self, place: StreamAddress) -> TlsLayer | None:
        if self.context is None:
            return None
        address = f"{place.host}:{place.port}"
        return TlsLayer(self.context, is_server=False, host=place.host, address=address)

    def dial(self, place: StreamAddress) -> gevent.socket.socket:
        """Return a TCP connection on which nothing has been sent yet."""
        own = (place.own_host, place.own_port) if place.own_host or place.own_port else None
        connected = gevent.socket.create_connection((place.host, place.port), source_address=own)
        kernel = gevent.socket
        for level, name, value in (
            (kernel.IPPROTO_TCP, "TCP_NODELAY", 1),
            (kernel.SOL_SOCKET, "SO_KEEPALIVE", 1),
            (kernel.IPPROTO_TCP, "TCP_KEEPIDLE", self.keepalive_idle),
            (kernel.IPPROTO_TCP, "TCP_KEEPINTVL", KEEPALIVE_INTERVAL),
            (kernel.IPPROTO_TCP, "TCP_KEEPCNT", KEEPALIVE_COUNT),
        ):
            connected.setsockopt(level, getattr(kernel, name), value)
        return connected


def stream_client(
    transport: str, tls: Mapping[str, Any] | None, *, keepalive_idle: int = 300
) -> StreamClientSettings | None:
    """Return the client for a minion's settings `transport` and `ssl`, or None for ZeroMQ.

    Raises ConfigError.
    """
    if transport == "zeromq":
        return None
    if transport not in ("tcp", "ws"):
        raise ConfigError([f"transport: {transport!r} is none of zeromq, tcp, ws"])
    return StreamClientSettings(transport, None if tls is None else client_context(tls), keepalive_idle)


class ClientStream:
    """Connection to a port; `messages` implements its protocol."""

    def __init__(
        self, connected: gevent.socket.socket, messages: ClientMessages, tls: TlsLayer | None
    ) -> None:
        self._socket = connected
        self.messages = messages
        self._tls = tls

    def open(self) -> None:
        """Perform the handshakes: TLS, then WebSocket."""
        if self._tls is not None:
            self._tls.decrypt(b"")
            self._socket.sendall(self._tls.take_output())
            while not self._tls.is_up:
                self._read()
        if greeting := self.messages.greeting():
            self.send([greeting])
            while not self.messages.is_open():
                self._read()

    def send(self, pieces: list[bytes]) -> None:
        """Send bytes of the protocol, encrypted if the connection has TLS."""
        if self._tls is not None:
            pieces = [self._tls.encrypt(pieces)]
        for piece in pieces:
            self._socket.sendall(piece)

    def receive(self) -> bytes:
        """Return the packed content of the next message."""
        while (message := self.messages.next_message()) is None:
            if output := self.messages.take_output():
                self.send([output])
            self._read()
        return message

    def is_quiet(self) -> bool:
        """Return whether an idle connection can be reused: it is open and has no unexpected input."""
        # Not select(2), because a minion with many resources has descriptors beyond 1024; the unpatched poll,
        # because this check must not switch to another greenlet.
        look = get_original("select", "poll")()
        look.register(self._socket.fileno(), select.POLLIN)
        return not look.poll(0)

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def _read(self) -> None:
        data = self._socket.recv(CHUNK)
        if not data:
            raise ConnectionResetError("the master has closed the connection")
        if self._tls is not None:
            try:
                data = self._tls.decrypt(data)
            finally:
                if output := self._tls.take_output():
                    self._socket.sendall(output)
        if data:
            self.messages.feed(data)


def _host_and_port(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)
