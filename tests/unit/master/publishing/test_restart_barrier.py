"""Wait of a job for reconnecting minions after a start."""

import collections
import types

import pytest

from salt_g.master.publishing.restart_barrier import (
    HOLD,
    LOOK_ELSEWHERE,
    NEW,
    ON_ITS_WAY,
    RECENT,
    RestartBarrier,
)
from tests.support.clocks import Clock


class Banks:
    def __init__(self, kept):
        self.kept = kept
        self.new = {}

    def fetch(self, bank, key):
        return self.kept

    def list_all(self, bank):
        return dict(self.new)

    def store(self, bank, key, value):
        if bank == NEW:
            self.new[key] = value
        else:
            self.kept = value

    def flush(self, bank):
        self.new.clear()


def no_question(ids):
    raise AssertionError(f"asked: {ids}")


class Presence:
    def __init__(self):
        self.open = collections.Counter()
        self.there = {}

    def connections(self):
        return self.open

    def addresses(self):
        return self.there


@pytest.fixture
def clock():
    return Clock(1000.0)


@pytest.fixture
def restarted(clock):
    """Return a function that restarts a master after an absence (s); minions a and b were connected."""

    def make(away_for, elsewhere=tuple):
        banks = Banks(
            {"at": 5000.0 - away_for, "addresses": {"a": "10.0.0.1", "b": "10.0.0.2", "c": "10.0.0.2"}}
        )
        presence = Presence()
        one = RestartBarrier(banks, {}, presence, clock=clock, moment=lambda: 5000.0, elsewhere=elsewhere)
        one.begin()
        one.banks, one.presence = banks, presence
        return one

    return make


def test_only_targeted_minions_that_were_connected_are_waited_for(restarted):
    one = restarted(1.0)
    one.presence.open["10.0.0.1"] = 1

    assert one.is_waited_for(["a"]) is False
    assert one.is_waited_for(["never"]) is False
    assert one.is_waited_for(["a", "b"]) is True


def test_minions_that_came_to_another_master_are_not_waited_for(restarted, clock):
    others, looks = set(), []

    def elsewhere():
        looks.append(clock())
        return set(others)

    one = restarted(1.0, elsewhere)
    assert one.is_waited_for(["a"]) is True
    assert looks == []

    others.update("ab")
    clock.now += LOOK_ELSEWHERE
    assert one.is_waited_for(["a"]) is False
    assert one.is_waited_for(["b"]) is False
    # One of its address is enough now.
    assert one.is_waited_for(["c"]) is True
    one.presence.open["10.0.0.2"] = 1
    assert one.is_waited_for(["c"]) is False
    assert len(looks) == 1


def test_all_previously_connected_minions_are_waited_for(restarted, monkeypatch):
    one = restarted(1.0)
    looks = []

    def come_back(seconds):
        looks.append(one.is_waited_for(["a"]))
        one.presence.open.update({"10.0.0.1": 1, "10.0.0.2": 1})

    monkeypatch.setattr("gevent.sleep", come_back)
    one.wait_for_all()

    assert (looks[0], one.is_waited_for(["a", "b", "c"])) == (True, False)


def test_minions_are_awaited_for_a_limited_time(restarted, clock):
    one = restarted(1.0)
    clock.now += HOLD

    assert one.is_waited_for(["b"]) is False


def test_a_master_that_was_away_for_long_waits_for_no_minion(restarted):
    assert restarted(RECENT + 1).is_waited_for(["a", "b"]) is False


def test_connected_minions_are_saved_at_the_end_with_the_time(restarted, clock):
    one = restarted(1.0)
    clock.now += HOLD
    one.presence.there = {"a": "10.0.0.1"}

    one.note_at_the_end()

    assert one.banks.kept == {"at": 5000.0, "addresses": {"a": "10.0.0.1"}}


def test_each_minion_at_a_shared_address_is_asked_once_while_one_is_missing(restarted, clock):
    one = restarted(1.0)
    one.presence.open["10.0.0.2"] = 1
    queried = []
    one.note(ask=queried.extend)
    assert queried == []

    clock.now += HOLD
    one.note(ask=queried.extend)
    one.note(ask=queried.extend)

    assert queried == ["b", "c"]


@pytest.fixture
def newcomers(clock):
    """Return a master without connected minions, with sessions of the minions a and b."""
    sessions = {id: types.SimpleNamespace(address="10.0.0.1", note=lambda *_: None) for id in "ab"}
    one = RestartBarrier(Banks({}), sessions, Presence(), clock=clock, moment=lambda: 5000.0)
    one.banks, one.presence, one.sessions = one._banks, one._presence, sessions
    one.begin()
    return one


def test_a_master_killed_right_after_a_minion_came_waits_for_it(newcomers, clock):
    newcomers.note_sign_in("a")

    again = RestartBarrier(
        newcomers.banks, newcomers.sessions, Presence(), clock=clock, moment=lambda: 5001.0
    )
    again.begin()

    assert again.is_waited_for(["a"]) is True
    assert again.is_waited_for(["b"]) is False


def test_a_repeated_sign_in_from_the_same_address_is_saved_once(newcomers):
    newcomers.note_sign_in("a")
    newcomers.banks.new.clear()

    newcomers.note_sign_in("a")
    assert newcomers.banks.new == {}

    newcomers.sessions["a"].address = "10.0.0.9"
    newcomers.note_sign_in("a")
    assert newcomers.banks.new["a"]["address"] == "10.0.0.9"


def test_a_newcomer_stays_saved_until_it_could_have_connected(newcomers, clock):
    newcomers.note_sign_in("a")
    clock.now += ON_ITS_WAY / 2
    newcomers.note(ask=no_question)

    assert (newcomers.banks.kept["addresses"], newcomers.banks.new) == ({"a": "10.0.0.1"}, {})

    clock.now += ON_ITS_WAY
    newcomers.note(ask=no_question)
    assert newcomers.banks.kept["addresses"] == {}


def test_a_connected_minion_is_saved_with_its_address(newcomers, clock):
    newcomers.note_sign_in("a")
    newcomers.presence.there = {"a": "10.0.0.1"}
    clock.now += ON_ITS_WAY * 2

    newcomers.note(ask=no_question)

    assert (newcomers.banks.kept["addresses"], newcomers.banks.new) == ({"a": "10.0.0.1"}, {})
