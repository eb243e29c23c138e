"""Connections that the kernel looks up by their ends."""

import os
import socket

import pytest

from salt_g.net import socket_diag

ESTABLISHED, CLOSING = 1, {4, 5, 6, 9}


@pytest.fixture(params=["127.0.0.1", "::1"])
def connection(request):
    """Yield a listening socket, and both ends of a connection to it."""
    family = socket.AF_INET6 if ":" in request.param else socket.AF_INET
    with socket.create_server((request.param, 0), family=family) as server, socket.socket(family) as client:
        client.connect(server.getsockname()[:2])
        taken, _ = server.accept()
        with taken:
            yield server, client, taken


def test_both_ends_of_a_connection_are_found(connection):
    _, client, taken = connection
    client.sendall(b"four")

    near = socket_diag.find(client.getsockname(), client.getpeername())
    far = socket_diag.find(taken.getsockname(), taken.getpeername())

    assert (near.state, near.uid, near.unread) == (ESTABLISHED, os.geteuid(), 0)
    assert (far.state, far.uid, far.unread) == (ESTABLISHED, os.geteuid(), 4)
    assert near.inode == os.fstat(client.fileno()).st_ino
    assert far.inode == os.fstat(taken.fileno()).st_ino


def test_a_closed_end_has_no_inode(connection):
    _, client, _ = connection
    ends = client.getsockname(), client.getpeername()
    client.close()

    found = socket_diag.find(*ends)

    assert found.state in CLOSING
    assert found.inode == 0


def test_a_listening_socket_is_not_a_connection(connection):
    server, client, _ = connection
    nobody = (client.getsockname()[0], 1)

    assert socket_diag.find(server.getsockname(), nobody) is None
    assert socket_diag.find(nobody, nobody) is None


def test_an_address_in_ipv6_form_is_that_of_ipv4():
    with (
        socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True) as server,
        socket.create_connection(("127.0.0.1", server.getsockname()[1])) as client,
    ):
        taken, _ = server.accept()
        with taken:
            found = socket_diag.find(taken.getsockname(), taken.getpeername())

            assert found.inode == os.fstat(taken.fileno()).st_ino
            assert socket_diag.find(client.getsockname(), client.getpeername()).state == ESTABLISHED


def test_no_owner_is_found_for_an_invalid_address():
    with pytest.raises(ValueError):
        socket_diag.find(("nowhere", 1), ("127.0.0.1", 2))
