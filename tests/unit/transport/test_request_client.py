"""Requests over real sockets: one at a time per connection, never another one's reply."""

import gevent
import pytest
import zmq.green as zmq

from salt_g.errors import NoReply, NoTurn, WireError
from salt_g.transport.request_client import RequestClient, jitter
from salt_g.transport.zeromq import GreenContext


@pytest.fixture
def context():
    made = GreenContext()
    yield made
    made.destroy(0)


@pytest.fixture
def server(context):
    """Return a ROUTER whose replies a test sets."""
    made = context.socket(zmq.ROUTER)
    made.bind("tcp://127.0.0.1:*")
    return made


@pytest.fixture
def connect(context, server):
    """Yield a function that connects a client to the server."""
    made = []

    def build(**settings):
        made.append(RequestClient(server.getsockopt(zmq.LAST_ENDPOINT).decode(), context=context, **settings))
        return made[-1]

    yield build
    for client in made:
        client.close()


def test_a_late_reply_is_not_an_answer_to_the_next_request(connect, server):
    client = connect()
    with pytest.raises(NoReply):
        client.request(b"slow", timeout=0.05)
    late = server.recv_multipart()

    asking = gevent.spawn(client.request, b"next", timeout=20)
    request = server.recv_multipart()
    server.send_multipart([*late[:-1], b"late"])
    server.send_multipart([*request[:-1], b"mine"])

    assert (late[-1], request[-1], asking.get()) == (b"slow", b"next", b"mine")
    assert late[0] != request[0]


def test_a_connection_that_was_answered_is_used_again(connect, server):
    client, peers = connect(), set()
    for number in range(3):
        asking = gevent.spawn(client.request, b"%d" % number, timeout=20)
        peer, empty, payload = server.recv_multipart()
        server.send_multipart([peer, empty, payload * 2])
        peers.add(peer)
        assert asking.get() == b"%d%d" % (number, number)

    assert len(peers) == 1


def test_a_request_without_a_turn_was_not_sent(connect, server):
    client = connect(connections=1)
    asking = gevent.spawn(client.request, b"first", timeout=20)
    peer, empty, _ = server.recv_multipart()

    with pytest.raises(NoTurn):
        client.request(b"second", timeout=0.01)

    server.send_multipart([peer, empty, b"done"])
    assert asking.get() == b"done"
    with pytest.raises(zmq.Again):
        server.recv_multipart(zmq.NOBLOCK)


@pytest.mark.parametrize("frames", [[b"", b"a", b"b"], [b"x", b"a"], [b"a"]])
def test_a_reply_of_another_form_is_refused_and_ends_the_connection(connect, server, frames):
    client = connect()
    asking = gevent.spawn(client.request, b"odd", timeout=20)
    odd = server.recv_multipart()[0]
    server.send_multipart([odd, *frames])
    with pytest.raises(WireError, match=f"unexpected reply of {len(frames)} frames"):
        asking.get()

    asking = gevent.spawn(client.request, b"next", timeout=20)
    peer, empty, _ = server.recv_multipart()
    server.send_multipart([peer, empty, b"fine"])

    assert asking.get() == b"fine" and peer != odd


def test_a_repeated_request_has_a_new_payload_and_a_new_time_limit_each_time(connect, server):
    payloads, limits = iter((b"1", b"2", b"3")), iter((0.05, 0.05, 20))
    client = connect()
    asking = gevent.spawn(client.request_again, lambda: next(payloads), timeout=lambda: next(limits), tries=3)

    while (request := server.recv_multipart())[-1] != b"3":
        pass
    server.send_multipart([*request[:-1], b"at last"])

    assert asking.get() == b"at last"


def test_the_last_try_that_fails_is_reported(connect):
    made = []

    with pytest.raises(NoReply):
        connect().request_again(lambda: made.append(1) or b"x", timeout=lambda: 0.01, tries=3)

    assert len(made) == 3


def test_jitter_draws_each_time():
    numbers = iter([6.5, 9.0])
    draw = jitter(5, 10, draw=lambda low, high: next(numbers))

    assert [draw(), draw()] == [6.5, 9.0]
