"""A subscriber connected to a plain PUB socket: its topics, its time limits, its connection."""

import gevent
import pytest
import zmq.green as zmq

from salt_g.transport.subscriber import Subscriber
from salt_g.transport.zeromq import GreenContext
from tests.support.waiting import hub_until


@pytest.fixture
def context():
    made = GreenContext()
    yield made
    made.destroy(0)


@pytest.fixture
def master(context):
    """Return an XPUB socket, which reports subscriptions."""
    made = context.socket(zmq.XPUB)
    made.bind("tcp://127.0.0.1:*")
    return made


@pytest.fixture
def subscribe(context, master):
    """Yield a function that connects a subscriber to the socket."""
    made = []

    def build(**settings):
        address = master.getsockopt(zmq.LAST_ENDPOINT).decode()
        made.append(Subscriber(address, context=context, **settings))
        return made[-1]

    yield build
    for subscriber in made:
        subscriber.close()


def test_only_subscribed_topics_arrive(master, subscribe):
    subscriber = subscribe(topics=(b"one", b"two"))
    assert {master.recv(), master.recv()} == {b"\1one", b"\1two"}

    for topic in (b"three", b"two", b"one"):
        master.send_multipart([topic, b"body"])

    assert [subscriber.receive(timeout=20) for _ in range(2)] == [[b"two", b"body"], [b"one", b"body"]]
    assert subscriber.receive(timeout=0.01) is None


def test_the_time_without_a_publication_counts_from_the_last_one(master, subscribe):
    now = [100.0]
    subscriber = subscribe(clock=lambda: now[0])
    master.recv()
    now[0] = 107.0
    assert subscriber.idle == 7.0

    assert subscriber.receive(timeout=0.01) is None
    assert subscriber.idle == 7.0
    master.send(b"body")
    subscriber.receive(timeout=20)
    assert subscriber.idle == 0.0


def test_a_connection_is_noticed_and_so_is_its_end(master, subscribe):
    subscriber = subscribe()

    assert subscriber.wait_up(timeout=20) and subscriber.is_up
    master.close(0)

    hub_until(lambda: not subscriber.is_up)


def test_a_missing_master_is_not_up_in_time(context):
    subscriber = Subscriber("tcp://127.0.0.1:1", context=context)

    assert (subscriber.wait_up(timeout=0.01), subscriber.is_up) == (False, False)
    subscriber.close()


@pytest.mark.parametrize("wait", ["receive", "wait_up"])
def test_the_time_limit_of_a_caller_passes_through(context, wait):
    subscriber = Subscriber("tcp://127.0.0.1:1", context=context)

    with pytest.raises(gevent.Timeout) as raised, gevent.Timeout(0.01) as limit:
        getattr(subscriber, wait)(timeout=50)

    assert raised.value is limit
    subscriber.close()


def test_the_pause_before_a_reconnection_is_drawn_from_the_settings(subscribe):
    drawn = []

    subscriber = subscribe(reconnect=(500, 2000), draw=lambda low, high: drawn.append((low, high)) or 700)

    assert drawn == [(500, 2500)]
    assert subscriber._socket.getsockopt(zmq.RECONNECT_IVL) == 700
    assert subscriber._socket.getsockopt(zmq.RECONNECT_IVL_MAX) == 2000
