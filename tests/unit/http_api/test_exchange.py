"""One request and its response in HTTP/1.1."""

import gevent
import gevent.socket
import pytest

from salt_g.http_api.connection import ApiConnection
from salt_g.http_api.exchange import END_OF_HEAD, MAX_HEAD, Exchange, UnfinishedBodies
from salt_g.http_api.messages import Response

CHUNKED = b"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked"


@pytest.fixture
def talk():
    """Return a function that sends `head` and `rest`.

    It returns the response, and the requests that were read.
    """

    def run(head, rest=b"", response=None, max_body=100, bodies=None):
        ours, theirs = gevent.socket.socketpair()
        seen = []

        def answer(request):
            seen.append(request)
            return response or Response(200, b"yes")

        connection = ApiConnection(ours, "192.0.2.7", max_body=max_body, bodies=bodies)
        connection.rest = rest
        goes_on = Exchange(connection, head + END_OF_HEAD).run(answer)
        ours.close()
        theirs.settimeout(30)
        received = b""
        while data := theirs.recv(1 << 16):
            received += data
        theirs.close()
        return received, seen, goes_on, connection.rest

    return run


def test_a_request_has_path_query_headers_and_body(talk):
    head = b"POST /hook/a%20b?x=1 HTTP/1.1\r\nHost: h\r\nX-A: b\r\nContent-Length: 2"

    received, [request], goes_on, rest = talk(head, b"{}GET")

    assert (request.method, request.path, request.query, request.body) == (
        "POST",
        "/hook/a b",
        {"x": "1"},
        b"{}",
    )
    assert request.header("x-a") == "b"
    assert request.source == "192.0.2.7"
    assert received.startswith(b"HTTP/1.1 200 OK\r\n")
    assert received.endswith(b"Content-Length: 3\r\n\r\nyes")
    assert (goes_on, rest) == (True, b"GET")


def test_chunks_are_one_body(talk):
    head = b"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked"

    _, [request], _, rest = talk(head, b"1\r\na\r\n2\r\nbc\r\n0\r\n\r\nnext")

    assert (request.body, rest) == (b"abc", b"next")


@pytest.mark.parametrize(
    ("head", "rest", "status"),
    [
        (b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 101", b"", 413),
        (b"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked", b"7f\r\n" + b"a" * 127, 413),
        (b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked", b"", 400),
        (b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\ncontent-length: 1", b"a", 400),
        (b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0x1", b"a", 400),
        (b"GET / HTTP/1.1\r\nHost: h\r\n folded", b"", 400),
        (b"GET / HTTP/1.1\r\nHost: h\nX-A: b", b"", 400),
        (b"GET / HTTP/1.1\r\nHost: h\r\nX-A: " + b"a" * MAX_HEAD, b"", 431),
        (b"GET x HTTP/1.1\r\nHost: h", b"", 400),
        (b"GET / HTTP/2.0\r\nHost: h", b"", 400),
        (b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked", b"1\r\na\r\n0\r\n\r\n", 400),
        # What follows would be a request to a server that takes a line feed for the end of a line.
        (CHUNKED, b"0\r\nX: a\n\nGET /s HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        (CHUNKED, b"0\r\n\nGET /s HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        (CHUNKED, b"0\r\nX: a\r\n\r\n", 400),
        (b"GET http://other/ HTTP/1.1\r\nHost: h", b"", 400),
        (b"GET / HTTP/1.1\r\nHost: h\r\nX-Auth-Token: a\r\nX-Auth-Token: b", b"", 400),
        (b"GET / HTTP/1.1\r\nHost: h\r\nOrigin: http://h\r\nOrigin: http://other", b"", 400),
        (b"GET /%ff HTTP/1.1\r\nHost: h", b"", 400),
        (b"nonsense", b"", 400),
    ],
)
def test_a_malformed_request_is_refused_and_ends_the_connection(talk, head, rest, status):
    received, seen, goes_on, _ = talk(head, rest)

    assert received.startswith(b"HTTP/1.1 %d " % status), received
    assert b"Connection: close\r\n" in received
    assert not seen
    assert not goes_on


def test_the_last_chunk_may_come_in_parts():
    ours, theirs = gevent.socket.socketpair()
    connection = ApiConnection(ours, "::1", max_body=100)
    parts = [b"1\r\na\r", b"\n0", b"\r", b"\n\r", b"\nnext"]
    connection.read = lambda timeout: parts.pop(0)
    seen = []

    def answer(request):
        seen.append(request.body)
        return Response(200)

    assert Exchange(connection, CHUNKED + END_OF_HEAD).run(answer)
    assert (seen, connection.rest) == ([b"a"], b"next")
    ours.close()
    theirs.close()


def test_a_list_may_stand_in_two_headers(talk):
    head = b"GET http://h/x?a=&b=1 HTTP/1.1\r\nHost: h\r\nAccept: a\r\nAccept: b\r\n"

    _, [request], *_ = talk(head + b"Cookie: x=1\r\nCookie: y=2\r\nX-A: 1\r\nX-A: 1")

    assert request.query == {"a": "", "b": "1"}
    assert (request.path, request.header("accept"), request.header("x-a")) == ("/x", "a, b", "1")
    assert (request.cookie("x"), request.cookie("y")) == ("1", "2")


def test_pieces_are_sent_as_chunks_and_their_generator_is_closed(talk):
    closed = []

    def pieces():
        try:
            yield b"a"
            yield b""
            yield b"b"
        finally:
            closed.append(True)

    received, *_ = talk(b"GET / HTTP/1.1\r\nHost: h", response=Response(200, pieces()))

    assert received.partition(END_OF_HEAD)[2] == b"1\r\na\r\n1\r\nb\r\n0\r\n\r\n"
    assert closed == [True]


@pytest.mark.parametrize("head", [b"HEAD / HTTP/1.1\r\nHost: h", b"GET / HTTP/1.0"])
def test_a_head_has_no_body_and_old_clients_one_request(talk, head):
    received, _, goes_on, _ = talk(head)

    assert received.endswith(END_OF_HEAD) == head.startswith(b"HEAD")
    assert goes_on == head.startswith(b"HEAD")


def test_bodies_that_arrive_have_a_bound_together(talk):
    head = b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 60"
    bodies = UnfinishedBodies(100)

    with bodies.reading() as add:
        add(50)
        received, seen, goes_on, _ = talk(head, b"a" * 60, bodies=bodies)
    assert received.startswith(b"HTTP/1.1 503 ")
    assert (seen, goes_on) == ([], False)
    for _ in range(2):
        assert talk(head, b"a" * 60, bodies=bodies)[1][0].body == b"a" * 60
