"""Requests to a master over `tcp` or `ws`: one at a time per connection, a new connection after a failure.

It is the counterpart of `request_client`, with the same rules: a late reply never answers another request,
and a client waits for a master that does not listen yet.
Bounds: `connections` requests run at once; others wait within their own time limit. Units: seconds.
"""

from __future__ import annotations

import gevent
import gevent.lock

from salt_g.errors import Disconnected, NoReply, NoTurn
from salt_g.process.supervisor import deadline_in, seconds_until
from salt_g.transport.streams.client_stream import ClientStream, StreamAddress, StreamClientSettings

#: Pause between two attempts to connect (s).
RETRY_PAUSE = 1.0
#: Path of a WebSocket for requests.
PATH = "/"


class StreamRequests:
    """Client of one address; greenlets may share it. Implements `protocols.RequestTransport`."""

    def __init__(self, address: str, client: StreamClientSettings, *, connections: int = 4) -> None:
        self.address = address
        self._place = StreamAddress.of(address)
        self._client = client
        self._turns = gevent.lock.Semaphore(connections)
        self._idle: list[ClientStream] = []
        self._is_closed = False

    def request(self, payload: bytes, *, timeout: float) -> bytes:
        """Send one request and return its reply.

        Raises NoReply after `timeout` seconds or when the connection ends, NoTurn when the request was not
        sent at all, WireError for a peer that is not trusted or speaks another protocol.
        """
        deadline = deadline_in(timeout)
        if not self._turns.acquire(timeout=timeout):
            raise NoTurn(self.address, timeout)
        try:
            with gevent.Timeout(seconds_until(deadline), NoReply(self.address, timeout)):
                return self._exchange(payload, timeout)
        finally:
            self._turns.release()

    def close(self) -> None:
        """Close idle connections; busy ones close when their request ends."""
        self._is_closed = True
        while self._idle:
            self._idle.pop().close()

    def _exchange(self, payload: bytes, timeout: float) -> bytes:
        stream = self._free_stream() or self._connect()
        try:
            stream.send(stream.messages.encode(payload))
            reply = stream.receive()
        except BaseException as exc:
            stream.close()
            if isinstance(exc, ConnectionError):
                raise Disconnected(self.address, timeout) from exc
            if isinstance(exc, OSError):
                raise NoReply(self.address, timeout) from exc
            raise
        if self._is_closed:
            stream.close()
        else:
            self._idle.append(stream)
        return reply

    def _free_stream(self) -> ClientStream | None:
        """Return an idle connection, or None; drop those that the master has closed meanwhile."""
        while self._idle:
            stream = self._idle.pop()
            if stream.is_quiet():
                return stream
            stream.close()
        return None

    def _connect(self) -> ClientStream:
        while True:
            try:
                return self._client.connect(self._place, path=PATH)
            except OSError:
                gevent.sleep(RETRY_PAUSE)
