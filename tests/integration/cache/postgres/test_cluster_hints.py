"""Hints between masters of a cluster, sent through the database server."""

import gevent
import gevent.event
import gevent.queue
import pytest

from salt_g.cache.postgres.store import PostgresStore
from salt_g.cluster.log import Log
from salt_g.cluster.membership import Membership
from salt_g.cluster.sealing import Sealing
from salt_g.wire.rsa import PrivateKey

#: Time limit for a hint (s).
SOON = 10


class Noted:
    """Received hints: whether each can wait."""

    def __init__(self):
        self.all = gevent.queue.Queue()

    def give(self, *, can_wait=False):
        self.all.put(can_wait)


@pytest.fixture
def join(postgres_url):
    """Yield a function that starts the log of a master; it returns the log and the received hints."""
    stores, greenlets = [], []

    def start(member):
        store = PostgresStore(postgres_url, member=member)
        store.start()
        stores.append(store)
        log = Log(store, postgres_url, Membership(store, member, Sealing(PrivateKey.generate())))
        log._hints = Noted()
        store.read("SELECT 1")
        greenlets.extend(gevent.spawn(run) for run in (log.listen, log.ring_when_asked))
        hints = log._hints.all
        # Until it listens a notification is lost. The last of them that comes is the one that can wait.
        while hints.empty():
            store.read("SELECT pg_notify('salt_g', '')")
            gevent.idle()
        store.read("SELECT pg_notify('salt_g', 'returns ')")
        while not hints.get(timeout=SOON):
            pass
        return log, hints

    yield start
    gevent.killall(greenlets)
    for store in stores:
        store.stop()


def test_a_master_receives_hints_of_others_and_whether_they_can_wait(join):
    (one, _), (_, hints) = join("a"), join("b")

    one.ring_for_returns(1)
    assert hints.get(timeout=SOON) is True
    one.ring()
    assert hints.get(timeout=SOON) is False


def test_a_master_does_not_receive_its_own_hints(join):
    (one, before), (other, hints) = join("a"), join("b")

    other.ring_for_returns(1)
    # Its own one came before, if at all, and was urgent.
    while not before.get(timeout=SOON):
        pass
    assert hints.empty()

    other.ring()
    while before.get(timeout=SOON):
        pass
    # The loop of a master that gives one is woken without the server.
    assert [hints.get(), hints.empty()] == [False, True]
    one.ring_for_returns(1)
    assert hints.get(timeout=SOON) is True
