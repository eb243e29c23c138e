"""Identification of the service at a port by its first bytes."""

import contextlib
import socket
import threading

import pytest

from salt_g.transport.port_probe import Service, service_at
from salt_g.wire import zmtp


@contextlib.contextmanager
def serving(greeting):
    """Serve one connection: send some bytes and wait for its end; yield the port."""

    def serve():
        with contextlib.suppress(OSError):
            peer = server.accept()[0]
            with peer:
                peer.sendall(greeting)
                while peer.recv(1000):
                    pass

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve)
        thread.start()
        yield server.getsockname()[1]
    thread.join(30)


def ready(socket_type):
    """Return the greeting and READY of a ZeroMQ peer."""
    session = zmtp.ServerSession(socket_type, zmtp.SOCKET_TYPES, max_message=100, max_frames=1)
    session.feed(zmtp.greeting())
    session.next_message()
    return session.take_output()


@pytest.mark.parametrize(
    ("greeting", "found"),
    [
        (ready("ROUTER"), Service("requests", "ROUTER")),
        (ready("PUB"), Service("publications", "PUB")),
        (ready("XPUB"), Service("publications", "XPUB")),
        (ready("PULL"), Service("zeromq", "PULL")),
        (b"SSH-2.0-OpenSSH_9.2p1 Debian\r\nmore", Service("foreign", "SSH-2.0-OpenSSH_9.2p1 Debian")),
        (b"\x1b[31m" + b"x" * 100, Service("foreign", "?[31m" + "x" * 35)),
    ],
)
def test_a_service_is_known_by_what_it_sends_first(greeting, found):
    with serving(greeting) as port:
        assert service_at("127.0.0.1", port, timeout=30) == found


def test_a_service_that_sends_nothing_is_left_after_the_timeout():
    with serving(b"") as port:
        assert service_at("127.0.0.1", port, timeout=0.2) == Service("silent")


def test_a_port_without_a_service_is_reported_with_the_reason():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

    assert service_at("127.0.0.1", port) == Service("closed", "Connection refused")
