"""The bus of a running minion, used by another program, with its daemon's sockets at the other end."""

import os
import socket
import tempfile

import pytest

from salt_g.errors import TargetError
from salt_g.minion.bus_client import BusEvent, MinionBusClient
from salt_g.net import event_bus_addresses
from salt_g.wire.events import FrameReader, bare_frame, pack_event, unpack_event


class Daemon:
    """The two listening sockets of a minion's bus."""

    def __init__(self, folder):
        self.opts = {"id": "m1", "sock_dir": folder}
        self.pub, self.pull = (socket.socket(socket.AF_UNIX) for _ in range(2))
        for listening, place in zip(
            (self.pub, self.pull), event_bus_addresses.of_minion(self.opts), strict=True
        ):
            listening.bind(place)
            listening.listen()

    def close(self):
        self.pub.close()
        self.pull.close()


@pytest.fixture
def daemon(open_directory):
    made = Daemon(tempfile.mkdtemp(dir=open_directory))
    yield made
    made.close()


def test_a_fired_event_arrives_with_a_stamp(daemon):
    assert MinionBusClient(daemon.opts).fire("mine", {"n": 1}) is True

    with daemon.pull.accept()[0] as peer:
        [body] = FrameReader().feed(b"".join(iter(lambda: peer.recv(65536), b"")))
    tag, data = unpack_event(body)
    assert (tag, data["n"], data["_stamp"][-6:]) == ("mine", 1, "+00:00")


def test_where_no_minion_runs_nothing_is_fired_and_nothing_can_be_watched(open_directory):
    link = MinionBusClient({"id": "m1", "sock_dir": os.path.join(open_directory, "none")})

    assert link.fire("mine", {}) is False
    with pytest.raises(OSError, match="No such file"), link.watch():
        pass


def test_a_watch_gets_what_matches_in_whatever_portions(daemon):
    with MinionBusClient(daemon.opts).watch("/done", "endswith") as watch, daemon.pub.accept()[0] as minion:
        data = b"".join(
            bare_frame(pack_event(tag, {"n": number}))
            for number, tag in enumerate(("a/done", "b/begun", "c/done"))
        )
        minion.sendall(data[:-3])

        assert watch.get(10) == BusEvent("a/done", {"n": 0})
        assert (watch.get(0.01), watch.is_closed) == (None, False)
        minion.sendall(data[-3:])
        assert watch.get() == BusEvent("c/done", {"n": 2})


def test_a_minion_that_ends_ends_the_watch_behind_its_last_event(daemon):
    with MinionBusClient(daemon.opts).watch() as watch:
        with daemon.pub.accept()[0] as minion:
            minion.sendall(bare_frame(pack_event("last", {})))

        assert watch.get(10) == BusEvent("last", {})
        assert (watch.get(10), watch.is_closed, watch.get()) == (None, True, None)


def test_an_unknown_way_of_matching_is_refused(daemon):
    with pytest.raises(TargetError), MinionBusClient(daemon.opts).watch("x", "nearly"):
        pass
