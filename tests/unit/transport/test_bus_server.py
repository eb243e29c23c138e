"""The event bus of a daemon: the content of each subscriber's ring, and delivery."""

import os
import tempfile

import pytest

from salt_g.errors import NoReply, WireError
from salt_g.net.event_bus_addresses import EventBusAddresses
from salt_g.process.supervisor import Supervisor
from salt_g.transport.bus_client import BusSubscriber, BusWriter
from salt_g.transport.bus_server import BusServer, _Subscriber
from salt_g.transport.unix_socket import PeerCredentials
from tests.support.waiting import hub_until

STRANGER = PeerCredentials(pid=7, uid=4242, gid=4242)


def frames_of(subscriber):
    """Take all frames out of a ring."""
    found = []
    while subscriber._frames:
        found.append(subscriber._take())
    return found


def test_a_full_ring_loses_its_oldest_frames_and_logs_it_once(caplog):
    ring = _Subscriber(2, 1000, STRANGER)

    assert [ring.put(b"%d" % number) for number in range(4)] == [0, 0, 1, 1]

    assert frames_of(ring) == [b"2", b"3"]
    assert caplog.messages == ["event bus: uid 4242 (pid 7) reads too slowly and loses events"]


def test_the_bytes_of_a_ring_are_bounded_and_the_newest_frame_always_fits():
    ring = _Subscriber(100, 10, STRANGER)

    assert [ring.put(b"x" * size) for size in (4, 6, 1, 50)] == [0, 0, 1, 2]

    assert frames_of(ring) == [b"x" * 50]
    assert [ring.put(b"x" * 10), ring.put(b"")] == [0, 0]


@pytest.fixture
def bus(open_directory):
    """Yield a running bus; `events` has the fired events."""
    folder, family = tempfile.mkdtemp(dir=open_directory), Supervisor("test")
    events = []

    def on_event(body, who):
        if body == b"refused":
            raise WireError("no")
        if body == b"broken":
            raise KeyError("handler")
        events.append((body, who.uid))

    places = EventBusAddresses(os.path.join(folder, "pub"), os.path.join(folder, "pull"))
    server = BusServer(places, supervisor=family, on_event=on_event, connections=8)
    server.start()
    server.events, server.places = events, places
    yield server
    server.stop()
    family.stop()


def test_a_subscriber_gets_the_events_for_its_user(bus):
    subscriber = BusSubscriber(bus.places.pub)
    hub_until(lambda: len(bus) == 1)
    stranger = _Subscriber(10, 1000, STRANGER)
    bus._subscribers.add(stranger)

    for body, readers in ((b"all", None), (b"none", set()), (b"theirs", {4242}), (b"others", {4243})):
        bus.publish(body, readers)

    assert [subscriber.receive(timeout=10) for _ in range(4)] == [b"all", b"none", b"theirs", b"others"]
    assert [b"all" in frame or b"theirs" in frame for frame in frames_of(stranger)] == [True, True]
    bus._subscribers.discard(stranger)
    subscriber.close()
    hub_until(lambda: len(bus) == 0)


def test_an_event_whose_handling_fails_costs_no_other(bus, caplog):
    writer = BusWriter(bus.places.pull)
    for body in (b"one", b"refused", b"broken", b"two"):
        writer.fire(body)

    hub_until(lambda: len(bus.events) == 2)

    assert bus.events == [(b"one", os.geteuid()), (b"two", os.geteuid())]
    assert ["malformed" in caplog.text, "was dropped" in caplog.text] == [True, True]
    writer.close()


def test_peers_beyond_the_limit_are_hung_up_on_until_one_leaves(bus):
    made = [BusSubscriber(bus.places.pub) for _ in range(8)]
    hub_until(lambda: len(bus) == 8)

    late = BusSubscriber(bus.places.pub)
    with pytest.raises((WireError, ConnectionError)):
        late.receive(timeout=10)

    made.pop().close()
    hub_until(lambda: len(bus._seats) == 7)
    made.append(BusSubscriber(bus.places.pub))
    hub_until(lambda: len(bus) == 8)
    for one in (*made, late):
        one.close()


def test_the_stop_removes_the_sockets_and_hangs_up(bus):
    subscriber = BusSubscriber(bus.places.pub)
    hub_until(lambda: len(bus) == 1)

    bus.stop()

    assert [os.path.exists(place) for place in bus.places] == [False, False]
    with pytest.raises(WireError, match="the event bus was closed"):
        subscriber.receive(timeout=10)
    with pytest.raises(FileNotFoundError):
        BusWriter(bus.places.pull)
    subscriber.close()


def test_a_subscriber_raises_when_nothing_came(bus):
    subscriber = BusSubscriber(bus.places.pub)

    with pytest.raises(NoReply):
        subscriber.receive(timeout=0.01)

    hub_until(lambda: len(bus) == 1)
    bus.publish(b"later")
    assert subscriber.receive(timeout=10) == b"later"
    subscriber.close()
