"""Addresses of the local buses: socket names, loopback ports, and results of connecting."""

import hashlib
import socket

import pytest

from salt_g.net import event_bus_addresses as addresses
from salt_g.net.event_bus_addresses import EventBusAddresses, LoopbackPort


def test_a_masters_sockets_are_in_its_directory():
    found = addresses.of_master({"sock_dir": "/run/salt", "ipc_mode": "ipc"})

    assert found == EventBusAddresses("/run/salt/master_event_pub.ipc", "/run/salt/master_event_pull.ipc")


def test_a_minions_sockets_are_named_by_ten_digits_of_the_hash_of_its_id():
    digits = hashlib.md5(b"web\xc3\xbc").hexdigest()[:10]

    found = addresses.of_minion({"sock_dir": "/run/salt", "id": "webü", "hash_type": "md5"})

    assert found.pub == f"/run/salt/minion_event_{digits}_pub.ipc"
    assert found.pull == f"/run/salt/minion_event_{digits}_pull.ipc"


def test_two_minions_of_one_directory_share_no_socket():
    one, other = (addresses.of_minion({"sock_dir": "/run", "id": id}) for id in ("web1", "web2"))

    assert not set(one) & set(other)


def test_ports_are_numbers_even_if_they_are_set_as_text():
    opts = {"ipc_mode": "tcp", "tcp_master_pub_port": "4512", "tcp_master_pull_port": 4513}

    assert addresses.of_master(opts) == (LoopbackPort("127.0.0.1", 4512), LoopbackPort("127.0.0.1", 4513))


def test_a_minion_with_ipv6_uses_the_loopback_address_of_that_kind():
    pub, pull = addresses.of_minion({"ipc_mode": "tcp", "ipv6": True, "tcp_pub_port": 1, "tcp_pull_port": 2})

    assert (str(pub), str(pull)) == ("[::1]:1", "[::1]:2")
    assert addresses.address_of(pub) == (socket.AF_INET6, ("::1", 1))
    assert str(LoopbackPort("127.0.0.1", 1)) == "127.0.0.1:1"


def test_a_connection_reaches_the_listener_of_a_socket_and_of_a_port(tmp_path):
    for family, place in ((socket.AF_UNIX, str(tmp_path / "bus.ipc")), (socket.AF_INET, ("127.0.0.1", 0))):
        with socket.socket(family) as listener:
            listener.bind(place)
            listener.listen()
            address = listener.getsockname()
            with addresses.connect(
                address if isinstance(address, str) else LoopbackPort(*address), 10
            ) as client:
                client.sendall(b"x")
                with listener.accept()[0] as served:
                    assert served.recv(1) == b"x"


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_connecting_without_a_listener_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        addresses.connect(str(tmp_path / "none.ipc"), 1)
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        with pytest.raises(ConnectionRefusedError):
            addresses.connect(LoopbackPort(*bound.getsockname()), 1)
