"""Pace of live steps: few minions send often, many together not more."""

import pytest

from salt_g.master.serving import step_pace
from salt_g.master.serving.step_pace import WINDOW, StepPace
from salt_g.report.step_feed import INTERVAL


@pytest.fixture
def clock():
    return [1000.0]


@pytest.fixture
def pace(clock):
    return StepPace(clock=lambda: clock[0])


def test_few_minions_send_as_often_as_they_may(pace):
    assert [pace.pause_of(f"m{number % 20}") for number in range(100)] == [INTERVAL] * 100


def test_many_minions_share_what_the_master_takes(pace, clock):
    for number in range(1000):
        pace.pause_of(f"m{number}")
    clock[0] += WINDOW

    assert pace.pause_of("m1") == 5.0


def test_minions_that_have_ended_are_forgotten(pace, clock):
    for number in range(1000):
        pace.pause_of(f"m{number}")
    clock[0] += WINDOW
    pace.pause_of("m1")
    clock[0] += WINDOW
    assert pace.pause_of("m1") == INTERVAL


def test_a_quiet_time_forgets_all(pace, clock):
    for number in range(1000):
        pace.pause_of(f"m{number}")
    clock[0] += 3 * WINDOW

    assert pace.pause_of("m1") == INTERVAL


def test_pauses_and_counted_minions_are_bounded(pace, monkeypatch):
    monkeypatch.setattr(step_pace, "MAX_IDS", 4000)

    assert max(pace.pause_of(f"m{number}") for number in range(9000)) == WINDOW
    assert len(pace._now) == 4000
