"""Wait of a job for minions accepted a moment ago."""

import itertools

import gevent
import pytest

from salt_g.master.publishing.newcomers import HOLD, ON_ITS_WAY, Newcomers
from tests.support.clocks import Clock
from tests.support.waiting import HUB_DEADLINE, hub_turns


@pytest.fixture
def clock():
    return Clock()


def is_waited_for(coming, id):
    """Return whether a job for this minion waits."""
    waiting = gevent.spawn(coming.wait, [id])
    hub_turns(3)
    has_ended = waiting.ready()
    waiting.kill()
    return not has_ended


def test_a_job_waits_until_the_new_minion_has_started(clock):
    coming = Newcomers(clock=clock)
    coming.note_pending("m1")
    waiting = gevent.spawn(coming.wait, ["m1", "m2"])
    hub_turns(3)
    assert not waiting.ready()

    coming.note_sign_in("m1")
    coming.note_started("m1")

    waiting.get(timeout=HUB_DEADLINE)


def test_only_a_minion_that_asked_lately_is_waited_for(clock):
    coming = Newcomers(clock=clock)
    coming.note_pending("m1")

    assert not is_waited_for(coming, "m2")
    assert is_waited_for(coming, "m1")
    clock.now = HOLD
    assert not is_waited_for(coming, "m1")


def test_a_sign_in_of_a_minion_that_was_pending_shortens_the_wait(clock):
    coming = Newcomers(clock=clock)
    coming.note_pending("m1")
    coming.note_sign_in("m1")
    coming.note_sign_in("m2")

    assert is_waited_for(coming, "m1") and not is_waited_for(coming, "m2")
    clock.now = ON_ITS_WAY
    assert not is_waited_for(coming, "m1")


def test_a_minion_that_never_comes_ends_the_wait():
    # Each look at this clock takes a second.
    coming = Newcomers(clock=itertools.count().__next__)
    coming.note_pending("m1")

    gevent.spawn(coming.wait, ["m1"]).get(timeout=HUB_DEADLINE)


def test_a_flood_of_pending_ids_is_forgotten_from_its_beginning(clock):
    coming = Newcomers(clock=clock, most=2)
    for id in ("m1", "m2", "m3"):
        coming.note_pending(id)

    assert [is_waited_for(coming, id) for id in ("m1", "m2", "m3")] == [False, True, True]
