"""Events over a WebSocket."""

import json

import gevent
import gevent.socket
import pytest
import wsproto
import wsproto.events

from salt_g.http_api.connection import ApiConnection
from salt_g.http_api.event_log import EventLog
from salt_g.http_api.event_streams import EventStream
from salt_g.http_api.messages import Request
from salt_g.http_api.websocket import READY, RECEIVED, serve_websocket


class Everything:
    def may_see(self, event):
        return True


@pytest.fixture
def log():
    return EventLog()


@pytest.fixture
def client(log):
    """Yield ((socket, wsproto connection) of an upgraded client, the server's greenlet)."""
    ours, theirs = gevent.socket.socketpair()
    theirs.settimeout(30)
    talker = wsproto.WSConnection(wsproto.ConnectionType.CLIENT)
    upgrade = talker.send(wsproto.events.Request(host="h", target="/ws"))
    lines = [line.partition(b": ") for line in upgrade.split(b"\r\n")[1:] if line]
    raw = tuple((name.lower(), value) for name, _, value in lines)
    request = Request("GET", "/ws", {}, {}, b"", "::1", raw_headers=raw, target="/ws")
    stream = EventStream(log, Everything(), after=0, expire=4e9)
    server = gevent.spawn(serve_websocket, ApiConnection(ours, "::1", max_body=10), request, stream)
    yield theirs, talker, server
    theirs.close()
    server.join(30)
    ours.close()


def _next(socket, talker):
    while True:
        for event in talker.events():
            return event
        talker.receive_data(socket.recv(1 << 16) or None)


def test_events_come_when_the_client_is_ready(client, log, packed):
    socket, talker, _ = client
    log.add(packed("t/1", n=1))

    assert isinstance(_next(socket, talker), wsproto.events.AcceptConnection)
    socket.sendall(talker.send(wsproto.events.TextMessage("something else")))
    socket.sendall(talker.send(wsproto.events.TextMessage(READY)))

    assert _next(socket, talker).data == RECEIVED
    assert _next(socket, talker).data.startswith('data: {"data": {"n": 1')


def test_a_large_event_is_one_message_in_fragments(client, log, packed):
    socket, talker, _ = client
    log.add(packed("t/1", text="x" * 300_000))
    log.add(packed("t/2"))
    _next(socket, talker)
    socket.sendall(talker.send(wsproto.events.TextMessage(READY)))
    _next(socket, talker)

    messages = [_message(socket, talker) for _ in range(2)]

    assert [json.loads(text.removeprefix("data: "))["tag"] for text in messages] == ["t/1", "t/2"]
    assert all(text.endswith("\n\n") for text in messages)


def _message(socket, talker):
    text = ""
    while True:
        part = _next(socket, talker)
        text += part.data
        if part.message_finished:
            return text


def test_a_client_that_ends_is_answered(client):
    socket, talker, server = client
    _next(socket, talker)

    socket.sendall(talker.send(wsproto.events.CloseConnection(code=1000)))

    assert isinstance(_next(socket, talker), wsproto.events.CloseConnection)
    server.get(timeout=30)


def _ready(socket, talker):
    _next(socket, talker)
    socket.sendall(talker.send(wsproto.events.TextMessage(READY)))
    assert _next(socket, talker).data == RECEIVED


def test_a_client_may_ask_for_signs_of_life_while_events_come(client, log, packed):
    socket, talker, _ = client
    _ready(socket, talker)

    socket.sendall(talker.send(wsproto.events.TextMessage("heard, and not needed")))
    socket.sendall(talker.send(wsproto.events.Ping(payload=b"there?")))
    answer = _next(socket, talker)
    log.add(packed("t/1"))

    assert (type(answer), answer.payload) == (wsproto.events.Pong, b"there?")
    assert '"tag": "t/1"' in _next(socket, talker).data


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (b"\x88\x82\0\0\0\0" + (1000).to_bytes(2, "big"), 1000),
        (b"\x88\x82\0\0\0\0" + (4321).to_bytes(2, "big"), 4321),
        # No mask, a reserved bit, text that is none, an end in fragments.
        (b"\x81\x01a", 1002),
        (b"\xc1\x81\0\0\0\0a", 1002),
        (b"\x81\x81\0\0\0\0\xff", 1007),
        (b"\x08\x80\0\0\0\0", 1002),
    ],
)
def test_an_end_or_a_fault_while_events_come_is_answered(client, frame, code):
    socket, talker, server = client
    _ready(socket, talker)

    socket.sendall(frame)
    answer = _next(socket, talker)

    assert (type(answer), answer.code) == (wsproto.events.CloseConnection, code)
    server.get(timeout=30)


@pytest.mark.parametrize("is_ready", [False, True])
def test_a_client_that_leaves_without_a_word_ends_the_stream(client, is_ready):
    socket, talker, server = client
    if is_ready:
        _ready(socket, talker)
    else:
        _next(socket, talker)

    socket.close()

    server.get(timeout=30)
