"""Subscriber of a minion over `tcp` or `ws`, which reconnects on its own.

It is the counterpart of `subscriber`. A master sends all publications to every subscriber, and each minion
checks whether it is a target. The topic of the minion's id only tells the master to which minion the
connection belongs. With `tcp`, a subscriber also proves its id, because stock's masters send a job for a list
of ids only to subscribers that have done so.
Units: seconds.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable

import gevent

from salt_g.errors import WireError
from salt_g.transport.streams.client_stream import (
    ClientStream,
    MapMessages,
    StreamAddress,
    StreamClientSettings,
)
from salt_g.transport.streams.message_maps import unpacked_bytes
from salt_g.transport.streams.websocket import named_path

log = logging.getLogger(__name__)

#: Path of a WebSocket for publications.
PATH = "/ws"


class StreamSubscriber:
    """Receiver of publications from one address; implements `protocols.SubscribeTransport`.

    `topic` is the topic of our id, and `registration` returns the message that proves our id. `reconnect` has
    the settings `recon_default` and `recon_max` (ms).
    """

    def __init__(
        self,
        address: str,
        client: StreamClientSettings,
        *,
        topic: bytes,
        registration: Callable[[], bytes],
        reconnect: tuple[int, int] = (1000, 10_000),
        draw: Callable[[float, float], float] = random.uniform,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.address = address
        self._place = StreamAddress.of(address)
        self._client = client
        self._topic = topic
        self._registration = registration
        base, spread = reconnect
        self._pause = draw(base, base + spread) / 1000
        self._clock = clock
        self._next_try = clock()
        self._stream: ClientStream | None = None

    @property
    def is_up(self) -> bool:
        """Whether the subscriber is connected, as far as the network has reported."""
        return self._stream is not None

    def wait_up(self, *, timeout: float) -> bool:
        """Wait at most `timeout` seconds for a connection; return whether it exists."""
        limit = gevent.Timeout(timeout)
        try:
            with limit:
                self._connected()
        except gevent.Timeout as exc:
            if exc is not limit:
                raise
        return self.is_up

    def receive(self, *, timeout: float | None = None) -> list[bytes] | None:
        """Return the next publication, or None on timeout."""
        limit = gevent.Timeout(timeout)
        try:
            with limit:
                return [self._next_publication()]
        except gevent.Timeout as exc:
            if exc is not limit:
                raise
            return None

    def close(self) -> None:
        """Close the connection."""
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close()

    def _next_publication(self) -> bytes:
        while True:
            stream = self._connected()
            try:
                return unpacked_bytes(stream.receive())
            except (OSError, WireError) as exc:
                log.warning("publisher %s: %s", self.address, exc)
                self.close()

    def _connected(self) -> ClientStream:
        """Return the connection; if there is none, try to connect, with pauses, until that succeeds."""
        while self._stream is None:
            gevent.sleep(max(0.0, self._next_try - self._clock()))
            self._next_try = self._clock() + self._pause
            try:
                self._stream = self._connect()
            except OSError as exc:
                log.debug("publisher %s: %s", self.address, exc)
        return self._stream

    def _connect(self) -> ClientStream:
        stream = self._client.connect(self._place, path=named_path(PATH, self._topic))
        if isinstance(stream.messages, MapMessages):
            try:
                stream.send(stream.messages.encode_registration(self._registration(), self._topic))
            except BaseException:
                stream.close()
                raise
        return stream
