"""A stock master's event bus over a real socket; requests that it does not support."""

import os
import socket
import tempfile
import threading

import pytest

from salt_g.client.link import MasterEvent
from salt_g.client.stock_link import StockLink
from salt_g.errors import MasterUnreachable
from salt_g.wire.events import FrameReader, bare_frame, pack_event, prefixed_frame, unpack_event


class Bus:
    """The two sockets of a stock master's bus."""

    def __init__(self, folder):
        self.opts = {"interface": "127.0.0.1", "ret_port": 4506, "sock_dir": str(folder)}
        self.pub, self.pull = (socket.socket(socket.AF_UNIX) for _ in range(2))
        for listening, end in ((self.pub, "pub"), (self.pull, "pull")):
            listening.bind(os.path.join(folder, f"master_event_{end}.ipc"))
            listening.listen()
        self.link = StockLink(self.opts)

    def follow(self, *tags):
        """Subscribe to tags; return the bus's end of the connection."""
        for tag in tags:
            self.link.subscribe(tag)
        return self.pub.accept()[0]

    def close(self):
        self.link.close()
        self.pub.close()
        self.pull.close()


@pytest.fixture
def bus(open_directory):
    made = Bus(tempfile.mkdtemp(dir=open_directory))
    yield made
    made.close()


@pytest.mark.parametrize("framed", [bare_frame, prefixed_frame])
def test_wanted_events_come_in_either_framing(bus, framed):
    with bus.follow("salt/job/", "mine") as master:
        for number, tag in enumerate(("salt/job/1/new", "other", "mine")):
            master.sendall(framed(pack_event(tag, {"n": number})))

        assert bus.link.next_event(10) == MasterEvent("salt/job/1/new", {"n": 0})
        assert bus.link.next_event(10) == MasterEvent("mine", {"n": 2})
        assert bus.link.next_event(0) is None


def test_events_that_are_no_longer_wanted_are_passed_over(bus):
    with bus.follow("a", "b") as master:
        bus.link.unsubscribe("a")
        master.sendall(bare_frame(pack_event("a", {})) + bare_frame(pack_event("b", {})))

        assert bus.link.next_event(10) == MasterEvent("b", {})


def test_a_wait_ends_in_time_on_a_bus_that_never_rests(bus):
    frames = bare_frame(pack_event("other", {})) * 1000
    with bus.follow("mine") as master:
        stopped = threading.Event()

        def stream():
            try:
                while not stopped.is_set():
                    master.sendall(frames)
            except OSError:
                pass

        writer = threading.Thread(target=stream)
        writer.start()
        try:
            assert bus.link.next_event(0.05) is None
        finally:
            stopped.set()
            bus.link.close()
            writer.join()


def test_a_master_that_hangs_up_is_unreachable(bus):
    bus.follow("mine").close()

    with pytest.raises(MasterUnreachable, match="the master has closed its event bus"):
        bus.link.next_event(10)


@pytest.mark.parametrize("data", [b"\xc1" * 100, bare_frame(b"no tag"), bare_frame(b"mine\n\n\xc1")])
def test_unreadable_data_makes_the_master_unreachable(bus, data):
    with bus.follow("mine") as master:
        master.sendall(data)

        with pytest.raises(MasterUnreachable, match="cannot be read"):
            bus.link.next_event(10)


def test_a_fired_event_has_a_stamp_and_a_length(bus):
    bus.link.fire("mine", {"n": 1})

    with bus.pull.accept()[0] as peer:
        data = b"".join(iter(lambda: peer.recv(65536), b""))
    assert int.from_bytes(data[:4], "big") == len(data) - 4
    [body] = FrameReader().feed(data)
    tag, found = unpack_event(body)
    assert (tag, found["n"], found["_stamp"][-6:]) == ("mine", 1, "+00:00")


def test_commands_that_stock_lacks_are_not_sent(tmp_path):
    link = StockLink({"interface": "127.0.0.1", "ret_port": 1, "sock_dir": str(tmp_path)})

    assert [link.ask({"cmd": cmd}, timeout=1) for cmd in ("job", "presence", "batch")] == [{}, {}, {}]


def test_without_a_bus_the_master_is_unreachable(tmp_path):
    link = StockLink({"interface": "127.0.0.1", "ret_port": 1, "sock_dir": str(tmp_path)})

    for reach in (lambda: link.subscribe("mine"), lambda: link.fire("mine", {}), lambda: link.next_event(1)):
        with pytest.raises(MasterUnreachable, match="is the master running"):
            reach()
