"""Sockets of the event bus for stock's tools: rights to connect, delivery, cleanup."""

import os
import stat

import gevent.socket
import msgpack
import pytest

from salt_g.event.bus import Bus
from salt_g.master.event_sockets import MARKS, EventSockets
from salt_g.master.settings import EventSocketSettings
from salt_g.process.supervisor import Supervisor
from salt_g.wire.events import pack_event, unpack_event
from tests.support.waiting import hub_until


@pytest.fixture
def bus():
    return Bus()


@pytest.fixture
def start(tmp_path, bus):
    """Yield a function that starts sockets of a master with these settings."""
    supervisor = Supervisor("test")
    made = []

    def begin(**opts):
        opts = {
            "sock_dir": str(tmp_path / "sock"),
            "publisher_acl": {},
            "external_auth": {},
            "event_bus_release": 3008,
            "ipc_mode": "ipc",
            **opts,
        }
        made.append(EventSockets(EventSocketSettings.of(opts), bus, supervisor))
        made[-1].start()
        return made[-1]

    yield begin
    for sockets in made:
        sockets.stop()
    supervisor.stop()


@pytest.fixture
def connect(tmp_path):
    """Yield a function that connects to one of the sockets."""
    made = []

    def make(name):
        made.append(gevent.socket.socket(gevent.socket.AF_UNIX))
        made[-1].settimeout(30)
        made[-1].connect(str(tmp_path / "sock" / name))
        return made[-1]

    yield make
    for connection in made:
        connection.close()


def test_the_files_that_stocks_tools_look_for_come_and_go(start, tmp_path):
    sockets = start()
    assert set(MARKS) < set(os.listdir(tmp_path / "sock"))
    assert stat.S_IMODE((tmp_path / "sock").stat().st_mode) == 0o700

    sockets.stop()
    sockets.stop()

    assert os.listdir(tmp_path / "sock") == []


@pytest.mark.parametrize(
    ("opts", "mode"),
    [
        ({}, 0o600),
        ({"publisher_acl": {"fred": ["*"]}}, 0o666),
        ({"external_auth": {"pam": {"fred": ["*"]}}}, 0o666),
    ],
)
def test_others_may_read_only_where_they_may_publish_and_never_write(start, tmp_path, opts, mode):
    start(**opts)

    modes = {
        name: stat.S_IMODE((tmp_path / "sock" / name).stat().st_mode)
        for name in ("master_event_pub.ipc", "master_event_pull.ipc")
    }
    assert modes == {"master_event_pub.ipc": mode, "master_event_pull.ipc": 0o600}


def test_an_event_of_a_tool_is_on_the_bus_and_invalid_frames_are_harmless(start, connect, bus):
    start()
    events = bus.subscribe("mine", name="test")

    connect("master_event_pull.ipc").sendall(b"\xc1 no event")
    framed = msgpack.packb({"head": {}, "body": pack_event("mine/1", {"a": 1})})
    connect("master_event_pull.ipc").sendall(framed)

    event = events.get(timeout=30)
    assert (event.tag, event.data["a"]) == ("mine/1", 1)


def test_events_of_other_masters_are_requested_while_there_is_a_reader(start, connect, bus):
    start()
    assert not bus.is_wanted_of_others("salt/job/1/ret/m1")

    reader = connect("master_event_pub.ipc")
    hub_until(lambda: bus.is_wanted_of_others("salt/job/1/ret/m1"), "a reader")

    reader.close()
    hub_until(lambda: not bus.is_wanted_of_others("salt/job/1/ret/m1"), "the end of the reader")


def test_a_reader_gets_the_events_of_the_bus(start, connect, bus):
    start()
    reader, unpacker = connect("master_event_pub.ipc"), msgpack.Unpacker()
    events = []

    def read():
        bus.fire("mine/1", {"a": 1})
        reader.settimeout(0.05)
        try:
            unpacker.feed(reader.recv(1 << 16))
        except TimeoutError:
            return False
        events.extend(unpacker)
        return bool(events)

    hub_until(read)

    tag, data = unpack_event(events[0]["body"])
    assert (tag, data["a"]) == ("mine/1", 1)
