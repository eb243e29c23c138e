"""Events over a WebSocket, as stock's clients expect them: they say that they are ready, then events come.

Units: seconds, bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gevent
import wsproto
import wsproto.events
import wsproto.utilities

from salt_g.http_api.event_streams import EventStream, write_message
from salt_g.http_api.messages import Request

#: What a client says first, and the answer.
READY, RECEIVED = "websocket client ready", "server received message"
#: Time until a client is ready (s), and the largest message of a client (bytes).
READY_TIME, MAX_MESSAGE = 60.0, 4096
#: End of an event.
_END = "\n\n"


def talk_events(connection: Any, request: Request, stream: EventStream) -> None:
    """Serve a connection whose request asks for a WebSocket, until one side ends it."""
    socket = wsproto.WSConnection(wsproto.ConnectionType.SERVER)
    try:
        socket.initiate_upgrade_connection(list(request.raw_headers), request.target)
    except wsproto.utilities.RemoteProtocolError as exc:
        connection.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        raise ConnectionError(f"no WebSocket: {exc}") from exc
    connection.write(socket.send(wsproto.events.AcceptConnection()))
    if connection.rest:
        socket.receive_data(connection.rest)
    with gevent.Timeout(READY_TIME, TimeoutError("the client is not ready")):
        if not _wait_until_ready(connection, socket):
            return
    connection.write(socket.send(wsproto.events.TextMessage(RECEIVED)))
    with connection.watched(stream.close):
        for message in _messages(stream.events(write_message)):
            connection.write(socket.send(message))
    connection.write(socket.send(wsproto.events.CloseConnection(code=1001)))


def _messages(pieces: Iterator[bytes]) -> Iterator[wsproto.events.Event]:
    """Yield a message for each event, in fragments for a large one, and a ping for the sign of life."""
    for piece in pieces:
        if not piece:
            yield wsproto.events.Ping()
            continue
        # An event ends with an empty line, and has none in its text.
        *whole, rest = piece.decode("ascii").split(_END)
        for text in whole:
            yield wsproto.events.TextMessage(text + _END)
        if rest:
            yield wsproto.events.TextMessage(rest, message_finished=False)


def _wait_until_ready(connection: Any, socket: Any) -> bool:
    """Read until the client is ready; return False when it ends the connection."""
    said = ""
    while True:
        for event in socket.events():
            if isinstance(event, wsproto.events.TextMessage):
                said += event.data
                if said == READY:
                    return True
                said = "" if event.message_finished else said
            elif isinstance(event, wsproto.events.CloseConnection):
                connection.write(socket.send(event.response()))
                return False
            elif isinstance(event, wsproto.events.Ping):
                connection.write(socket.send(event.response()))
        if len(said) > MAX_MESSAGE:
            raise ConnectionError("the client says too much")
        data = connection.read(READY_TIME)
        socket.receive_data(data or None)
