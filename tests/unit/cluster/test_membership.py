"""Membership of a master in its cluster: the members that must know a change before it takes effect."""

import pytest

from salt_g.cluster import tables
from salt_g.cluster.membership import FORGET_AFTER, LOOK_AT_WRITE, REFUSE, Membership
from salt_g.cluster.observed_beats import Member
from salt_g.errors import StoreError
from tests.support.clocks import Clock


class Store:
    """Store with members, and successive answers about what they have read."""

    path = "db1"
    committed_at = 0.0

    def __init__(self, members, *positions):
        self.members, self.positions = members, list(positions)

    def read(self, sql, values=()):
        if sql == tables.MEMBERS:
            return self.members
        assert sql == tables.POSITIONS
        return self.positions.pop(0)


def test_a_change_waits_for_a_master_that_has_joined_a_moment_ago():
    store = Store([Member("a", 0, 1, 5), Member("b", 1, 2, 0)], [], [("b", 6)], [("b", 7)])

    Membership(store, "a", None).wait_until_read(7)

    assert store.positions == []


def test_a_change_does_not_wait_for_a_master_that_left():
    store = Store([Member("a", 0, 1, 5)], [("gone", 1)])

    Membership(store, "a", None).wait_until_read(7)

    assert store.positions == []


def test_jobs_are_taken_while_any_write_succeeds_and_refused_when_none_does():
    clock, store = Clock(100.0), Store([])
    membership = Membership(store, "a", None, clock=clock)
    clock.now, store.committed_at = 110.0, 109.0
    membership.check_jobs()

    clock.now = 109.1 + REFUSE
    with pytest.raises(StoreError, match="has been unreachable for 2 s; no job is accepted until it answers"):
        membership.check_jobs()


def test_a_write_does_not_stand_for_a_beat():
    clock, store = Clock(100.0), Store([])
    membership = Membership(store, "a", None, clock=clock)
    clock.now, store.committed_at = 110.0, 110.0

    with pytest.raises(StoreError, match="keys of minions may have changed"):
        membership.check_lease()


class Write:
    """Write that completes when `clock` reaches `at`; `result` advances the clock by its timeout."""

    def __init__(self, clock, at):
        self.clock, self.at = clock, at

    def result(self, timeout):
        self.clock.now += timeout
        if self.clock.now < self.at:
            raise TimeoutError
        return 7


@pytest.fixture
def waiting():
    """Return a function that returns the result of a write, and its time.

    The write is confirmed at `at` and requested at 100.
    """

    def wait(at, committed_at=100.0, withdraw=lambda: True):
        clock, store = Clock(100.0), Store([])
        store.committed_at = committed_at
        membership = Membership(store, "a", None, clock=clock)
        try:
            return membership.outcome(Write(clock, at), withdraw), clock.now
        except StoreError as exc:
            return str(exc), clock.now

    return wait


def test_a_job_is_refused_when_the_database_confirms_nothing(waiting):
    message, at = waiting(1000.0)

    assert "has been unreachable for 2 s; no job is accepted until it answers" in message
    assert at - 100.0 <= REFUSE + LOOK_AT_WRITE


def test_a_job_waits_for_a_database_that_confirms_other_writes(waiting):
    assert waiting(109.0, committed_at=108.0) == (7, 109.0)


def test_a_write_that_has_begun_is_waited_for(waiting):
    assert waiting(109.0, withdraw=lambda: False) == (7, 109.0)
    message, _ = waiting(1000.0, withdraw=lambda: False)
    assert "has not confirmed the job for 20 s; it may still be run" in message


class BeatStore:
    """Store that confirms each beat, and records writes about minions."""

    path, committed_at = "db1", 0.0

    def __init__(self):
        self.written = []
        self.beats = 0
        self.is_forgotten = False
        self.leader = []

    def write(self, operation, item):
        if operation is tables.CHECK_IN and self.is_forgotten:
            return Result(None)
        if operation is tables.CHECK_IN:
            self.beats += 1
            return Result(self.beats)
        if operation in (tables.NOTE_CONNECTED, tables.FORGET_LEFT, tables.FORGET_FORMER):
            self.written.append((operation, item))
        return Result(True)

    def read(self, sql, values=()):
        return self.leader if sql == tables.LEADER else []


class Result:
    def __init__(self, value):
        self.value = value

    def result(self, timeout=None):
        return self.value


def test_minions_that_left_are_forgotten_after_a_time_each():
    store = BeatStore()
    membership = Membership(store, "a", None)
    for connected in ({"m1": "::1", "m2": "::1"}, {"m2": "::1"}):
        membership.beat(connected)
    for _ in range(10):
        membership.beat({"m2": "::1"})
    membership.beat({})
    noted = [item for operation, item in store.written if operation is tables.NOTE_CONNECTED]
    assert noted == [("a", 0, {"m1": "::1", "m2": "::1"}, []), ("a", 0, {}, ["m1"]), ("a", 0, {}, ["m2"])]

    store.written.clear()
    forgotten = {}
    for turn in range(store.beats, 2 * FORGET_AFTER):
        membership.beat({})
        forgotten |= {item[1][0]: turn for operation, item in store.written if item[1]}
        store.written.clear()

    assert sorted(forgotten) == ["m1", "m2"]
    assert forgotten["m2"] - forgotten["m1"] == 11


def test_a_master_that_was_forgotten_logs_it_once_and_fails_every_check(caplog):
    clock, store = Clock(100.0), BeatStore()
    membership = Membership(store, "a", None, clock=clock)
    membership.try_to_beat(dict)
    membership.check_lease()
    store.is_forgotten = True

    for _ in range(3):
        clock.now += 5
        membership.try_to_beat(dict)

    errors = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert len(errors) == 1
    assert errors[0].startswith("store db1: has no place for this master any more: it was forgotten, or")
    for check in (membership.check_lease, membership.check_jobs):
        with pytest.raises(StoreError, match="no place for this master any more: it was forgotten, or"):
            check()


@pytest.mark.parametrize("beats", [-100, -1, 0])
def test_a_count_that_went_back_means_that_the_database_has_lost_commits(caplog, beats):
    store = BeatStore()
    membership = Membership(store, "a", None)
    membership.beat({})
    membership.beat({})
    store.beats = beats

    membership.beat({})

    assert membership._lost.get(block=False) == f"beat {beats + 1} of this master came after 2"
    assert "no place" not in caplog.text


@pytest.mark.parametrize(("holder", "leads"), [("", True), ("b", False)])
def test_a_lead_without_holder_is_taken_at_once(holder, leads):
    store = BeatStore()
    store.leader = [(holder, 3, 7)]
    membership = Membership(store, "a", None)

    membership.beat({})

    assert membership.is_leader() is leads
    assert membership.led_epoch == (4 if leads else 0)
