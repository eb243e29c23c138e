"""One scheduled job between two checks of the clock: when it fires, and reasons against it."""

import datetime

import pytest

from salt_g.schedule.job import GRACE, Due, ScheduledJob, ScheduleRules

NOON = datetime.datetime(2026, 1, 2, 12, 0, 0)
SECOND = datetime.timedelta(seconds=1)


def rules(**settings):
    return ScheduleRules(
        **{"loop": SECOND, "draw": lambda low, high: high, "running": lambda name: 0, **settings}
    )


def job(**settings):
    return ScheduledJob("j", {"function": "test.ping", **settings}, {})


def shown(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%S")


@pytest.mark.parametrize("name", ["function", "func", "fun"])
def test_the_function_has_any_of_three_names(name):
    assert ScheduledJob("j", {name: "test.version", "seconds": 5}, {}).fun == "test.version"


def test_a_job_without_a_function_is_reported_and_never_runs(caplog):
    one = ScheduledJob("j", {"seconds": 5}, {})

    assert (one.poll(NOON, rules()), one.fires_after(NOON, rules())) == (None, None)
    assert one.status()["_error"] == "Invalid function: None in scheduled job j."
    assert caplog.messages == ["schedule: Invalid function: None in scheduled job j."]


def test_the_status_has_the_settings_and_the_state():
    one = job(seconds=60, splay=7)

    one.poll(NOON, rules())

    assert one.status() == {
        **{"name": "j", "function": "test.ping", "seconds": 60, "splay": 7, "jid_include": True},
        **{"maxrunning": 1, "_seconds": 60, "_last_run": NOON},
        **{"_next_fire_time": NOON + 60 * SECOND, "_splay": NOON + 67 * SECOND},
    }


def test_a_run_reports_how_late_it_is():
    one = job(seconds=60, run_on_start=False)
    assert one.poll(NOON, rules()) is None

    assert one.poll(NOON + 59 * SECOND, rules()) is None
    assert one.poll(NOON + 63 * SECOND, rules()) == Due("j", "test.ping", one.settings, 3.0)


def test_a_fixed_time_within_the_grace_runs_late_and_one_before_it_is_missed():
    def after(pause):
        one = job(when="12:00pm")
        one.poll(NOON - 10 * SECOND, rules())
        return one.poll(NOON + pause, rules())

    assert (after(GRACE).late, after(GRACE + SECOND)) == (60.0, None)


def test_a_job_by_hand_respects_maxrunning_only():
    crowd = rules(running=lambda name: {"j": 2}[name])

    assert job(seconds=60, enabled=False).forced(NOON, rules()).fun == "test.ping"
    assert job(seconds=60, maxrunning=3).forced(NOON, crowd).fun == "test.ping"
    full = job(seconds=60, maxrunning="2")
    assert full.forced(NOON, crowd) is None
    assert (full.status()["_skip_reason"], full.status()["_skipped_time"]) == ("maxrunning", NOON)


def test_a_job_by_hand_whose_settings_are_wrong_does_not_run():
    one = job(seconds=60, maxrunning="many")

    assert one.forced(NOON, rules()) is None
    assert one.status()["_error"] == "Invalid maxrunning 'many'. Ignoring job j."


def test_a_time_to_skip_is_skipped_and_the_next_one_is_not():
    one = job(seconds=60, run_on_start=False)
    one.poll(NOON, rules())
    one.add_explicit("skip_explicit", shown(NOON + 60 * SECOND), "%Y-%m-%dT%H:%M:%S")

    assert one.poll(NOON + 60 * SECOND, rules()) is None
    assert one.status()["_skip_reason"] == "skip_explicit"
    assert one.poll(NOON + 120 * SECOND, rules()) is not None
    assert "_skip_reason" not in one.status()


@pytest.mark.parametrize("before", [{}, {"run_explicit": None}, {"run_explicit": []}])
def test_a_time_to_run_at_is_used_once(before):
    one = job(when="6:00pm", **before)
    one.poll(NOON, rules())
    one.add_explicit("run_explicit", shown(NOON + 5 * SECOND), "%Y-%m-%dT%H:%M:%S")

    found = [one.poll(NOON + step * SECOND, rules()) for step in (4, 5, 6)]

    assert [due is not None for due in found] == [False, True, False]
    assert (one.settings["run_explicit"], one.next_fire) == ([], NOON.replace(hour=18))


@pytest.mark.parametrize("before", [{}, {"run_explicit": None}])
def test_a_run_in_a_skipped_range_comes_right_after_it(before):
    quiet = {"start": "11:00am", "end": "12:01pm"}
    one = job(seconds=30, run_on_start=False, skip_during_range=quiet, run_after_skip_range=True, **before)
    one.poll(NOON, rules())

    assert one.poll(NOON + 30 * SECOND, rules()) is None
    assert one.poll(NOON + 60 * SECOND, rules()) is None

    assert one.settings["run_explicit"] == [{"time": "2026-01-02T12:01:01", "time_fmt": "%Y-%m-%dT%H:%M:%S"}]
    assert one.poll(NOON + 61 * SECOND, rules()) is not None


def test_a_note_for_a_job_whose_settings_are_wrong_is_not_kept():
    one = job(seconds=60, skip_explicit="tomorrow")

    one.add_explicit("skip_explicit", shown(NOON), "%Y-%m-%dT%H:%M:%S")

    assert one.settings["skip_explicit"] == "tomorrow"


def test_settings_that_differ_only_in_notes_are_the_same():
    one = job(seconds=60)
    one.add_explicit("skip_explicit", shown(NOON), "%H")

    assert one.has_settings({"function": "test.ping", "seconds": 60})
    assert one.settings["skip_explicit"] == [{"time": shown(NOON), "time_fmt": "%H"}]
    assert not one.has_settings({"function": "test.ping", "seconds": 61})
