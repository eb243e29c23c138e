"""Subscriptions at a publishing port, as peers send them, and the delivery of topics."""

import socket

import pytest

from salt_g.errors import NoReply
from salt_g.process.supervisor import Supervisor
from salt_g.transport.connection_limits import ConnectionLimits
from salt_g.transport.publisher import MAX_REFUSED, MAX_SUBSCRIPTION, MAX_TOPICS, Publisher
from salt_g.transport.zeromq import port_of
from salt_g.wire.publications import topic_of
from tests.support.raw_zmtp import GREETING, frame, message, ready
from tests.support.waiting import hub_until


@pytest.fixture
def start():
    """Yield a function that starts a publisher with these topic callbacks and settings."""
    family, made = Supervisor("test"), []

    def build(*callbacks, **settings):
        settings.setdefault("places", ConnectionLimits(10, 10))
        publisher = Publisher(["tcp://127.0.0.1:*"], supervisor=family, **settings)
        publisher.bind()
        publisher.accept(*callbacks)
        made.append(publisher)
        return publisher

    yield build
    for publisher in made:
        publisher.stop(timeout=1)
    family.stop()


class Peer:
    """A subscriber that speaks ZMTP byte by byte."""

    def __init__(self, publisher):
        self.socket = socket.create_connection(("127.0.0.1", port_of(publisher.addresses[0])))
        self.socket.setblocking(False)
        self.received = b""
        self.tell(GREETING + ready(b"SUB"))

    def tell(self, data):
        self.socket.sendall(data)

    def wish(self, topic):
        self.tell(frame(b"\1" + topic))

    def hears(self, data):
        """Return whether the received data end with these bytes."""
        self._read()
        return self.received.endswith(data)

    def is_hung_up(self):
        return self._read()

    def _read(self):
        try:
            while data := self.socket.recv(65536):
                self.received += data
        except BlockingIOError:
            return False
        except ConnectionError:
            return True
        return True


@pytest.fixture
def join():
    """Yield a function that connects a peer to a publisher, with these topics."""
    made = []

    def build(publisher, *topics):
        peer = Peer(publisher)
        made.append(peer)
        for topic in topics:
            peer.wish(topic)
        return peer

    yield build
    for peer in made:
        peer.socket.close()


def connection_of(publisher):
    [connection] = publisher._listener._connections.values()
    return connection


def test_a_topic_goes_once_to_its_subscribers(start, join):
    publisher = start()
    everything, one = join(publisher, b"", b"one"), join(publisher, b"one")
    hub_until(lambda: sum(len(found) for found in publisher._subscribers.values()) == 3)

    publisher.publish(b"first", [b"one"])
    publisher.publish(b"second", [b"two"])
    publisher.publish(b"third")

    assert publisher.drain(timeout=10) and publisher.sent == 3
    first, second = message(b"one", b"first"), message(b"two", b"second")
    hub_until(lambda: everything.hears(first + second + message(b"third")))
    hub_until(lambda: one.hears(first))


def test_a_subscriber_counts_by_its_address_until_its_last_topic_is_gone(start, join):
    publisher = start()
    peer = join(publisher, b"a", b"b")
    hub_until(lambda: len(publisher._subscribers) == 2)
    assert dict(publisher.subscribed()) == {"127.0.0.1": 1}

    peer.tell(frame(b"\0a"))
    hub_until(lambda: list(publisher._subscribers) == [b"b"])
    assert dict(publisher.subscribed()) == {"127.0.0.1": 1}

    peer.tell(frame(b"\0b"))
    hub_until(lambda: not publisher._subscribers)
    assert dict(publisher.subscribed()) == {}


def test_the_topic_of_a_minion_names_its_connection(start, join):
    publisher = start()
    topic = topic_of("web1")
    join(publisher, b"", topic)
    join(publisher, b"")
    join(publisher, b"broadcast")
    hub_until(lambda: sum(publisher.subscribed().values()) == 3 and topic in publisher._subscribers)

    assert publisher.named(topic) == {"127.0.0.1"}
    assert publisher.named(topic_of("web2")) == set()
    assert dict(publisher.nameless()) == {"127.0.0.1": 2}


def test_a_named_connection_is_reported_when_it_subscribes_and_the_last_one_when_it_ends(start, join):
    topic, reports = topic_of("web1"), []
    publisher = start(
        lambda topic: reports.append(("named", topic)), lambda topic: reports.append(("unnamed", topic))
    )
    first = join(publisher, b"", topic)
    hub_until(lambda: len(reports) == 1)
    second = join(publisher, b"", topic)
    hub_until(lambda: len(reports) == 2)

    first.socket.close()
    hub_until(lambda: sum(publisher.subscribed().values()) == 1)
    second.tell(frame(b"\0" + topic))
    hub_until(lambda: len(reports) == 3)

    assert reports == [("named", topic), ("named", topic), ("unnamed", topic)]


def test_a_subscriber_that_leaves_is_forgotten(start, join):
    publisher = start()
    peer = join(publisher, b"a", b"b")
    hub_until(lambda: len(publisher._subscribers) == 2)

    peer.socket.close()

    hub_until(lambda: not publisher._subscribers)
    assert dict(publisher.subscribed()) == {}


def test_topics_are_bounded_and_only_those_that_are_allowed(start, join):
    publisher = start(may_have=lambda topic: topic != b"secret")
    peer = join(publisher, b"secret", *(b"%d" % number for number in range(MAX_TOPICS + 1)))

    hub_until(lambda: len(publisher._listener) == 1 and connection_of(publisher).refused == 2)

    assert set(publisher._subscribers) == {b"%d" % number for number in range(MAX_TOPICS)}
    assert not peer.is_hung_up()


@pytest.mark.parametrize(
    "wish", [frame(b"\1a"), frame(b"\0none"), frame(b"\2x"), frame(b""), message(b"\1x", b"y")]
)
def test_messages_that_change_nothing_end_the_connection_after_many(start, join, wish):
    publisher = start()
    peer = join(publisher, b"a")
    peer.tell(wish * MAX_REFUSED)
    hub_until(lambda: len(publisher._listener) == 1 and connection_of(publisher).refused == MAX_REFUSED)
    assert list(publisher._subscribers) == [b"a"]

    peer.tell(wish)

    hub_until(peer.is_hung_up)
    assert not publisher._subscribers


def test_a_subscription_that_is_too_long_ends_the_connection(start, join):
    publisher = start()
    peer = join(publisher, b"x" * (MAX_SUBSCRIPTION - 1))
    hub_until(lambda: publisher._subscribers)

    peer.wish(b"x" * MAX_SUBSCRIPTION)

    hub_until(peer.is_hung_up)


def test_a_queue_without_a_writer_is_bounded():
    publisher = Publisher([], supervisor=Supervisor("test"), queue=2)
    for number in range(2):
        publisher.publish(b"%d" % number)

    with pytest.raises(NoReply):
        publisher.publish(b"2", timeout=0.01)

    assert (publisher.waiting, publisher.stop()) == (2, True)


def test_a_port_that_is_closed_for_some_time_has_the_same_address_afterwards(start):
    publisher = start()
    before = Peer(publisher)
    before.wish(b"")
    hub_until(lambda: publisher.subscribed(), "the subscription")

    publisher.close_for_now()
    hub_until(before.is_hung_up, "the end of its connection")
    before.socket.close()
    with pytest.raises(ConnectionRefusedError):
        Peer(publisher)
    publisher.open_again()
    publisher.open_again()
    after = Peer(publisher)
    after.wish(b"")
    hub_until(lambda: publisher.subscribed(), "the subscription")
    publisher.publish(b"news")

    hub_until(lambda: after.hears(b"news"), "the publication")
    after.socket.close()
