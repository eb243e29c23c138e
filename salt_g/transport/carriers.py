"""Carriers of a master's ports: the protocols chosen by the settings `transport` and `ssl`.

A carrier gives each accepted connection its session (bytes to messages) and its TLS, and encodes outgoing
messages. ZeroMQ is the default; `streams/` has the others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

from salt_g.errors import ConfigError
from salt_g.wire.zmtp import ServerSession, encode

#: Maximum number of frames of a message to a port.
MAX_FRAMES = 16


class PeerSession(Protocol):
    """Protocol session with one peer, see `wire.zmtp.ServerSession`; `ping` is b"" without heartbeats."""

    @property
    def is_ready(self) -> bool:
        """Whether the peer has shown that it speaks the protocol."""

    @property
    def ping(self) -> bytes:
        """Heartbeat message, which a live peer answers."""

    @property
    def missing(self) -> int:
        """Number of bytes still missing from the current message."""

    @property
    def ttl(self) -> float:
        """Silence after which the peer counts as dead (s), or 0 for never."""

    @property
    def held(self) -> int:
        """Number of bytes received but not yet returned as a message."""

    def feed(self, data: bytes) -> None:
        """Add received bytes."""

    def next_message(self) -> list[bytes] | None:
        """Return the next message; raises WireError."""

    def take_output(self) -> bytes:
        """Return the protocol's own output for the peer."""


class TlsSession(Protocol):
    """TLS session of one connection, see `streams.tls_layer.TlsLayer`."""

    def decrypt(self, data: bytes) -> bytes:
        """Return the decrypted bytes; raises WireError."""

    def encrypt(self, pieces: Sequence[bytes]) -> bytes:
        """Return the encrypted bytes for the peer."""

    def take_output(self) -> bytes:
        """Return the pending TLS records for the peer, such as those of the handshake."""


class Carrier(NamedTuple):
    """Protocol of a master's ports: a factory for the session of each peer, and the encoders of messages.

    The factories take the maximum size of a message (bytes). With `has_topics`, a publication is sent once
    for each of its topics, and subscribers choose among them.
    """

    request_session: Callable[[int], PeerSession]
    subscriber_session: Callable[[int], PeerSession]
    encode_reply: Callable[[Sequence[bytes]], list[bytes]]
    encode_publication: Callable[[Sequence[bytes]], list[bytes]]
    has_topics: bool = False
    new_tls: Callable[[], TlsSession] | None = None


def _zmtp_session(socket_type: str, peer_types: Collection[str], max_message: int) -> PeerSession:
    return ServerSession(socket_type, peer_types, max_message=max_message, max_frames=MAX_FRAMES)


#: Carrier of `transport: zeromq`, which has no TLS.
ZEROMQ = Carrier(
    partial(_zmtp_session, "ROUTER", ("REQ", "DEALER", "ROUTER")),
    partial(_zmtp_session, "PUB", ("SUB", "XSUB")),
    encode,
    encode,
    has_topics=True,
)


def carrier_of(opts: Mapping[str, Any]) -> Carrier:
    """Return the carrier for a master's settings; raises ConfigError."""
    name = opts["transport"]
    if name == "zeromq":
        return ZEROMQ
    from salt_g.transport.streams import message_maps, websocket  # Imported lazily: rarely used.

    ways = {
        "tcp": Carrier(
            message_maps.RequestMaps,
            message_maps.SubscriberMaps,
            message_maps.encode_reply,
            lambda frames: message_maps.encode_publication(frames[-1]),
        ),
        "ws": Carrier(
            websocket.ServerWebSocket,
            partial(websocket.ServerWebSocket, subscribes=True),
            websocket.encode_reply,
            lambda frames: websocket.encode_publication(frames[-1]),
        ),
    }
    if name not in ways:
        raise ConfigError([f"transport: {name!r} is none of zeromq, tcp, ws"])
    return ways[name]._replace(new_tls=_server_tls(opts["ssl"]))


def _server_tls(settings: Mapping[str, Any] | None) -> Callable[[], TlsSession] | None:
    if settings is None:
        return None
    from salt_g.transport.streams.tls_layer import TlsLayer, server_context

    return partial(TlsLayer, server_context(settings), is_server=True)
