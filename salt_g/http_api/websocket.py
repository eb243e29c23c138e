"""Events over a WebSocket, as stock's clients expect: a client reports that it is ready, then events follow.

Units: seconds, bytes.
Errors: OSError when the client has disconnected or is too slow.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from typing import Any

import gevent
import gevent.lock
import wsproto
import wsproto.events
import wsproto.utilities

from salt_g.http_api.event_streams import EventStream, write_message
from salt_g.http_api.messages import Request
from salt_g.process.supervisor import LoggedGreenlets

log = logging.getLogger(__name__)

#: First message of a client, and the answer.
READY, RECEIVED = "websocket client ready", "server received message"
#: Timeout for a client's first message (s), and maximum size of a client's message (bytes).
READY_TIME, MAX_MESSAGE = 60.0, 4096
#: Timeout of one read from a client, which is then repeated (s).
_READ_TIME = 60.0
#: Maximum rate of reading from a client, which has little to send (bytes per second).
_READ_RATE = 16 * 1024
#: Text that ends an event.
_END = "\n\n"


def serve_websocket(connection: Any, request: Request, stream: EventStream) -> None:
    """Serve a connection whose request asks for a WebSocket, until one side ends it."""
    socket = wsproto.WSConnection(wsproto.ConnectionType.SERVER)
    try:
        socket.initiate_upgrade_connection(list(request.raw_headers), request.target)
    except wsproto.utilities.RemoteProtocolError as exc:
        connection.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        raise ConnectionError(f"not a WebSocket request: {exc}") from exc
    connection.write(socket.send(wsproto.events.AcceptConnection()))
    if connection.rest:
        socket.receive_data(connection.rest)
    _Conversation(connection, socket, stream).run()


class _Conversation:
    """The connection after the upgrade: one greenlet sends events, another reads from the client."""

    def __init__(self, connection: Any, socket: wsproto.WSConnection, stream: EventStream) -> None:
        self._connection = connection
        self._socket = socket
        self._stream = stream
        self._sending: Any = gevent.lock.BoundedSemaphore(1)
        self._size_read = 0

    def run(self) -> None:
        """Wait until the client is ready, then send events until one side ends the conversation."""
        with gevent.Timeout(READY_TIME, TimeoutError("the client is not ready")):
            if not self._wait_until_ready():
                return
        self._send(wsproto.events.TextMessage(RECEIVED))
        listener = LoggedGreenlets("websocket", limit=1)
        listener.spawn(self._listen, name="listener")
        try:
            for message in _messages(self._stream.events(write_message)):
                if not self._send(message):
                    return
            self._send(wsproto.events.CloseConnection(code=1001))
        finally:
            listener.stop()

    def _send(self, event: wsproto.events.Event) -> bool:
        """Send an event; return False if one side has ended the conversation."""
        with self._sending:
            try:
                data = self._socket.send(event)
            except wsproto.utilities.LocalProtocolError:
                return False
            self._connection.write(data)
            return True

    def _wait_until_ready(self) -> bool:
        """Read until the client is ready; return False when it ends the conversation."""
        said = ""
        while True:
            for event in self._received():
                if isinstance(event, wsproto.events.TextMessage):
                    said += event.data
                    if said == READY:
                        return True
                    said = "" if event.message_finished else said
                elif not self._answer(event):
                    return False
            if len(said) > MAX_MESSAGE:
                raise ConnectionError("the client's first message is too long")
            self._read(READY_TIME)

    def _listen(self) -> None:
        """Answer the client's pings; end the stream when the client ends the conversation."""
        try:
            while all(self._answer(event) for event in self._received()):
                # A silent client is no error.
                with contextlib.suppress(TimeoutError):
                    self._read(_READ_TIME)
        except OSError as exc:
            log.debug("a WebSocket ended: %s", exc)
        finally:
            self._stream.close()

    def _read(self, timeout: float) -> None:
        """Read the next bytes from the client, at a limited rate."""
        gevent.sleep(self._size_read / _READ_RATE)
        self._size_read = 0
        data = self._connection.read(timeout)
        self._size_read = len(data)
        self._socket.receive_data(data or None)

    def _received(self) -> Iterator[wsproto.events.Event]:
        """Yield the events read so far, with pauses because many frames can arrive at once."""
        for event in self._socket.events():
            self._connection.pause()
            yield event

    def _answer(self, event: wsproto.events.Event) -> bool:
        """Answer a ping or close frame; return False after a close frame."""
        if isinstance(event, (wsproto.events.Ping, wsproto.events.CloseConnection)):
            self._send(event.response())
        return not isinstance(event, wsproto.events.CloseConnection)


def _messages(pieces: Iterator[bytes]) -> Iterator[wsproto.events.Event]:
    """Yield a message for each event, fragmented if it is large, and a ping for each heartbeat."""
    for piece in pieces:
        if not piece:
            yield wsproto.events.Ping()
            continue
        # An event ends with an empty line and contains no other one.
        *whole, rest = piece.decode("ascii").split(_END)
        for text in whole:
            yield wsproto.events.TextMessage(text + _END)
        if rest:
            yield wsproto.events.TextMessage(rest, message_finished=False)
