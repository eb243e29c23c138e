"""Conditions under which a due job must not run."""

import datetime

import pytest

from salt_g.schedule.conditions import Moment, end_of_skipped_range, explicit_moment, why_not
from salt_g.schedule.timing import ScheduleProblem

NOON = datetime.datetime(2026, 1, 2, 12, 0, 0)


def at(now=NOON, due=None):
    return Moment("j", now, due or now, datetime.timedelta(seconds=1))


def between(start, end, **more):
    return {"start": f"2026-01-02T{start}:00", "end": f"2026-01-02T{end}:00", **more}


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({}, ""),
        ({"range": between("11:00", "13:00")}, ""),
        ({"range": between("12:00", "13:00")}, ""),
        ({"range": between("13:00", "14:00")}, "not_in_range"),
        ({"range": between("11:00", "13:00", invert=True)}, "in_skip_range"),
        ({"range": between("13:00", "14:00", invert=True)}, ""),
        ({"skip_during_range": between("11:00", "13:00")}, "in_skip_range"),
        ({"skip_during_range": between("13:00", "14:00")}, ""),
        ({"until": "2026-01-02T12:00:00"}, "until_passed"),
        ({"until": "2026-01-02T12:00:01"}, ""),
        ({"after": "2026-01-02T12:00:00"}, "after_not_passed"),
        ({"after": "2026-01-02T11:59:59"}, ""),
        ({"skip_explicit": [{"time": "2026-01-02T12:00:00"}]}, "skip_explicit"),
        ({"skip_explicit": [{"time": "2026-01-02T13:00:00"}]}, ""),
        ({"range": between("11:00", "13:00"), "until": "2026-01-01T00:00:00"}, "until_passed"),
    ],
    ids=str,
)
def test_each_setting_has_its_reason(settings, reason):
    assert why_not(settings, at()) == reason


def test_a_skipped_time_counts_by_the_clock_or_by_when_it_was_due():
    skipped = {"skip_explicit": [{"time": "2026-01-02T12:00:00"}]}
    late = NOON + datetime.timedelta(minutes=5)

    assert why_not(skipped, at(late, due=NOON)) == "skip_explicit"
    assert why_not(skipped, at(late)) == ""


@pytest.mark.parametrize(
    "settings",
    [
        {"range": "11:00"},
        {"range": {"start": "11:00"}},
        {"range": between("13:00", "11:00")},
        {"range": between("12:00", "12:00")},
        {"skip_during_range": between("xx", "11:00")},
        {"until": "some day"},
        {"after": {"a": 1}},
        {"skip_explicit": [{"time": "noon"}]},
        {"skip_explicit": [5]},
    ],
    ids=str,
)
def test_a_malformed_setting_is_a_problem_of_its_job(settings):
    with pytest.raises(ScheduleProblem, match="Ignoring job j"):
        why_not(settings, at())


def test_a_skipped_range_ends_with_the_next_look():
    end = end_of_skipped_range({"skip_during_range": between("11:00", "13:00")}, at())

    assert end == datetime.datetime(2026, 1, 2, 13, 0, 1)


def test_times_given_by_hand_have_a_form():
    assert explicit_moment({"time": "02.01.2026 12:00", "time_fmt": "%d.%m.%Y %H:%M"}, "j") == NOON
    assert explicit_moment(NOON, "j") == NOON
