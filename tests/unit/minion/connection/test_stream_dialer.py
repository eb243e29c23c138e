"""Clients of a master with `transport: tcp` and `ws`."""

import socket

import pytest

from salt_g.errors import ConfigError
from salt_g.minion.connection.stream_dialer import StreamDialer
from salt_g.minion.settings import ConnectorSettings


def dialer(opts, **changes):
    return StreamDialer(ConnectorSettings.of({**opts, **changes}))


@pytest.mark.parametrize("transport", ["tcp", "ws"])
def test_it_makes_the_clients_of_both_ports(opts, transport):
    streams = dialer(opts, transport=transport)

    requests = streams.requests("tcp://127.0.0.1:4506", 2)
    subscriber = streams.subscriber("tcp://127.0.0.1:4505", lambda: b"")

    assert requests.address == "tcp://127.0.0.1:4506"
    requests.close()
    subscriber.close()


def test_a_port_without_a_listener_is_closed(opts):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

    assert dialer(opts, transport="tcp").service_at("127.0.0.1", port, "requests").kind == "closed"


@pytest.mark.parametrize("transport", ["zeromq", "carrier pigeon"])
def test_a_transport_without_streams_is_refused(opts, transport):
    with pytest.raises(ConfigError, match=transport):
        dialer(opts, transport=transport)
