"""Subscriber of a minion: a SUB socket.

libzmq reconnects on its own, at times spread by jitter.
Source: wire specification, sections 2.2 and 2.3.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import gevent
import zmq.green as zmq

from salt_g.transport.zeromq import MAX_MESSAGE, GreenContext, set_link_options


class Subscriber:
    """Receiver of publications from one address; only one greenlet may call `receive`.

    Heartbeats detect a master that vanished silently, and the connection is re-established. `idle` is
    the time without a publication, for owners that want to ping the master themselves.
    """

    def __init__(
        self,
        address: str,
        *,
        context: GreenContext,
        topics: Sequence[bytes] = (b"",),
        id: str = "",
        reconnect: tuple[int, int] = (1000, 10_000),
        keepalive_idle: int = 300,
        max_message: int = MAX_MESSAGE,
        draw: Callable[[int, int], int] = random.randint,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Connect; `reconnect` has the settings `recon_default` and `recon_max` (ms)."""
        self.address = address
        self._clock = clock
        self._heard_at = clock()
        base, spread = reconnect
        socket = context.socket(zmq.SUB)
        set_link_options(socket, address, idle=keepalive_idle, max_message=max_message)
        socket.setsockopt(zmq.LINGER, 0)
        if id:
            socket.setsockopt(zmq.IDENTITY, id.encode()[:255])
        socket.setsockopt(zmq.RECONNECT_IVL, draw(base, base + spread))
        socket.setsockopt(zmq.RECONNECT_IVL_MAX, max(spread, 0))
        for topic in topics:
            socket.setsockopt(zmq.SUBSCRIBE, topic)
        self._is_up = False
        try:
            self._monitor: Any = socket.get_monitor_socket(
                zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_DISCONNECTED
            )
        except BaseException:
            socket.close(0)
            raise
        socket.connect(address)
        self._socket: Any = socket

    @property
    def idle(self) -> float:
        """Seconds since the last publication, or since the connection was created."""
        return self._clock() - self._heard_at

    @property
    def is_up(self) -> bool:
        """Whether the socket is connected, as far as libzmq has noticed."""
        while self._monitor.getsockopt(zmq.EVENTS) & zmq.POLLIN:
            self._handle_monitor_event(self._monitor.recv_multipart(zmq.NOBLOCK))
        return self._is_up

    def wait_up(self, *, timeout: float) -> bool:
        """Wait at most `timeout` seconds for a connection; return whether it exists."""
        limit = gevent.Timeout(timeout)
        try:
            with limit:
                while not self.is_up:
                    self._handle_monitor_event(self._monitor.recv_multipart())
        except gevent.Timeout as exc:
            if exc is not limit:
                raise
        return self._is_up

    def receive(self, *, timeout: float | None = None) -> list[bytes] | None:
        """Return the frames of the next publication, or None on timeout."""
        limit = gevent.Timeout(timeout)
        try:
            with limit:
                frames: list[bytes] = self._socket.recv_multipart()
        except gevent.Timeout as exc:
            if exc is not limit:
                raise
            return None
        self._heard_at = self._clock()
        return frames

    def close(self) -> None:
        """Close the socket; the owner must first end the greenlet in `receive`."""
        self._socket.disable_monitor()
        self._monitor.close(0)
        self._socket.close(0)

    def _handle_monitor_event(self, frames: list[bytes]) -> None:
        """Process an event of the socket's monitor; its number is in the first two bytes."""
        self._is_up = int.from_bytes(frames[0][:2], sys.byteorder) == zmq.EVENT_HANDSHAKE_SUCCEEDED
