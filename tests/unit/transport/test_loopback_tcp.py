"""Loopback ports, and the user at the other end of a connection."""

import contextlib
import errno
import os
import socket

import pytest

from salt_g.net.event_bus_addresses import LoopbackPort
from salt_g.transport.loopback_tcp import listen_on, other_end, user_behind
from salt_g.transport.unix_socket import PeerCredentials

MINE = PeerCredentials(pid=-1, uid=os.geteuid(), gid=-1)


@contextlib.contextmanager
def connected():
    """Yield both ends of a connection within this machine: the accepted one, and its peer's."""
    with (
        listen_on(LoopbackPort("127.0.0.1", 0)) as listener,
        socket.create_connection(listener.getsockname()) as peer,
        listener.accept()[0] as accepted,
    ):
        yield accepted, peer


def test_a_port_in_use_is_named():
    with listen_on(LoopbackPort("127.0.0.1", 0)) as taken:
        port = LoopbackPort(*taken.getsockname())
        with pytest.raises(OSError, match=f"127.0.0.1:{port.number} cannot be bound") as raised:
            listen_on(port)

    assert raised.value.errno == errno.EADDRINUSE


def test_the_other_end_of_an_open_connection_is_its_users():
    with connected() as (accepted, peer):
        assert (other_end(accepted), other_end(peer)) == (MINE, MINE)


def test_the_other_end_of_a_closed_connection_has_no_user():
    with connected() as (accepted, peer):
        peer.close()
        assert other_end(accepted) is None
        accepted.close()
        assert other_end(accepted) is None


def test_a_descriptor_counts_only_while_its_peer_has_the_address():
    with connected() as (accepted, _):
        assert user_behind(accepted.fileno(), "127.0.0.1") == os.geteuid()
        assert user_behind(accepted.fileno(), "192.0.2.1") is None
        assert accepted.fileno() >= 0


def test_a_descriptor_that_is_not_a_connection_has_no_user(tmp_path):
    with open(tmp_path / "file", "wb") as file, socket.socket() as unconnected:
        assert user_behind(file.fileno(), "127.0.0.1") is None
        assert user_behind(unconnected.fileno(), "127.0.0.1") is None
    assert user_behind(-1, "127.0.0.1") is None


def test_looking_behind_a_descriptor_leaves_none_open():
    with connected() as (accepted, _):
        before = os.listdir("/proc/self/fd")
        for address in ("127.0.0.1", "192.0.2.1"):
            user_behind(accepted.fileno(), address)
        assert len(os.listdir("/proc/self/fd")) == len(before)
