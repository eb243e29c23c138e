"""The minion's bus: events that local programs fire and receive over its two sockets."""

import socket
import tempfile

import pytest

from salt_g.event.bus import Bus
from salt_g.minion.bus import MinionBus, serve
from salt_g.minion.settings import BusSettings
from salt_g.net import event_bus_addresses
from salt_g.process.supervisor import Supervisor
from salt_g.wire.events import FrameReader, bare_frame, pack_event, unpack_event
from tests.support.waiting import hub_until


@pytest.fixture
def bus(open_directory):
    """Yield a function that starts a bus with these settings."""
    supervisor, started = Supervisor("test"), []

    def start(**changes):
        opts = {"id": "m1", "sock_dir": tempfile.mkdtemp(dir=open_directory), **changes}
        made = MinionBus(BusSettings.of(opts), supervisor=supervisor)
        made.start()
        started.append(made)
        return made, event_bus_addresses.of_minion(opts)

    yield start
    for made in started:
        made.stop()
    supervisor.stop()


def connect(address):
    family, place = event_bus_addresses.address_of(address)
    connection = socket.socket(family)
    connection.setblocking(False)
    connection.connect(place)
    return connection


def received(connection, reader):
    """Return the events that have arrived."""
    try:
        return [unpack_event(body) for body in reader.feed(connection.recv(65536))]
    except BlockingIOError:
        return []


def test_programs_receive_events_of_the_minion(bus):
    made, addresses = bus()
    with connect(addresses.pub) as program:
        reader = FrameReader()

        def hear():
            made.fire("mine", {"n": 1})
            return received(program, reader)

        tag, data = hub_until(hear)[0]

    assert (tag, data["n"]) == ("mine", 1)


def test_the_minion_receives_events_of_programs(bus):
    made, addresses = bus()
    events = made.watch("theirs")

    with connect(addresses.pull) as program:
        program.send(bare_frame(pack_event("theirs/one", {"n": 2})))
        event = events.get(30)

    assert (event.tag, event.data["n"]) == ("theirs/one", 2)


def test_an_event_that_is_too_large_is_not_fired(bus):
    made, _ = bus(max_event_size=2000)
    events = made.watch("x")

    made.fire("x", {"data": "y" * 10000})
    made.fire("x", {"data": "small"})

    assert len(str(events.get(30).data["data"])) < 2000


def test_only_its_owner_may_look_into_the_directory(bus):
    import os
    import stat

    _, addresses = bus()

    assert stat.S_IMODE(os.stat(os.path.dirname(addresses.pub)).st_mode) & 0o007 == 0


@pytest.fixture
def serving(supervisor):
    """Return a function that makes a bus whose events go to these handlers, and its serving greenlet."""

    def start(handlers):
        bus = Bus()
        subscription = bus.subscribe_by(handlers.__contains__, name="test")
        return bus, subscription, supervisor.spawn(serve, subscription, handlers, name="test")

    return start


def test_each_event_goes_to_the_handler_of_its_very_tag(serving):
    seen = []
    bus, _, _ = serving(
        {"a": lambda data: seen.append(("a", data["n"])), "b": lambda data: seen.append(("b", data["n"]))}
    )

    for number, tag in enumerate(("b", "a/more", "a", "c", "b")):
        bus.fire(tag, {"n": number})

    hub_until(lambda: len(seen) == 3)
    assert seen == [("b", 0), ("a", 2), ("b", 4)]


@pytest.mark.parametrize("error", [KeyError("missing"), SystemExit(1)])
def test_a_handler_that_fails_is_logged_and_the_next_event_is_handled(serving, caplog, error):
    seen = []

    def fail(data):
        raise error

    bus, _, greenlet = serving({"bad": fail, "good": seen.append})

    bus.fire("bad", {})
    bus.fire("good", {"n": 1})

    hub_until(lambda: seen)
    assert (caplog.messages, greenlet.dead) == (["handling of event bad failed"], False)
    assert caplog.records[0].exc_info[1] is error


def test_serving_ends_with_the_subscription(serving):
    _, subscription, greenlet = serving({"a": print})
    hub_until(lambda: greenlet.started)

    subscription.close()

    hub_until(lambda: greenlet.dead)
    assert greenlet.successful()
