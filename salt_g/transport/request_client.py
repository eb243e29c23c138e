"""Requests to a master: one at a time per connection, a new connection after a timeout.

A late reply must never answer another request, so a connection that timed out is not reused.
Bounds: `connections` requests run at once; others wait within their own time limit.
Source: wire specification, sections 2.1, 2.2 and 6.4.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import gevent
import gevent.lock
import zmq.green as zmq

from salt_g.errors import NoReply, NoTurn, WireError
from salt_g.process.supervisor import deadline_in, seconds_until
from salt_g.transport.protocols import Payload
from salt_g.transport.zeromq import MAX_MESSAGE, GreenContext, set_link_options

#: Size from which a reply is not copied (bytes).
LONG_REPLY = 128 * 1024
#: Maximum pause between two attempts to connect (ms).
RECONNECT_MAX_MS = 5000


class RequestClient:
    """Client of one address; greenlets may share it.

    The sockets are DEALER sockets that send an empty frame first. On the wire they look like REQ but, unlike
    REQ, they can send again after a missing reply.
    """

    def __init__(
        self,
        address: str,
        *,
        context: GreenContext,
        connections: int = 4,
        keepalive_idle: int = 300,
        max_message: int = MAX_MESSAGE,
    ) -> None:
        self.address = address
        self._context = context
        self._keepalive_idle = keepalive_idle
        self._max_message = max_message
        self._places = gevent.lock.Semaphore(connections)
        self._idle: list[Any] = []
        self._is_closed = False

    def request(self, payload: bytes, *, timeout: float) -> Payload:
        """Send one request and return its reply; a long reply is a view of libzmq's memory.

        Raises NoReply after `timeout` seconds, NoTurn when the request was not sent at all.
        """
        deadline = deadline_in(timeout)
        if not self._places.acquire(timeout=timeout):
            raise NoTurn(self.address, timeout)
        try:
            return self._exchange(payload, deadline, timeout)
        finally:
            self._places.release()

    def request_again(
        self,
        make_payload: Callable[[], bytes],
        *,
        timeout: Callable[[], float],
        tries: int,
    ) -> Payload:
        """Send a request that may be repeated, and return its reply.

        `make_payload` builds a new payload for each try, because a nonce is used once; `timeout` draws the
        time limit of each try, which spreads the tries of many minions (see `jitter`).
        """
        for _ in range(tries - 1):
            try:
                return self.request(make_payload(), timeout=timeout())
            except NoReply:
                continue
        return self.request(make_payload(), timeout=timeout())

    def close(self) -> None:
        """Close idle connections; busy ones close when their request ends."""
        self._is_closed = True
        while self._idle:
            self._idle.pop().close(0)

    def _exchange(self, payload: bytes, deadline: float, timeout: float) -> Payload:
        socket = self._idle.pop() if self._idle else self._connect()
        try:
            with gevent.Timeout(seconds_until(deadline), NoReply(self.address, timeout)):
                socket.send_multipart([b"", payload])
                frames = [_content(frame) for frame in socket.recv_multipart(copy=False)]
        except BaseException:
            # Close the socket whatever ended the wait, because a late reply must not answer the next request.
            socket.close(0)
            raise
        return self._settle(socket, frames)

    def _settle(self, socket: Any, frames: list[Payload]) -> Payload:
        if len(frames) != 2 or frames[0] or self._is_closed:
            socket.close(0)
        else:
            self._idle.append(socket)
        if len(frames) != 2 or frames[0]:
            raise WireError(f"{self.address}: unexpected reply of {len(frames)} frames")
        return frames[1]

    def _connect(self) -> Any:
        socket = self._context.socket(zmq.DEALER)
        set_link_options(socket, self.address, idle=self._keepalive_idle, max_message=self._max_message)
        socket.setsockopt(zmq.LINGER, 0)
        socket.setsockopt(zmq.RECONNECT_IVL_MAX, RECONNECT_MAX_MS)
        socket.connect(self.address)
        return socket


def _content(frame: Any) -> Payload:
    """Return the content of a received frame as bytes, or as a view of libzmq's memory if it is long."""
    return bytes(frame.buffer) if len(frame.buffer) < LONG_REPLY else frame.buffer


def jitter(
    low: float, high: float, draw: Callable[[float, float], float] = random.uniform
) -> Callable[[], float]:
    """Return a function that draws time limits between `low` and `high` seconds (`return_retry_timer*`)."""
    return lambda: draw(low, high)
