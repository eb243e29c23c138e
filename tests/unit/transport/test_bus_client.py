"""Clients of an event bus against a bare socket."""

import os
import tempfile

import pytest
from gevent import socket

from salt_g.errors import NoReply, WireError
from salt_g.transport.bus_client import BusSubscriber, BusWriter
from salt_g.wire.events import bare_frame, prefixed_frame


@pytest.fixture
def place(open_directory):
    """Yield the path of a listening socket, and the socket."""
    path = os.path.join(tempfile.mkdtemp(dir=open_directory), "bus.ipc")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen()
        yield path, listening


def test_events_come_whole_in_whatever_portions(place):
    path, listening = place
    subscriber = BusSubscriber(path)
    with listening.accept()[0] as daemon:
        data = bare_frame(b"one") + bare_frame(b"two") + bare_frame(b"x" * 1000)
        daemon.sendall(data[:-500])

        assert [subscriber.receive(timeout=10) for _ in range(2)] == [b"one", b"two"]
        with pytest.raises(NoReply):
            subscriber.receive(timeout=0.01)
        daemon.sendall(data[-500:])
        assert subscriber.receive(timeout=10) == b"x" * 1000
    subscriber.close()


def test_events_before_the_end_of_the_bus_are_received(place):
    path, listening = place
    subscriber = BusSubscriber(path)
    with listening.accept()[0] as daemon:
        daemon.sendall(prefixed_frame(b"last"))

    assert subscriber.receive(timeout=10) == b"last"
    with pytest.raises(WireError, match=f"{path}: the event bus was closed"):
        subscriber.receive(timeout=10)
    subscriber.close()


def test_a_fired_event_has_its_length_in_front(place):
    path, listening = place
    writer = BusWriter(path)
    with listening.accept()[0] as daemon:
        writer.fire(b"one")
        writer.fire(b"two")
        writer.close()

        assert b"".join(iter(lambda: daemon.recv(65536), b"")) == prefixed_frame(b"one") + prefixed_frame(
            b"two"
        )


def test_a_daemon_that_does_not_read_is_given_up(place):
    path, listening = place
    writer = BusWriter(path)
    with listening.accept()[0], pytest.raises(NoReply):
        writer.fire(b"x" * (8 << 20), timeout=0.05)
    writer.close()


@pytest.mark.parametrize("client", [BusSubscriber, BusWriter])
def test_where_no_bus_is_the_connection_fails(open_directory, client):
    with pytest.raises(FileNotFoundError):
        client(str(open_directory / "none.ipc"))
