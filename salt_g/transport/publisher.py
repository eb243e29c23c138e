"""Publish port of the master, a PUB socket for its peers, with one writer that keeps the order.

Bounds: at most `queue` publications wait for the writer, after which `publish` waits; at most `high_water`
(setting `pub_hwm`) wait for a slow subscriber, which loses further ones and delays no other subscriber.
Source: wire specification, sections 2.2 and 2.3.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import gevent.queue

from salt_g.errors import NoReply, WireError
from salt_g.process import fd_limit
from salt_g.process.supervisor import Supervisor
from salt_g.transport.carriers import ZEROMQ, Carrier
from salt_g.transport.connection import PeerConnection
from salt_g.transport.connection_limits import ConnectionLimits, shared_by_ports
from salt_g.transport.listener import Listener, send_all
from salt_g.transport.time_slice import TimeSlice
from salt_g.transport.zeromq import GreenContext
from salt_g.wire.publications import BROADCAST, TOPIC_LENGTH

#: Time limit for delivery after a stop (s).
LINGER = 1.0
#: Maximum size of a subscriber's message, which only names topics (bytes).
MAX_SUBSCRIPTION = 256
#: Maximum number of topics of a subscriber; a minion has two.
MAX_TOPICS = 8
#: Number of ignored messages after which a subscriber's connection is closed.
MAX_REFUSED = 1000
#: Callback with a minion's topic.
TopicCallback = Callable[[bytes], None]


def _ignore(topic: bytes) -> None:
    pass


class Publisher:
    """Sender of publications to all subscribers. `sent` counts publications.

    Lifecycle: `start` (or `bind` and later `accept`), `stop`.
    """

    def __init__(
        self,
        addresses: Sequence[str],
        *,
        context: GreenContext | None = None,
        supervisor: Supervisor,
        high_water: int = 1000,
        queue: int = 1000,
        may_have: Callable[[bytes], bool] = lambda topic: True,
        places: ConnectionLimits | None = None,
        carrier: Carrier = ZEROMQ,
    ) -> None:
        """Create the publisher; `may_have` decides whether a subscriber may have a topic.

        `places` are connection slots shared with other ports. `context` is unused, because a listening port
        is not a libzmq socket; it lets callers create all parts of a network in the same way.
        """
        self._listener = Listener(
            addresses,
            new_session=partial(carrier.subscriber_session, MAX_SUBSCRIPTION),
            new_tls=carrier.new_tls,
            supervisor=supervisor,
            places=shared_by_ports(fd_limit.limit()) if places is None else places,
            on_message=self._on_message,
            on_end=self._on_end,
        )
        self._carrier = carrier
        self._may_have = may_have
        # {topic: its connections, in order of subscription}
        self._subscribers: dict[bytes, dict[PeerConnection, None]] = {}
        self._by_address: collections.Counter[str] = collections.Counter()
        self._turns = TimeSlice()
        self._supervisor = supervisor
        self._high_water = high_water
        self._queue: Any = gevent.queue.JoinableQueue(maxsize=queue)
        self._writer: Any = None
        self.addresses: list[str] = []
        self.sent = 0
        self._on_named: TopicCallback = _ignore
        self._on_unnamed: TopicCallback = _ignore

    @property
    def waiting(self) -> int:
        """Number of publications waiting for the writer."""
        return int(self._queue.qsize())

    def subscribed(self) -> Mapping[str, int]:
        """Return the number of connections with a subscription, by the peer's address."""
        return self._by_address

    def named(self, topic: bytes) -> set[str]:
        """Return the addresses of the connections that subscribe to a minion's topic."""
        return {connection.address for connection in self._subscribers.get(topic, ())}

    def nameless(self) -> Mapping[str, int]:
        """Return the number of subscribers without a minion's topic, by the peer's address."""
        takers = {**self._subscribers.get(b"", {}), **self._subscribers.get(BROADCAST, {})}
        return collections.Counter(
            connection.address
            for connection in takers
            if not any(len(topic) == TOPIC_LENGTH for topic in connection.topics)
        )

    def start(self) -> None:
        """Bind, accept and send; raises OSError when an address is taken."""
        self.bind()
        self.accept()

    def bind(self) -> None:
        """Bind and send; subscribers wait until `accept`. Raises OSError when an address is taken."""
        self._listener.bind()
        self.addresses += self._listener.addresses
        self._writer = self._supervisor.spawn(self._write, name="publisher")

    def accept(self, on_named: TopicCallback = _ignore, on_unnamed: TopicCallback = _ignore) -> None:
        """Accept subscribers.

        `on_named` is called when a connection subscribes to a minion's topic, `on_unnamed` when the last
        subscription to it ends.
        """
        self._on_named, self._on_unnamed = on_named, on_unnamed
        self._listener.accept()

    def close_for_now(self) -> None:
        """Disconnect all subscribers and refuse new ones until `open_again`."""
        self._listener.close_for_now()

    def open_again(self) -> None:
        """Accept subscribers at the same addresses as before; raise OSError when one is taken."""
        self._listener.open_again()

    def publish(self, payload: bytes, topics: Sequence[bytes] = (), *, timeout: float = 10.0) -> None:
        """Queue one publication, to be sent once for each topic if there are any (`zmq_filtering`).

        Raises NoReply when the queue stays full for `timeout` seconds.
        """
        try:
            self._queue.put((payload, tuple(topics)), timeout=timeout)
        except gevent.queue.Full as exc:
            raise NoReply("the publisher's queue", timeout) from exc

    def stop(self, *, timeout: float = 10.0) -> bool:
        """Send queued publications and close; return whether all were sent in time."""
        if self._writer is None:
            return True
        self._listener.stop_accepting()
        # A killed writer sends nothing more, so waiting would be useless.
        sent = self.drain(timeout=0 if self._writer.dead else timeout)
        self._writer.kill()
        self._listener.stop(linger=LINGER)
        self._writer = None
        return sent

    def drain(self, *, timeout: float = 10.0) -> bool:
        """Wait until all queued publications are sent; return whether that happened in time."""
        return bool(self._queue.join(timeout=timeout))

    def _write(self) -> None:
        while True:
            payload, topics = self._queue.get()
            self._send(payload, topics)
            self.sent += 1
            self._queue.task_done()

    def _send(self, payload: bytes, topics: Sequence[bytes]) -> None:
        if not topics or not self._carrier.has_topics:
            # Encrypted payloads begin with no topic, so only subscriptions to everything receive them.
            message = self._carrier.encode_publication([payload])
            send_all(list(self._subscribers.get(b"", ())), message, high_water=self._high_water)
            return
        for topic in topics:
            recipients = {*self._subscribers.get(b"", ()), *self._subscribers.get(topic, ())}
            message = self._carrier.encode_publication([topic, payload])
            send_all(recipients, message, high_water=self._high_water)
            self._turns.pause()

    def _on_message(self, connection: PeerConnection, frames: list[bytes]) -> None:
        """Record a subscription or its end, in the hub; too many other messages end the connection."""
        message = b"".join(frames)
        if len(frames) != 1 or message[:1] not in (b"\0", b"\1"):
            self._refuse(connection)
        elif message[:1] == b"\0":
            self._unsubscribe(connection, message[1:])
        elif message[1:] in connection.topics:
            self._refuse(connection)
        elif len(connection.topics) < MAX_TOPICS and self._may_have(message[1:]):
            self._by_address[connection.address] += not connection.topics
            connection.topics.add(message[1:])
            self._subscribers.setdefault(message[1:], {})[connection] = None
            if len(message) == 1 + TOPIC_LENGTH:
                self._on_named(message[1:])
        else:
            self._refuse(connection)

    def _refuse(self, connection: PeerConnection) -> None:
        connection.refused += 1
        if connection.refused > MAX_REFUSED:
            raise WireError(f"the peer sent more than {MAX_REFUSED} messages that change no subscription")

    def _unsubscribe(self, connection: PeerConnection, topic: bytes) -> None:
        if topic not in connection.topics:
            self._refuse(connection)
            return
        connection.topics.remove(topic)
        self._forget(connection, topic)
        if not connection.topics:
            self._leave(connection.address)

    def _on_end(self, connection: PeerConnection) -> None:
        for topic in connection.topics:
            self._forget(connection, topic)
        if connection.topics:
            self._leave(connection.address)

    def _leave(self, address: str) -> None:
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]

    def _forget(self, connection: PeerConnection, topic: bytes) -> None:
        subscribers = self._subscribers[topic]
        del subscribers[connection]
        if not subscribers:
            del self._subscribers[topic]
            if len(topic) == TOPIC_LENGTH:
                self._on_unnamed(topic)
