"""The schedule, with a manual clock."""

import datetime

import pytest

from salt_g.schedule import Schedule

START = datetime.datetime(2026, 11, 20, 12, 0, 0)
MINUTE = datetime.timedelta(minutes=1)


def at(seconds=0, **parts):
    return START + datetime.timedelta(seconds=seconds, **parts)


def names(schedule, now):
    return [due.name for due in schedule.due(now)]


def runs(schedule, until, *, step=1.0, begin=START):
    """Check the clock every `step` seconds; return when something was due, in seconds from the start."""
    found = []
    now = begin
    while now <= until:
        found += [(now - START).total_seconds() for _ in schedule.due(now)]
        now += datetime.timedelta(seconds=step)
    return found


def job(**settings):
    return {"j": {"function": "test.ping", **settings}}


def test_an_interval_runs_at_the_start_and_then_every_so_often():
    schedule = Schedule(job(seconds=10))

    assert runs(schedule, at(25)) == [0, 10, 20]


def test_time_elements_add_up():
    schedule = Schedule(job(minutes=1, seconds=30, run_on_start=False))

    assert runs(schedule, at(200)) == [90, 180]


def test_an_interval_that_was_slept_through_runs_once_and_goes_on_from_there():
    schedule = Schedule(job(seconds=10, run_on_start=False))
    schedule.due(at(0))

    assert names(schedule, at(95)) == ["j"]
    assert names(schedule, at(100)) == []
    assert names(schedule, at(105)) == ["j"]


def test_an_interval_keeps_its_rhythm_when_the_clock_is_set_back():
    schedule = Schedule(job(seconds=10))
    runs(schedule, at(12))

    again = runs(schedule, at(-3600 + 20), begin=at(-3600 + 12))

    assert again == [-3600 + 20]


def test_a_daily_job_finds_its_moment_when_the_clock_is_set_back():
    schedule = Schedule(job(when="12:00:10"))
    runs(schedule, at(days=300, seconds=20), step=3600)

    assert runs(schedule, at(20), begin=at(0)) == [10]


def test_once_runs_once():
    schedule = Schedule(job(once="2026-11-20T12:00:05"))

    assert runs(schedule, at(30)) == [5]


def test_once_in_the_past_never_runs():
    schedule = Schedule(job(once="2026-11-20T11:59:00"))

    assert runs(schedule, at(30)) == []


def test_once_has_a_format_of_its_own():
    schedule = Schedule(job(once="20.11.2026 12-00-03", once_fmt="%d.%m.%Y %H-%M-%S"))

    assert runs(schedule, at(5)) == [3]


def test_when_comes_again_every_day():
    schedule = Schedule(job(when=["12:01pm", "2:00pm"]))

    assert runs(schedule, at(days=1, hours=3), step=30) == [60, 7200, 86460, 93600]


def test_when_may_name_a_moment_of_pillar_or_grains():
    schedule = Schedule(job(when="tea"))
    assert "Invalid date string tea" in schedule.merged()["j"]["_error"]

    schedule.set_pillar({}, {"tea": "12:00:07"})

    assert runs(schedule, at(20)) == [7]


def test_a_moment_that_the_hub_was_busy_at_runs_late():
    schedule = Schedule(job(when="12:00:10"))
    schedule.due(at(9))

    due = schedule.due(at(25))

    assert [one.late for one in due] == [15]


def test_a_moment_long_ago_is_missed():
    schedule = Schedule(job(when="12:00:10"))
    schedule.due(at(9))

    assert names(schedule, at(hours=5)) == []
    assert names(schedule, at(days=1, seconds=10)) == ["j"]


def test_splay_delays_each_run_and_keeps_the_rhythm():
    schedule = Schedule(job(seconds=10, splay=5, run_on_start=False), draw=lambda low, high: high)

    assert runs(schedule, at(40)) == [15, 30]


def test_splay_may_be_a_range_and_hold_for_all_jobs():
    drawn = []
    settings = {"splay": {"start": 2, "end": 4}, **job(seconds=10, run_on_start=False)}
    schedule = Schedule(settings, draw=lambda low, high: drawn.append((low, high)) or low)

    assert runs(schedule, at(12)) == [12]
    assert drawn[0] == (2, 4)


def test_a_range_keeps_a_job_to_its_hours():
    schedule = Schedule(job(seconds=60, run_on_start=False, range={"start": "12:02pm", "end": "12:04pm"}))

    assert runs(schedule, at(600), step=60) == [120, 180, 240]
    assert schedule.merged()["j"]["_skip_reason"] == "not_in_range"


def test_an_inverted_range_keeps_a_job_out_of_hours():
    hours = {"start": "12:02pm", "end": "12:04pm", "invert": True}
    schedule = Schedule(job(seconds=60, run_on_start=False, range=hours))

    assert runs(schedule, at(360), step=60) == [60, 120, 240, 300, 360]


def test_a_job_runs_right_after_the_range_in_which_it_was_skipped():
    hours = {"start": "12:02pm", "end": "12:05pm"}
    schedule = Schedule(
        job(seconds=120, run_on_start=False, skip_during_range=hours, run_after_skip_range=True)
    )

    assert runs(schedule, at(430), step=1) == [301, 421]


def test_a_range_for_all_jobs_may_name_a_function_to_run_instead():
    hours = {"start": "11:00", "end": "13:00"}
    schedule = Schedule(
        {"skip_function": "test.true", "skip_during_range": hours, **job(seconds=10, run_on_start=False)}
    )
    schedule.due(at(0))

    assert [due.fun for due in schedule.due(at(10))] == ["test.true"]


def test_all_gates_must_be_open():
    schedule = Schedule(job(seconds=10, run_on_start=False, after="12:00:15", until="12:00:35"))

    assert runs(schedule, at(60)) == [20, 30]
    assert schedule.merged()["j"]["_skip_reason"] == "until_passed"


def test_a_disabled_job_has_its_skip_reason():
    schedule = Schedule(job(seconds=10, enabled=False))

    assert runs(schedule, at(30)) == []
    assert schedule.merged()["j"]["_skip_reason"] == "disabled"


def test_the_whole_schedule_can_be_disabled():
    schedule = Schedule({"enabled": False, **job(seconds=10)})

    assert runs(schedule, at(30)) == []


def test_maxrunning_counts_runs_that_are_under_way():
    under_way = {"j": 0}
    schedule = Schedule(job(seconds=10, maxrunning=2), running=under_way.get)
    assert names(schedule, at(0)) == ["j"]

    under_way["j"] = 2
    assert names(schedule, at(10)) == []
    assert schedule.merged()["j"]["_skip_reason"] == "maxrunning"

    under_way["j"] = 1
    assert names(schedule, at(20)) == ["j"]


def test_a_job_that_keeps_no_jid_is_not_counted():
    schedule = Schedule(job(seconds=10, jid_include=False), running=lambda name: 99)

    assert names(schedule, at(0)) == ["j"]


def test_a_dry_run_is_noted_and_not_run():
    schedule = Schedule(job(seconds=10, dry_run=True))

    assert names(schedule, at(0)) == []
    assert schedule.merged()["j"]["_last_run"] == START


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"when": "5pm", "cron": "* * * * *"}, 'Unable to use "when", "cron", "once" options together.'),
        ({"when": "5pm", "seconds": 5}, 'with "when", "cron", "once" options'),
        (
            {"once": "tomorrow"},
            "Date string could not be parsed: tomorrow, %Y-%m-%dT%H:%M:%S. Ignoring job j.",
        ),
        ({"seconds": "often"}, "Invalid time in seconds. Ignoring job j."),
    ],
)
def test_a_job_that_cannot_be_scheduled_says_why(settings, words):
    schedule = Schedule(job(**settings))

    assert runs(schedule, at(10)) == []
    assert words in schedule.merged()["j"]["_error"]


def test_a_bad_range_stops_its_job_and_no_other():
    schedule = Schedule(
        {
            **job(seconds=5, run_on_start=False, range={"start": "5pm", "end": "4pm"}),
            "k": {"fun": "test.true", "seconds": 5},
        }
    )

    assert len(runs(schedule, at(11))) == 3
    assert "end must be larger than start" in schedule.merged()["j"]["_error"]


def test_settings_hide_pillar():
    schedule = Schedule(job(seconds=10))

    schedule.set_pillar(
        {"j": {"function": "no.such", "seconds": 1}, "p": {"fun": "test.true", "seconds": 5}}, {}
    )

    assert {due.fun for due in schedule.due(at(0))} == {"test.ping", "test.true"}


def test_a_refreshed_pillar_does_not_run_its_jobs_again():
    schedule = Schedule({})
    pillar = {"p": {"function": "test.true", "seconds": 60}}
    schedule.set_pillar(pillar, {})
    assert names(schedule, at(0)) == ["p"]

    schedule.set_pillar(pillar, {})

    assert names(schedule, at(5)) == []
    assert names(schedule, at(60)) == ["p"]


def test_a_saved_schedule_is_as_the_user_wrote_it():
    settings = {"enabled": True, **job(seconds=10)}
    schedule = Schedule(settings)
    schedule.due(at(0))

    assert schedule.to_save() == settings


def test_a_cron_line_fires_at_its_minutes():
    pytest.importorskip("croniter")
    schedule = Schedule(job(cron="*/2 * * * *"))

    assert runs(schedule, at(300)) == [120, 240]


def test_a_wrong_cron_line_is_named():
    pytest.importorskip("croniter")
    schedule = Schedule(job(cron="every day"))

    assert schedule.merged()["j"]["_error"] == "Invalid cron string. Ignoring job j."


@pytest.mark.parametrize(
    "settings",
    [
        {"seconds": 5, "maxrunning": "many"},
        {"seconds": 5, "maxrunning": [1]},
        {"seconds": float("inf")},
        {"seconds": 5, "run_explicit": 5},
        {"seconds": 5, "skip_explicit": {"time": "2026-11-20T12:00:00"}},
        {"cron": "0 0 30 2 *"},
    ],
    ids=str,
)
def test_a_job_that_cannot_be_run_as_it_is_written_is_left_out(settings, caplog):
    if "cron" in settings:
        pytest.importorskip("croniter")
    schedule = Schedule({**job(**settings), "good": {"function": "test.ping", "seconds": 10}})

    found = [name for second in (0, 5, 10) for name in names(schedule, at(second))]

    assert found == ["good", "good"]
    assert "Ignoring job j." in caplog.text
    assert schedule.job("j").error


@pytest.mark.parametrize(
    "splay", ["soon", [1, 2], {"start": 1}, {"start": "a", "end": "b"}, float("inf")], ids=str
)
def test_a_splay_that_is_not_a_number_is_ignored(splay, caplog):
    schedule = Schedule(job(seconds=10, splay=splay))

    assert runs(schedule, at(25)) == [0, 10, 20]
    assert "Ignoring splay of j." in caplog.text


@pytest.mark.parametrize("settings", [{"seconds": 10**15}, {"days": 10**7}, {"seconds": 5, "splay": 10**15}])
def test_a_moment_beyond_the_calendar_never_comes(settings):
    schedule = Schedule(job(run_on_start=False, **settings), draw=max)

    assert runs(schedule, at(25)) == []
    assert schedule.job("j").next_fire is None


def test_moments_with_a_zone_are_reported_in_local_time():
    zone, form = datetime.timezone(datetime.timedelta(hours=1)), "%Y-%m-%dT%H:%M:%S%z"
    moment = at(5).astimezone(zone).strftime(form)

    assert runs(Schedule(job(once=moment, once_fmt=form)), at(30)) == [5]
    postponed = {"run_explicit": [{"time": moment, "time_fmt": form}], "run_on_start": False}
    assert runs(Schedule(job(hours=1, **postponed)), at(30)) == [5]
