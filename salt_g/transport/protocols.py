"""Protocols of the network's four parts: request server and client, publisher and subscriber.

Both `in_memory` and the ZeroMQ sockets implement them, so higher layers are tested without a socket.
Units: seconds; a `timeout` counts from the call.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Protocol

#: Content of a reply; a large reply may be a view of memory that Python does not manage.
Payload = bytes | memoryview


@dataclasses.dataclass(frozen=True)
class Arrival:
    """A received request; `address` is the peer's IP address, or '' if it has none.

    `descriptor` returns the connection's file descriptor, or -1 if it is closed or there is none.
    """

    payload: bytes
    address: str
    descriptor: Callable[[], int] = lambda: -1


#: Handler of one request. A WireError is answered with the refusal that it carries, any other error with a
#: generic refusal; Unanswered leaves the peer without a reply, so that it retries after its time limit.
Handler = Callable[[Arrival], bytes]


class Unanswered(Exception):
    """Raised by a handler that must not answer because any answer would count as an acknowledgement."""


class Postponed(Unanswered):
    """Raised by a handler that cannot decide now and has logged the reason; the peer retries."""


class RequestService(Protocol):
    """Server that answers requests."""

    def start(self) -> None:
        """Listen."""

    def stop(self, *, timeout: float = 10.0) -> bool:
        """Stop listening and wait for open requests; return whether all were answered in time."""


class RequestTransport(Protocol):
    """Client of one request server."""

    def request(self, payload: bytes, *, timeout: float) -> Payload:
        """Return the reply; raises NoReply."""

    def close(self) -> None:
        """Close all connections."""


class PublishTransport(Protocol):
    """Sender to all subscribers."""

    def publish(self, payload: bytes, topics: Sequence[bytes] = (), *, timeout: float = 10.0) -> None:
        """Send one publication: once, or once for each topic."""

    def stop(self, *, timeout: float = 10.0) -> bool:
        """Send what is queued and close; return whether all was sent in time."""


class SubscribeTransport(Protocol):
    """Receiver of publications."""

    @property
    def is_up(self) -> bool:
        """Whether the subscriber is connected, as far as the network has reported."""

    def wait_up(self, *, timeout: float) -> bool:
        """Wait at most `timeout` seconds for a connection; return whether it exists."""

    def receive(self, *, timeout: float | None = None) -> list[bytes] | None:
        """Return the frames of the next publication, or None on timeout."""

    def close(self) -> None:
        """Stop listening."""
