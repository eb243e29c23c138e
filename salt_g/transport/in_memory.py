"""In-memory network with the interfaces of the real one, for tests of higher layers.

Messages pass through a queue, so both sides still run as greenlets. `drop_next` simulates message loss.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gevent
import gevent.queue

from salt_g.errors import NoReply
from salt_g.process.supervisor import Supervisor
from salt_g.transport.protocols import Arrival, Handler
from salt_g.transport.request_guard import answer


class MemoryNetwork:
    """In-memory network with the two ports of one master."""

    def __init__(self) -> None:
        self.handler: Handler | None = None
        self.supervisor: Supervisor | None = None
        self.subscribers: set[MemorySubscriber] = set()
        self.lost = 0
        self._to_drop = 0

    def drop_next(self, count: int = 1) -> None:
        """Drop the next `count` messages of any kind."""
        self._to_drop += count

    def loses(self) -> bool:
        """Return whether the current message must be dropped, and count the loss."""
        if not self._to_drop:
            return False
        self._to_drop -= 1
        self.lost += 1
        return True


class MemoryServer:
    """Server for requests of `MemoryClient`s."""

    def __init__(self, handler: Handler, network: MemoryNetwork, *, supervisor: Supervisor) -> None:
        self._handler = handler
        self._network = network
        self._supervisor = supervisor

    def start(self) -> None:
        """Listen."""
        self._network.handler, self._network.supervisor = self._handler, self._supervisor

    def stop(self, *, timeout: float = 10.0) -> bool:
        """Stop listening."""
        self._network.handler = None
        return True


class MemoryClient:
    """Client of the network's server, connecting from `address`."""

    def __init__(self, network: MemoryNetwork, *, address: str = "127.0.0.1") -> None:
        self._network = network
        self._address = address

    def request(self, payload: bytes, *, timeout: float) -> bytes:
        """Return the reply; raises NoReply."""
        replies: Any = gevent.queue.Queue(maxsize=1)
        handler, supervisor = self._network.handler, self._network.supervisor
        if handler is not None and supervisor is not None and not self._network.loses():
            supervisor.spawn(self._serve, handler, payload, replies, name="request")
        try:
            reply: bytes = replies.get(timeout=timeout)
        except gevent.queue.Empty as exc:
            raise NoReply("memory", timeout) from exc
        return reply

    def close(self) -> None:
        """Do nothing: there is no connection to close."""

    def _serve(self, handler: Handler, payload: bytes, replies: Any) -> None:
        reply = answer(handler, Arrival(payload, self._address))
        if reply is not None and not self._network.loses():
            replies.put(reply)


class MemoryPublisher:
    """Publisher to the network's subscribers."""

    def __init__(self, network: MemoryNetwork) -> None:
        self._network = network

    def publish(self, payload: bytes, topics: Sequence[bytes] = (), *, timeout: float = 10.0) -> None:
        """Deliver one publication: once, or once for each topic."""
        for frames in [[topic, payload] for topic in topics] or [[payload]]:
            if not self._network.loses():
                for subscriber in self._network.subscribers:
                    subscriber.put(frames)

    def stop(self, *, timeout: float = 10.0) -> bool:
        """Do nothing: no publication is queued."""
        return True


class MemorySubscriber:
    """Subscriber to publications whose first frame begins with one of its topics."""

    def __init__(self, network: MemoryNetwork, topics: Sequence[bytes] = (b"",)) -> None:
        self._network = network
        self._topics = tuple(topics)
        self._frames: Any = gevent.queue.Queue()
        network.subscribers.add(self)

    @property
    def is_up(self) -> bool:
        """Whether the subscriber is connected."""
        return self in self._network.subscribers

    def wait_up(self, *, timeout: float) -> bool:
        """Return whether the subscriber is connected, which it is from the beginning."""
        return self.is_up

    def put(self, frames: list[bytes]) -> None:
        """Store one publication if its topic is subscribed."""
        if frames[0].startswith(self._topics):
            self._frames.put(frames)

    def receive(self, *, timeout: float | None = None) -> list[bytes] | None:
        """Return the frames of the next publication, or None on timeout."""
        try:
            frames: list[bytes] = self._frames.get(timeout=timeout)
        except gevent.queue.Empty:
            return None
        return frames

    def close(self) -> None:
        """Stop listening."""
        self._network.subscribers.discard(self)
