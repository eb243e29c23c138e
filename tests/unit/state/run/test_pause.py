"""Runs that are paused, resumed and stopped through a file."""

import os

import pytest

from salt_g.state.run.pause import POLL_INTERVAL, Pauses

JID = "20260101000000000000"


class Clock:
    """Time that passes only by sleeping; `then(n, call)` calls during the n-th sleep (from 1)."""

    def __init__(self):
        self.now, self.slept, self.calls = 100.0, 0, {}

    def then(self, number, call):
        self.calls[number] = call

    def sleep(self, seconds):
        self.slept += 1
        self.now += seconds
        self.calls.pop(self.slept, lambda: None)()
        assert self.slept < 50, "waits for ever"

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def pauses(tmp_path):
    return Pauses(str(tmp_path / "cache"))


@pytest.fixture
def may_run(pauses, clock):
    return lambda state_id="a": pauses.may_run(JID, state_id, sleep=clock.sleep, clock=clock)


def test_a_run_without_pauses_goes_on_at_once(may_run, clock):
    assert may_run() is True
    assert clock.slept == 0


def test_a_paused_state_waits_until_it_is_resumed(pauses, may_run, clock):
    pauses.pause(JID, "a")
    clock.then(3, lambda: pauses.resume(JID, "a"))

    assert may_run("b") is True
    assert may_run("a") is True
    assert clock.slept == 3


def test_a_pause_of_a_duration_ends_by_itself(pauses, may_run, clock):
    pauses.pause(JID, "a", duration=5)

    assert may_run() is True
    assert clock.slept == 5 / POLL_INTERVAL + 1


def test_a_killed_run_ends_before_the_next_state(pauses, may_run, clock):
    pauses.pause(JID)
    clock.then(2, lambda: pauses.kill(JID))

    assert may_run("any") is False
    assert clock.slept == 2


def test_an_entry_of_a_state_counts_before_that_of_all(pauses, may_run, clock):
    pauses.kill(JID)
    pauses.pause(JID, "a", duration=1)

    assert may_run("a") is True
    assert may_run("b") is False


def test_resuming_one_state_leaves_the_others_and_resuming_all_leaves_none(pauses):
    pauses.pause(JID, "a")
    pauses.pause(JID, "b", duration=3)
    pauses.kill(JID, "b")

    pauses.resume(JID, "a")
    assert pauses.read(JID) == {"b": {"duration": 3, "kill": True}}

    pauses.resume(JID)
    assert pauses.read(JID) == {}


def test_an_unreadable_file_pauses_no_run(pauses, may_run, tmp_path, caplog):
    pauses.pause(JID, "a")
    (tmp_path / "cache" / "state_pause" / JID).write_bytes(b"\x82")

    assert may_run() is True
    assert "cannot read the pause file" in caplog.text


def test_pauses_stay_in_their_folder_and_go_with_their_run(pauses, tmp_path):
    assert pauses.jids() == []
    pauses.pause("../../../x")
    pauses.pause(JID)

    assert pauses.jids() == [JID, "x"]
    assert os.stat(tmp_path / "cache" / "state_pause").st_mode & 0o077 == 0
    pauses.forget(JID)
    pauses.forget(JID)
    assert pauses.jids() == ["x"]
