"""Hints for a loop, gathered while it has much to do."""

import gevent
import pytest

from salt_g.cluster import hints
from salt_g.cluster.hints import MUCH, Hints

#: Time limit for what happens at once.
SOON = 5


@pytest.fixture
def wait():
    """Yield a function that starts a greenlet that waits for hints.

    It returns once the greenlet follows them.
    """
    begun = []

    def begin(one):
        begun.append(gevent.spawn(one.wait))
        gevent.idle()
        return begun[-1]

    yield begin
    gevent.killall(begun)


def test_a_hint_is_followed_at_once_when_there_is_little_to_do(wait):
    one = Hints()
    one.note_found(MUCH - 1)
    waiting = wait(one)

    one.give(can_wait=True)

    waiting.get(timeout=SOON)


def test_hints_that_can_wait_are_gathered_while_there_is_much_to_do(wait, monkeypatch):
    monkeypatch.setattr(hints, "PAUSE", 1000)
    one = Hints()
    one.note_found(MUCH)
    waiting = wait(one)

    one.give(can_wait=True)
    gevent.idle()
    assert not waiting.ready()

    one.give()
    waiting.get(timeout=SOON)


def test_gathering_ends(wait):
    one = Hints()
    one.note_found(MUCH)
    waiting = wait(one)

    one.give(can_wait=True)

    waiting.get(timeout=SOON)


def test_hints_of_before_are_forgotten_when_they_are_followed(wait):
    one = Hints()
    one.give()
    one.give(can_wait=True)
    assert one.wait() is True

    assert not wait(one).ready()


def test_hints_that_can_wait_are_not_urgent():
    one = Hints()
    one.give(can_wait=True)

    assert one.wait() is False
