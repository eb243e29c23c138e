"""Identification of port services by minions with `tcp` or `ws`, on real ports and other services."""

import contextlib
import socket
import threading
from functools import partial

import pytest

from salt_g.process.offload import offload
from salt_g.transport.carriers import carrier_of
from salt_g.transport.port_probe import Service, service_at
from salt_g.transport.publisher import Publisher
from salt_g.transport.request_server import RequestServer
from salt_g.transport.streams.client_stream import stream_client
from salt_g.transport.streams.stream_probe import stream_service_at

LIMIT = 60


@pytest.fixture
def ports(supervisor, tls_settings):
    """Yield a function that returns the two ports of a master with a transport, and TLS with `ssl`."""
    with contextlib.ExitStack() as ended:

        def start(transport, ssl=None):
            carrier = carrier_of({"transport": transport, "ssl": ssl})
            place = ["tcp://127.0.0.1:*"]
            requests = RequestServer(
                lambda arrival: bytes(arrival.payload), place, supervisor=supervisor, carrier=carrier
            )
            publisher = Publisher(place, supervisor=supervisor, carrier=carrier)
            found = {}
            for kind, server in (("requests", requests), ("publications", publisher)):
                server.start()
                ended.callback(server.stop, timeout=LIMIT)
                found[kind] = int(server.addresses[0].rpartition(":")[2])
            return found

        yield start


@contextlib.contextmanager
def serving(serve):
    """Serve one connection in a thread; yield the port."""

    def run():
        with contextlib.suppress(OSError), server.accept()[0] as peer:
            serve(peer)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=run)
        thread.start()
        yield server.getsockname()[1]
    thread.join(LIMIT)


def _listen(peer):
    while peer.recv(1000):
        pass


def look(port, transport, wanted="requests", ssl=None, timeout=LIMIT):
    return stream_service_at("127.0.0.1", port, stream_client(transport, ssl), wanted, timeout=timeout)


@pytest.mark.parametrize("has_tls", [False, True], ids=["plain", "tls"])
@pytest.mark.parametrize("transport", ["tcp", "ws"])
def test_the_ports_of_a_master_are_distinguished(ports, tls_settings, transport, has_tls):
    ssl = tls_settings() if has_tls else None
    port = ports(transport, ssl)

    assert look(port["requests"], transport, "requests", ssl) == Service("requests")
    assert look(port["requests"], transport, "publications", ssl) == Service("requests")
    assert look(port["publications"], transport, "publications", ssl) == Service("publications")
    assert look(port["publications"], transport, "requests", ssl, timeout=2) == Service("silent")


@pytest.mark.parametrize(("there", "here"), [("tcp", "ws"), ("ws", "tcp"), ("zeromq", "ws"), ("tcp", "tls")])
def test_another_transport_is_not_taken_for_silence(ports, tls_settings, there, here):
    port = ports(there)["requests"]
    client = ("tcp", tls_settings()) if here == "tls" else (here, None)

    found = stream_service_at("127.0.0.1", port, stream_client(*client), "requests", timeout=LIMIT)

    assert found.kind == "refusing"


def test_a_port_of_another_transport_is_reported_to_zeromq_too(ports):
    port = ports("tcp")["requests"]

    # In a thread: this look blocks the hub, on which the server runs.
    assert offload(partial(service_at, "127.0.0.1", port, timeout=LIMIT)) == Service("refusing")


def test_an_untrusted_certificate_is_reported(ports, tls_settings):
    port = ports("tcp", tls_settings())["publications"]

    found = look(port, "tcp", "publications", tls_settings())

    assert found.kind == "refusing"
    assert "the certificate of the peer is not trusted" in found.detail


def test_a_service_that_takes_connections_and_sends_nothing_is_silent():
    with serving(_listen) as port:
        assert look(port, "ws", "publications", timeout=0.2) == Service("silent")


def test_a_port_without_a_service_is_reported_with_the_reason():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

    assert look(port, "tcp") == Service("closed", "Connection refused")
