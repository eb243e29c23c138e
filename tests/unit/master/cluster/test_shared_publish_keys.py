"""Publish key of a cluster, as this master reads it from the database."""

import threading

import gevent
import pytest

from salt_g.cluster.sealing import Sealing
from salt_g.cluster.tables import Joined
from salt_g.master.cluster.shared_publish_keys import SharedPublishKeys
from salt_g.wire.aes import Crypticle


class SlowKey:
    """Key pair of a master whose signing can be held back."""

    def __init__(self, key):
        self._key = key
        self.may_sign = threading.Event()
        self.may_sign.set()

    def sign_recoverable(self, data):
        self.may_sign.wait(10)
        return self._key.sign_recoverable(data)


class Database:
    """Database row with the counter."""

    row: tuple = ()

    def read(self, sql):
        return [self.row]


@pytest.fixture
def sealing(master_key):
    return Sealing(master_key)


def test_a_generation_never_goes_with_the_key_of_another(master_key, sealing):
    first, second = Crypticle.generate(), Crypticle.generate()
    key, database = SlowKey(master_key), Database()
    joined = Joined(None, 0, 1, sealing.seal(first.text), "")
    keys = SharedPublishKeys(key, database, sealing, joined)
    database.row = (0, 2, sealing.seal(second.text), "")

    key.may_sign.clear()
    adopting = gevent.spawn(keys.adopt)
    gevent.idle()
    # While the key is signed, a minion signs in, and a job is published.
    assert not adopting.ready()
    assert (keys.generation, keys.current().crypticle.text) == (1, first.text)

    key.may_sign.set()
    assert adopting.get(timeout=10)
    assert (keys.generation, keys.current().crypticle.text) == (2, second.text)
    assert keys.previous[0].text == first.text


def test_an_older_key_is_not_adopted(master_key, sealing):
    first = Crypticle.generate()
    database = Database()
    keys = SharedPublishKeys(master_key, database, sealing, Joined(None, 0, 3, sealing.seal(first.text), ""))
    database.row = (0, 3, sealing.seal(Crypticle.generate().text), "")

    assert not keys.adopt()
    assert keys.current().crypticle.text == first.text
