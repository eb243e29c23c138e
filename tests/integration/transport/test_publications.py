"""Publisher and subscriber over real sockets."""

import time

import gevent
import pytest

from salt_g.errors import NoReply
from salt_g.transport.publisher import Publisher
from salt_g.transport.subscriber import Subscriber
from salt_g.transport.zeromq import endpoint


@pytest.fixture
def publisher(context, supervisor):
    """Yield a running publisher."""
    made = Publisher([endpoint("127.0.0.1", "*")], context=context, supervisor=supervisor)
    made.start()
    yield made
    made.stop(timeout=1)


@pytest.fixture
def subscribe(context, publisher):
    """Yield a function that connects a subscriber."""
    made = []

    def start(topics=(b"",), **settings):
        subscriber = Subscriber(publisher.addresses[0], context=context, topics=topics, **settings)
        made.append(subscriber)
        # A subscription takes a moment to arrive; the first publication that is seen proves it.
        probe = topics[0] or b"probe"
        frames = None
        while frames is None:
            publisher.publish(b"probe", [probe])
            frames = subscriber.receive(timeout=0.02)
        return subscriber

    yield start
    for subscriber in made:
        subscriber.close()


def take(subscriber, count):
    """Return the frames of the next publications, without the probes of new subscribers."""
    taken = []
    while len(taken) < count:
        frames = subscriber.receive(timeout=5)
        if frames is None or frames[-1] != b"probe":
            taken.append(frames)
    return taken


def test_every_subscriber_gets_every_publication_in_order(publisher, subscribe):
    subscribers = [subscribe() for _ in range(3)]

    for number in range(200):
        publisher.publish(b"%d" % number)

    for subscriber in subscribers:
        assert take(subscriber, 200) == [[b"%d" % number] for number in range(200)]


def test_topics_reach_their_subscribers(publisher, subscribe):
    one, two = subscribe([b"one", b"all"]), subscribe([b"two", b"all"])

    publisher.publish(b"first", [b"one"])
    publisher.publish(b"second", [b"one", b"two"])
    publisher.publish(b"third", [b"all"])

    assert take(one, 3) == [
        [b"one", b"first"],
        [b"one", b"second"],
        [b"all", b"third"],
    ]
    assert take(two, 2) == [[b"two", b"second"], [b"all", b"third"]]


def test_receive_returns_none_when_nothing_came(context, publisher):
    subscriber = Subscriber(publisher.addresses[0], context=context)

    assert subscriber.receive(timeout=0.01) is None
    subscriber.close()


def test_a_time_limit_of_the_caller_passes_through(context, publisher):
    subscriber = Subscriber(publisher.addresses[0], context=context)

    with pytest.raises(TimeoutError, match="outer"), gevent.Timeout(0.01, TimeoutError("outer")):
        subscriber.receive(timeout=5)
    subscriber.close()


def test_idle_counts_from_the_last_publication(publisher, subscribe):
    now = [100.0]
    subscriber = subscribe(clock=lambda: now[0])

    now[0] = 160.0
    before = subscriber.idle
    publisher.publish(b"x")
    take(subscriber, 1)

    assert (before, subscriber.idle) == (60.0, 0.0)


def test_a_subscriber_that_does_not_read_delays_nobody(context, supervisor, publisher, subscribe):
    lazy, eager = subscribe(), subscribe()
    payload = b"x" * 10_000

    received = 0
    for _ in range(50):
        for _ in range(100):
            publisher.publish(payload, timeout=5)
        received += len(take(eager, 100))

    assert received == 5000
    assert take(lazy, 1) == [[payload]]


def test_a_subscriber_finds_a_publisher_that_came_back(context, supervisor, start_again):
    first = Publisher([endpoint("127.0.0.1", "*")], context=context, supervisor=supervisor)
    first.start()
    subscriber = Subscriber(first.addresses[0], context=context, reconnect=(10, 20))
    first.stop()
    second = start_again(lambda: Publisher(first.addresses, context=context, supervisor=supervisor))

    frames = None
    while frames is None:
        second.publish(b"again")
        frames = subscriber.receive(timeout=0.05)

    assert frames == [b"again"]
    subscriber.close()
    second.stop()


def test_a_full_queue_makes_the_caller_wait_until_there_is_room(context, supervisor):
    publisher = Publisher([endpoint("127.0.0.1", "*")], context=context, supervisor=supervisor, queue=1)
    publisher.start()
    # Nothing switches in this loop before the queue is full, so the writer takes nothing.
    publisher.publish(b"1")

    publisher.publish(b"2", timeout=5)

    assert publisher.stop(timeout=5) is True


def test_a_publisher_without_a_writer_refuses_after_its_time(context, supervisor):
    publisher = Publisher([endpoint("127.0.0.1", "*")], context=context, supervisor=supervisor, queue=1)
    publisher.publish(b"1")

    with pytest.raises(NoReply, match="queue"):
        publisher.publish(b"2", timeout=0.01)


def test_stop_sends_what_is_queued(publisher, subscribe):
    subscriber = subscribe()

    for number in range(50):
        publisher.publish(b"%d" % number)
    assert publisher.stop(timeout=5) is True

    assert take(subscriber, 50) == [[b"%d" % number] for number in range(50)]


def test_queued_publications_are_sent_before_the_greenlets_end(supervisor, publisher, subscribe):
    subscriber = subscribe([b"t"])
    topics = [b"other"] * 500 + [b"t"]
    publisher.publish(b"last", topics)

    assert publisher.drain(timeout=5)
    supervisor.stop()

    assert take(subscriber, 1) == [[b"t", b"last"]]


def test_stop_waits_for_no_writer_that_has_ended(supervisor, publisher):
    publisher.publish(b"never")
    supervisor.stop()
    began = time.monotonic()

    assert not publisher.stop(timeout=10)
    assert time.monotonic() - began < 5
