import pytest
import zmq.green as zmq

from salt_g.transport.zeromq import GreenSocket, endpoint, is_ipv6, port_of


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "tcp://127.0.0.1:4506"),
        ("salt.example.org", "tcp://salt.example.org:4506"),
        ("::1", "tcp://[::1]:4506"),
        ("[fe80::1]", "tcp://[fe80::1]:4506"),
        ("fe80::1%eth0", "tcp://[fe80::1%eth0]:4506"),
    ],
)
def test_endpoints_of_names_and_addresses(host, address):
    assert endpoint(host, 4506) == address
    assert port_of(address) == 4506


def test_ipv6_is_distinguished_from_names():
    assert [is_ipv6(host) for host in ("::1", "[::1]", "10.0.0.1", "salt")] == [True, True, False, False]


def test_pyzmq_still_has_the_pause_that_green_sockets_shorten():
    assert zmq.Socket._gevent_bug_timeout > GreenSocket._gevent_bug_timeout == 1.0
