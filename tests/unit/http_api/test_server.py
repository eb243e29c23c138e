"""The port of the HTTP API."""

import contextlib

import gevent.socket
import pytest

from salt_g.http_api.messages import Response
from salt_g.http_api.server import Server
from salt_g.http_api.settings import ApiSettings
from salt_g.process.supervisor import Supervisor

#: Bytes of a large answer.
LARGE = 20_000_000


@pytest.fixture
def server(opts):
    supervisor = Supervisor("test")

    def answer(request):
        if request.path == "/fail":
            raise RuntimeError("a fault")
        if request.path == "/large":
            return Response(200, bytes(LARGE))
        return Response(200, request.source.encode())

    settings = ApiSettings.of({**opts, "rest_cherrypy": {"port": 0, "host": "127.0.0.1"}})
    made = Server(settings, answer, supervisor=supervisor, own_headers=[("Server", "s")], per_address=2)
    made.start()
    yield made
    made.stop()
    supervisor.stop()


def ask(server, path="/"):
    connection = gevent.socket.create_connection(server.address, 30)
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: h\r\n\r\n".encode())
    return connection


def test_the_source_is_the_address_of_the_client(server):
    connection = ask(server)
    received = connection.recv(1 << 16)
    connection.close()

    assert b"Server: s\r\n" in received
    assert received.endswith(b"127.0.0.1")


def test_a_fault_in_one_connection_ends_no_other(server):
    failed = ask(server, "/fail")
    assert failed.recv(1) == b""
    connection = ask(server)

    assert connection.recv(1 << 16).endswith(b"127.0.0.1")
    failed.close()
    connection.close()


def test_an_address_with_all_its_places_loses_its_oldest_idle_connection(server):
    connections = [ask(server) for _ in range(3)]
    last = connections[2].recv(1 << 16)

    assert last.endswith(b"127.0.0.1")
    assert len(server) <= 2
    for connection in connections:
        connection.close()


def test_the_kernel_buffers_a_bounded_part_of_an_unread_answer(server):
    with gevent.socket.socket() as connection:
        # Set before the connection, so that the other end knows.
        connection.setsockopt(gevent.socket.SOL_SOCKET, gevent.socket.SO_RCVBUF, 4096)
        connection.settimeout(30)
        connection.connect(server.address)
        connection.sendall(b"GET /large HTTP/1.1\r\nHost: h\r\n\r\n")
        kept = len(connection.recv(1))
        server.stop()

        with contextlib.suppress(ConnectionError):
            while data := connection.recv(1 << 16):
                kept += len(data)

    assert 100_000 < kept < 1_000_000


def test_a_large_answer_arrives_whole(server):
    connection = ask(server, "/large")
    with connection, connection.makefile("rb") as answer:
        while answer.readline().strip():
            pass
        assert answer.read(LARGE) == bytes(LARGE)
