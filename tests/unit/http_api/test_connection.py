"""Connections of clients."""

import gevent
import gevent.event
import gevent.socket
import pytest

from salt_g.http_api.connection import ApiConnection, Life
from salt_g.http_api.messages import Response
from salt_g.transport.time_slice import TimeSlice


@pytest.fixture
def pair():
    ours, theirs = gevent.socket.socketpair()
    theirs.settimeout(30)
    yield ours, theirs
    ours.close()
    theirs.close()


def test_requests_are_answered_one_after_the_other_until_the_client_leaves(pair):
    ours, theirs = pair
    states = []
    life = Life(lambda: states.append("idle"), lambda: states.append("busy"))
    connection = ApiConnection(ours, "::1", max_body=10)
    served = gevent.spawn(connection.serve, lambda request: Response(200, request.path.encode()), life)

    theirs.sendall(b"\r\nGET /a HTTP/1.1\r\nHost: h\r\n\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\n\r\n")
    theirs.shutdown(gevent.socket.SHUT_WR)
    served.get(timeout=30)
    received = theirs.recv(1 << 16)

    assert received.index(b"/a") < received.index(b"/b")
    assert states == ["idle", "busy", "idle", "busy", "idle"]


def test_a_client_that_sends_ahead_takes_turns_with_others(pair):
    other_pair = gevent.socket.socketpair()
    taken = []

    def answer(request):
        taken.append(request.path)
        return Response(200)

    class Endless(TimeSlice):
        """Time slice without pauses, with which the order would depend on the machine's speed."""

        def pause(self):
            pass

    life = Life(lambda: None, lambda: None)
    for _, theirs in (pair, other_pair):
        theirs.sendall(b"GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n")
        theirs.shutdown(gevent.socket.SHUT_WR)
    served = [
        gevent.spawn(ApiConnection(ours, "::1", max_body=10, turns=Endless()).serve, answer, life)
        for ours, _ in (pair, other_pair)
    ]
    gevent.joinall(served, timeout=30, raise_error=True)

    assert taken == ["/1", "/1", "/2", "/2"]
    for one in other_pair:
        one.close()


def test_only_a_trusted_proxy_names_its_client(pair):
    proxy = ApiConnection(pair[0], "192.0.2.1", max_body=10, is_proxy=lambda address: address == "192.0.2.1")
    other = ApiConnection(pair[0], "192.0.2.2", max_body=10, is_proxy=lambda address: address == "192.0.2.1")

    assert proxy.client_of("203.0.113.9, 198.51.100.7") == "198.51.100.7"
    assert proxy.client_of("") == "192.0.2.1"
    assert other.client_of("203.0.113.9") == "192.0.2.2"
    # A client may have written what is left of its own address.
    assert proxy.client_of("198.51.100.7, 203.0.113.9, 192.0.2.1") == "203.0.113.9"


@pytest.mark.parametrize(
    ("word", "client"),
    [
        ("203.0.113.9:4711", "203.0.113.9"),
        ("[2001:db8::9]:4711", "2001:db8::9"),
        ("2001:DB8::9", "2001:db8::9"),
        ("unknown", "192.0.2.1"),
        ("x" * 100, "192.0.2.1"),
    ],
)
def test_a_proxy_names_an_address_or_nothing(pair, word, client):
    proxy = ApiConnection(pair[0], "192.0.2.1", max_body=10, is_proxy=lambda address: address == "192.0.2.1")

    assert proxy.client_of(word) == client


def test_a_client_that_leaves_with_a_last_word_is_noticed():
    with gevent.socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        theirs = gevent.socket.create_connection(listener.getsockname())
        ours, _ = listener.accept()
    left = gevent.event.Event()

    with ApiConnection(ours, "::1", max_body=10).watched(left.set):
        theirs.sendall(b"goodbye")
        assert not left.wait(0.05)
        theirs.close()
        assert left.wait(30)
    ours.close()


def test_a_client_that_leaves_is_noticed_and_one_that_talks_is_not(pair):
    ours, theirs = pair
    left = gevent.event.Event()

    with ApiConnection(ours, "::1", max_body=10).watched(left.set):
        theirs.close()
        assert left.wait(30)

    ours, theirs = gevent.socket.socketpair()
    left.clear()
    with ApiConnection(ours, "::1", max_body=10).watched(left.set):
        theirs.sendall(b"x")
        assert not left.wait(0.05)
    assert ours.recv(1) == b"x"
    ours.close()
    theirs.close()
