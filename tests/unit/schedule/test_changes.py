"""Queries to a running schedule, and the events that answer them."""

import datetime

import pytest

from salt_g.schedule import Schedule
from salt_g.schedule.changes import ScheduleChanges

NOW = datetime.datetime(2026, 11, 20, 12, 0, 0)


@pytest.fixture
def make_schedule():
    """Return a function that returns a schedule's `handle`, and what was saved."""

    def make(settings=None, pillar=None):
        schedule = Schedule(settings or {})
        schedule.set_pillar(pillar or {}, {})
        saved = []
        changes = ScheduleChanges(schedule, saved.append, clock=lambda: NOW)
        return schedule, saved, lambda **question: changes.handle(question)

    return make


def test_a_job_is_added_and_saved(make_schedule):
    schedule, saved, ask = make_schedule()

    answer = ask(func="add", name="j", schedule={"j": {"function": "test.ping", "seconds": 5}}, persist=True)

    assert answer.tag == "/salt/minion/minion_schedule_add_complete"
    assert answer.data["schedule"]["j"]["enabled"] is True
    assert saved == [{"j": {"function": "test.ping", "seconds": 5, "enabled": True}}]
    assert [due.name for due in schedule.due(NOW)] == ["j"]


def test_jobs_of_pillar_are_left_alone(make_schedule):
    schedule, _, ask = make_schedule(pillar={"p": {"function": "test.ping", "seconds": 5}})

    ask(func="add", schedule={"p": {"function": "no.such", "seconds": 1}})
    ask(func="delete", name="p")
    answer = ask(func="disable_job", name="p")

    assert answer.data["schedule"]["p"]["function"] == "test.ping"
    assert schedule.due(NOW)


def test_a_job_is_deleted(make_schedule):
    schedule, _, ask = make_schedule({"j": {"function": "test.ping", "seconds": 5}})

    answer = ask(func="delete", name="j", persist=False)

    assert answer.data == {"complete": True, "schedule": {}}
    assert not schedule.due(NOW)


def test_a_modified_job_begins_anew(make_schedule):
    schedule, _, ask = make_schedule({"j": {"function": "test.ping", "seconds": 5}})
    schedule.due(NOW)

    ask(func="modify", name="j", schedule={"function": "test.true", "seconds": 9})

    assert [due.fun for due in schedule.due(NOW)] == ["test.true"]


def test_jobs_and_the_whole_schedule_are_switched(make_schedule):
    schedule, _, ask = make_schedule({"j": {"function": "test.ping", "seconds": 5}})

    assert ask(func="disable_job", name="j").data["schedule"]["j"]["enabled"] is False
    assert not schedule.due(NOW)
    assert ask(func="enable_job", name="j").tag.endswith("enabled_job_complete")
    assert ask(func="disable").data["schedule"]["enabled"] is False
    assert ask(func="enable").data["schedule"]["enabled"] is True


@pytest.mark.parametrize("name", ["splay", "skip_during_range", "broken"])
def test_only_jobs_are_enabled_and_disabled(make_schedule, name):
    settings = {"splay": 5, "skip_during_range": {"start": "8am", "end": "9am"}, "broken": "text"}
    schedule, _, ask = make_schedule(settings)

    ask(func="disable_job", name=name)

    assert schedule.own == settings


def test_a_job_is_run_now(make_schedule):
    _, _, ask = make_schedule({"j": {"function": "test.ping", "args": [1], "when": "5pm"}})

    answer = ask(func="run_job", name="j")

    assert (answer.tag, answer.run.fun, answer.run.settings["args"]) == ("", "test.ping", [1])
    assert ask(func="run_job", name="unknown").run is None


def test_a_skipped_and_a_postponed_run(make_schedule):
    schedule, _, ask = make_schedule({"j": {"function": "test.ping", "when": "12:00:10"}})
    form = "%Y-%m-%dT%H:%M:%S"

    ask(
        func="postpone_job",
        name="j",
        time="2026-11-20T12:00:10",
        new_time="2026-11-20T12:00:20",
        time_fmt=form,
    )

    moments = [NOW + datetime.timedelta(seconds=second) for second in range(30)]
    assert [now.second for now in moments for _ in schedule.due(now)] == [20]
    assert schedule.merged()["j"]["_next_fire_time"].day == 21


def test_next_fire_time_and_status_are_reported(make_schedule):
    schedule, _, ask = make_schedule({"j": {"function": "test.ping", "seconds": 60}})
    schedule.due(NOW)

    assert ask(func="get_next_fire_time", name="j").data["next_fire_time"] == "2026-11-20T12:01:00"
    status = ask(func="job_status", name="j", fire_event=True).data["data"]
    assert (status["_seconds"], status["_last_run"]) == (60, NOW)


def test_a_job_that_was_just_added_has_a_next_fire_time(make_schedule):
    _, _, ask = make_schedule({"j": {"function": "test.ping", "when": "23:59"}})

    assert ask(func="get_next_fire_time", name="j").data["next_fire_time"] == "2026-11-20T23:59:00"


def test_a_saved_file_is_taken_over(make_schedule):
    schedule, _, ask = make_schedule()

    ask(func="reload", schedule={"schedule": {"j": {"function": "test.ping", "seconds": 5}}})

    assert [due.name for due in schedule.due(NOW)] == ["j"]


def test_lists_show_parts(make_schedule):
    _, _, ask = make_schedule(
        {"j": {"function": "a.b", "seconds": 5}}, {"p": {"function": "a.b", "seconds": 5}}
    )

    assert ask(func="list", where="opts").data["schedule"].keys() == {"j"}
    assert ask(func="list", where="pillar").data["schedule"].keys() == {"p"}
    assert ask(func="list").data["schedule"].keys() == {"j", "p"}


def test_an_unknown_question_has_no_answer(make_schedule):
    _, _, ask = make_schedule()

    assert ask(func="__init__").tag == ""
