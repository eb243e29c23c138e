"""Requests to the metrics port: each connection is answered or closed, and the next one is served."""

import gevent
import gevent.socket
import pytest

from salt_g.net.own_hosts import is_own_host
from salt_g.telemetry.metrics_port import MetricsPort
from tests.support.fuzzing import fuzz, mutated

REQUESTS = [
    b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    b"HEAD /healthz HTTP/1.0\r\n\r\n",
    b"POST /metrics HTTP/1.1\r\nHost: [::1]:9100\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc",
    b"GET /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n1\r\na\r\n0\r\n\r\n",
]
PIECES = [
    *(
        b"\r\n",
        b"\n",
        b"\0",
        b"\xff",
        b" ",
        b":",
        b"%00",
        b"%",
        b"../",
        b"?",
        b"HTTP/1.1",
        b"HTTP/9.9",
        b"Host: ",
    ),
    *(b"Content-Length: -1\r\n", b"Content-Length: 9999999999\r\n", b"Expect: 100-continue\r\n", b"G" * 9000),
]


@pytest.fixture
def port():
    served = MetricsPort("127.0.0.1", 0, text=lambda: "salt_g_events_total 1\n")
    served.start()
    yield served.port
    served.stop()


def answer(port, request):
    """Send a request, shut down the sending side, and return everything received."""
    with gevent.Timeout(15), gevent.socket.create_connection(("127.0.0.1", port)) as link:
        received = b""
        try:
            link.sendall(request)
            link.shutdown(gevent.socket.SHUT_WR)
            while part := link.recv(65536):
                received += part
        except ConnectionError:
            # It hung up before it had read what no route wants.
            pass
        return received


@fuzz(request_=mutated(REQUESTS, PIECES))
def test_requests(port, request_):
    answer(port, request_)

    assert answer(port, REQUESTS[0]).startswith(b"HTTP/1.1 200 OK\r\n")


@fuzz(mutated([b"localhost:9100", b"[::1]:9100", b"127.0.0.1", b""], [b"[", b"]", b":", b"%", b"\xff"]))
def test_hosts(host):
    assert is_own_host(host.decode("latin-1"), {"localhost"}) in (True, False)
