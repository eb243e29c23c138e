"""Requests over `tcp` and `ws`, with and without TLS, to a real request port."""

import gevent.event
import pytest

from salt_g.errors import Disconnected, NoReply, WireError
from salt_g.transport.carriers import carrier_of
from salt_g.transport.request_server import RequestServer
from salt_g.transport.streams.client_stream import StreamClientSettings
from salt_g.transport.streams.stream_requests import StreamRequests
from salt_g.transport.streams.tls_layer import client_context
from salt_g.wire.packing import pack, unpack

LIMIT = 60


def _server(supervisor, handler, **opts):
    carrier = carrier_of({"ssl": None, **opts})
    made = RequestServer(handler, ["tcp://127.0.0.1:*"], supervisor=supervisor, carrier=carrier)
    made.start()
    return made


@pytest.mark.parametrize("transport", ["tcp", "ws"])
@pytest.mark.parametrize("has_tls", [False, True])
def test_requests_are_answered(supervisor, tls_settings, transport, has_tls):
    settings = tls_settings() if has_tls else None
    server = _server(supervisor, lambda arrival: bytes(arrival.payload), transport=transport, ssl=settings)
    client = StreamRequests(
        server.addresses[0], StreamClientSettings(transport, client_context(settings) if has_tls else None)
    )

    for value in ("one", {"large": b"x" * 300_000}):
        assert unpack(client.request(pack(value), timeout=LIMIT), binary=["large"]) == value

    client.close()
    assert server.stop(timeout=LIMIT)


def test_a_late_reply_never_answers_another_request(supervisor):
    waits = gevent.event.Event()

    def answer(arrival):
        if arrival.payload == pack("slow"):
            waits.wait(LIMIT)
        return bytes(arrival.payload)

    server = _server(supervisor, answer, transport="tcp")
    client = StreamRequests(server.addresses[0], StreamClientSettings("tcp"))

    with pytest.raises(NoReply):
        client.request(pack("slow"), timeout=0.2)
    waits.set()
    assert client.request(pack("next"), timeout=LIMIT) == pack("next")

    client.close()
    assert server.stop(timeout=LIMIT)


def test_a_master_that_closes_the_connection_is_not_one_that_is_silent(supervisor, tls_settings):
    server = _server(supervisor, lambda arrival: b"", transport="tcp", ssl=tls_settings())
    client = StreamRequests(server.addresses[0], StreamClientSettings("tcp"))

    with pytest.raises(Disconnected, match="has closed the connection; .* `transport` and `ssl`"):
        client.request(pack("x"), timeout=LIMIT)

    client.close()
    assert server.stop(timeout=LIMIT)


def test_a_master_with_another_transport_is_named(supervisor):
    server = _server(supervisor, lambda arrival: b"", transport="zeromq")
    client = StreamRequests(server.addresses[0], StreamClientSettings("tcp"))

    with pytest.raises(WireError, match="both sides need the same `transport`"):
        client.request(pack("x"), timeout=LIMIT)

    client.close()
    assert server.stop(timeout=LIMIT)
