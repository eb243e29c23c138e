"""Next fire time of a job."""

import datetime

import pytest

from salt_g.schedule.timing import Interval, Once, ScheduleProblem, timing_of

NOON = datetime.datetime(2026, 1, 2, 12, 0, 0)


def next_of(settings, whens=None, moment=NOON):
    return timing_of("j", settings, whens or {}).after(moment)


def test_time_elements_add_up_to_an_interval():
    assert timing_of("j", {"hours": 1, "minutes": "30", "seconds": 5}, {}) == Interval(5405)
    assert next_of({"minutes": 2}) == NOON + datetime.timedelta(minutes=2)


def test_an_interval_is_at_least_a_second():
    assert timing_of("j", {"seconds": 0}, {}) == timing_of("j", {"seconds": -5}, {}) == Interval(1)


def test_an_interval_beyond_the_calendar_never_fires():
    assert next_of({"days": 10**9}) is None


def test_once_is_once():
    assert next_of({"once": "2026-01-02T13:00:00"}) == NOON.replace(hour=13)
    assert next_of({"once": "2026-01-02T12:00:00"}) is None
    assert next_of({"once": "13h", "once_fmt": "%Hh"}) is None
    assert isinstance(timing_of("j", {"once": NOON}, {}), Once)


def test_of_several_times_the_next_one_comes_also_tomorrow():
    assert next_of({"when": ["11:00am", "1:30pm"]}) == NOON.replace(hour=13, minute=30)
    assert next_of({"when": "11:00am"}) == datetime.datetime(2026, 1, 3, 11, 0)
    assert next_of({"when": "2026-01-02T11:00:00"}) is None


def test_named_times_are_looked_up():
    assert next_of({"when": "tea"}, {"tea": "5:00pm"}) == NOON.replace(hour=17)


def test_crontab_expressions_are_followed():
    assert next_of({"cron": "*/15 * * * *"}) == NOON.replace(minute=15)


def test_without_a_time_there_is_no_timing():
    assert timing_of("j", {"function": "test.ping"}, {}) is None


@pytest.mark.parametrize(
    "settings",
    [
        {"when": "1:00pm", "cron": "* * * * *"},
        {"once": "2026-01-02T13:00:00", "seconds": 5},
        {"seconds": "often"},
        {"seconds": None},
        {"seconds": float("inf")},
        {"once": "soon"},
        {"once": 5},
        {"when": "teatime"},
        {"when": [None]},
        {"cron": "every day"},
        {"cron": "0 0 30 2 *"},
        {"cron": 5},
    ],
    ids=str,
)
def test_an_invalid_time_is_a_problem_of_its_job(settings):
    with pytest.raises(ScheduleProblem, match="Ignoring"):
        timing_of("j", settings, {})
