"""The four parts of the network as the daemons know them.

Why its own file: `memory` and the ZeroMQ sockets have the same shapes, so that what stands
above is tested without a socket.
Units: seconds; a `timeout` counts from the call.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Protocol


@dataclasses.dataclass(frozen=True)
class Arrival:
    """One request as it came in; `address` is the peer's IP, '' when it has none.

    `descriptor` returns that of the connection at this moment, -1 once it has ended or where there is none.
    """

    payload: bytes
    address: str
    descriptor: Callable[[], int] = lambda: -1


#: Answers one request. A WireError becomes the refusal that it carries, any other error a plain one;
#: Unanswered leaves the peer without an answer, so that it asks again after its time limit.
Handler = Callable[[Arrival], bytes]


class Unanswered(Exception):  # noqa: N818 (no error: what a handler decides)
    """Raised by a handler that must not answer: any answer would be taken for an acknowledgement."""


class Postponed(Unanswered):
    """Raised by a handler that cannot decide now and has logged why; the peer asks again."""


class RequestService(Protocol):
    """Answers requests."""

    def start(self) -> None:
        """Listen."""

    def stop(self, *, timeout: float = 10.0) -> bool:
        """Stop listening, let running requests end; return whether all were answered in time."""


class RequestTransport(Protocol):
    """Asks one server."""

    def request(self, payload: bytes, *, timeout: float) -> bytes:
        """Return the reply; raises NoReply."""

    def close(self) -> None:
        """Let go of all connections."""


class PublishTransport(Protocol):
    """Sends to all subscribers."""

    def publish(self, payload: bytes, topics: Sequence[bytes] = (), *, timeout: float = 10.0) -> None:
        """Hand over one publication: once, or once for each topic."""

    def stop(self, *, timeout: float = 10.0) -> bool:
        """Send what is queued and close; return whether all was sent in time."""


class SubscribeTransport(Protocol):
    """Receives publications."""

    @property
    def is_up(self) -> bool:
        """Whether there is a connection, as far as the network has told."""

    def wait_up(self, *, timeout: float) -> bool:
        """Wait until there is a connection, at most `timeout` seconds; return whether there is."""

    def receive(self, *, timeout: float | None = None) -> list[bytes] | None:
        """Return the frames of the next publication, None when none came in time."""

    def close(self) -> None:
        """Stop listening."""
