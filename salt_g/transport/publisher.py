"""The master's publish port: a PUB socket with one writer.

Why its own file: it owns the socket and keeps publications in order.
Bounds: `queue` publications wait for the writer, then `publish` waits; `high_water` (setting
`pub_hwm`) wait for a subscriber that reads slowly, which loses further ones and delays nobody.
Source: wire specification, sections 2.2 and 2.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gevent
import gevent.queue
import zmq.green as zmq

from salt_g.errors import NoReply
from salt_g.hub import Supervisor
from salt_g.offload import MOMENT
from salt_g.transport.listener_pause import ListenerPause
from salt_g.transport.zeromq import DRAIN, GreenContext, bind, set_link_options

#: How long a closed socket still delivers publications (ms).
LINGER_MS = 1000
#: Largest message of a subscriber: it sends its topics and nothing else (bytes).
MAX_SUBSCRIPTION = 4096


class Publisher:
    """Sends publications to whoever subscribed; life: `start`, `stop`. `sent` counts them."""

    def __init__(
        self,
        addresses: Sequence[str],
        *,
        context: GreenContext,
        supervisor: Supervisor,
        high_water: int = 1000,
        queue: int = 1000,
    ) -> None:
        self._wanted = list(addresses)
        self._context = context
        self._supervisor = supervisor
        self._high_water = high_water
        self._queue: Any = gevent.queue.JoinableQueue(maxsize=queue)
        self._socket: Any = None
        self._writer: Any = None
        self._pause: Any = None
        self.addresses: list[str] = []
        self.sent = 0

    @property
    def waiting(self) -> int:
        """How many publications wait for the writer."""
        return int(self._queue.qsize())

    def start(self) -> None:
        """Bind and send; raises OSError when an address is taken."""
        self._socket = self._make_socket()
        self._pause = ListenerPause(self._socket, self._supervisor, name="publications")
        for address in self._wanted:
            self.addresses.append(bind(self._socket, address))
        self._writer = self._supervisor.spawn(self._write, name="publisher")

    def publish(self, payload: bytes, topics: Sequence[bytes] = (), *, timeout: float = 10.0) -> None:
        """Queue one publication, in front of each topic if there are any (`zmq_filtering`).

        Raises NoReply when there is no place for it within `timeout` seconds.
        """
        try:
            self._queue.put((payload, tuple(topics)), timeout=timeout)
        except gevent.queue.Full as exc:
            raise NoReply("the publisher's queue", timeout) from exc

    def stop(self, *, timeout: float = 10.0) -> bool:
        """Send what is queued, close; return whether all was sent in time."""
        if self._socket is None:
            return True
        # A writer that somebody has ended sends nothing more.
        sent = self.drain(timeout=0 if self._writer.dead else timeout)
        self._writer.kill()
        self._pause.stop()
        self._socket.close(LINGER_MS)
        self._socket = None
        return sent

    def drain(self, *, timeout: float = 10.0) -> bool:
        """Wait until what is queued was sent; return whether it was in time."""
        return bool(self._queue.join(timeout=timeout))

    def _make_socket(self) -> Any:
        socket = self._context.socket(zmq.PUB)
        for address in self._wanted:
            set_link_options(socket, address, idle=300, max_message=MAX_SUBSCRIPTION)
        socket.setsockopt(zmq.SNDHWM, self._high_water)
        socket.setsockopt(zmq.BACKLOG, 1000)
        socket.setsockopt(zmq.LINGER, LINGER_MS)
        return socket

    def _write(self) -> None:
        while True:
            payload, topics = self._queue.get()
            self._send(payload, topics)
            self.sent += 1
            self._queue.task_done()

    def _send(self, payload: bytes, topics: Sequence[bytes]) -> None:
        if not topics:
            self._socket.send(payload)
        for number, topic in enumerate(topics, 1):
            self._socket.send_multipart([topic, payload])
            if number % DRAIN == 0:
                gevent.sleep(MOMENT)
