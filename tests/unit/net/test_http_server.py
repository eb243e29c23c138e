"""The small HTTP server: slow peers never shut out others."""

import contextlib
import http.client

import gevent
import gevent.socket
import pytest

from salt_g.net.http_server import MAX_HEAD, HttpLimits, HttpServer

DEADLINE = 60


@pytest.fixture
def serve():
    """Yield a function that starts a server, which answers with the body's length, and returns its port."""
    servers = []

    def answer(environ, start_response):
        body = str(len(environ["wsgi.input"].read())).encode()
        start_response("200 OK", [("Content-Length", str(len(body))), ("Connection", "close")])
        return [body]

    def start(**bounds):
        listener = gevent.socket.socket()
        listener.bind(("127.0.0.1", 0))
        listener.listen(128)
        limits = {"connections": 16, "per_address": 4, "max_body": 100, "lifetime": DEADLINE} | bounds
        servers.append(HttpServer(listener, answer, HttpLimits(**limits)))
        servers[-1].start()
        return servers[-1].server_port

    yield start
    for server in servers:
        server.stop(timeout=1)


def ask(port, body=None, headers=None):
    def send():
        with contextlib.closing(
            http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE)
        ) as connection:
            connection.request("POST", "/", body, headers or {})
            with connection.getresponse() as reply:
                return reply.status, reply.read()

    return gevent.get_hub().threadpool.apply(send)


def is_ended(peer):
    """Wait until the server has closed the connection."""
    with gevent.Timeout(DEADLINE), contextlib.suppress(ConnectionError):
        while peer.recv(4096):
            pass
    return True


@pytest.mark.parametrize("sent", [b"", b"POST / HT", b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n12"])
def test_slow_peers_of_the_same_address_do_not_shut_out_a_request(serve, sent):
    port = serve()
    slow = []
    for _ in range(60):
        slow.append(gevent.socket.create_connection(("127.0.0.1", port)))
        slow[-1].sendall(sent)
    try:
        assert ask(port, b"123") == (200, b"3")
        assert is_ended(slow[0])
    finally:
        for peer in slow:
            peer.close()


def test_a_head_that_does_not_come_in_time_ends_its_connection(serve):
    peer = gevent.socket.create_connection(("127.0.0.1", serve(head_time=0.1)))

    peer.sendall(b"GET / HTTP/1.1\r\n")

    assert is_ended(peer)
    peer.close()


def test_a_body_that_does_not_come_in_time_ends_its_connection(serve):
    peer = gevent.socket.create_connection(("127.0.0.1", serve(lifetime=0.2)))

    peer.sendall(b"POST / HTTP/1.1\r\nContent-Length: 50\r\n\r\n1")

    assert is_ended(peer)
    peer.close()


@pytest.mark.parametrize("count", [1, 80])
def test_a_head_that_is_too_long_is_refused(serve, count):
    headers = {f"X-{number}": "x" * (MAX_HEAD // count) for number in range(count)}

    assert ask(serve(), headers=headers)[0] == 400


def test_of_a_body_that_is_too_large_one_byte_too_many_is_handed_over(serve):
    assert ask(serve(max_body=10), b"x" * 50) == (200, b"11")


def test_places_are_free_again_when_connections_end(serve):
    port = serve(connections=2, per_address=2)

    assert [ask(port)[0] for _ in range(10)] == [200] * 10
