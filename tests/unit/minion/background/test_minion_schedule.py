"""The minion's schedule, which starts jobs."""

import datetime
from types import SimpleNamespace

import pytest

from salt_g.minion.background.minion_schedule import MinionSchedule, job_load
from salt_g.minion.settings import MinionScheduleSettings
from salt_g.schedule import Due

NOW = datetime.datetime(2026, 11, 20, 12, 0, 0)


@pytest.fixture
def scheduling(tmp_path):
    """Return a function that makes a schedule with these jobs.

    `.jobs` are started loads, `.live` running jids.
    """

    def make(schedule, pillar=None, grains=None):
        jobs, fired, live = [], [], set()
        made = MinionSchedule(
            MinionScheduleSettings(schedule, 1.0, None, str(tmp_path / "minion.d" / "_schedule.conf")),
            run_job=jobs.append,
            is_running=live.__contains__,
            fire=lambda tag, data: fired.append((tag, data)),
            call_data=lambda: SimpleNamespace(pillar=pillar or {}, grains=grains or {}),
            clock=lambda: made.now,
        )
        made.now, made.jobs, made.fired, made.live = NOW, jobs, fired, live
        return made

    return make


def load_of(**settings):
    return job_load(Due("j", "test.ping", settings), "syslog", 1795176000.0)


def test_a_job_has_arguments_returners_and_a_name():
    load = load_of(args=["a"], kwargs={"k": 1}, returner=["redis", "syslog"], return_config="other")

    assert load == {
        "jid": "20261120120000000000",
        "fun": "test.ping",
        "arg": ["a", {"__kwarg__": True, "k": 1}],
        "schedule": "j",
        "ret": "redis,syslog",
        "return_job": True,
        "return_jid": "req",
        "ret_config": "other",
    }


@pytest.mark.parametrize(
    ("return_job", "wanted"), [(True, (True, "req")), (False, (False, "req")), ("nocache", (True, "nocache"))]
)
def test_a_return_goes_to_the_job_cache_or_not(return_job, wanted):
    load = load_of(return_job=return_job)

    assert (load["return_job"], load["return_jid"]) == wanted


def test_metadata_contains_the_time():
    assert load_of(metadata={"a": 1})["metadata"].keys() == {"a", "_TOS", "_TS", "_TT"}
    assert "metadata" not in load_of(metadata="text")


def test_a_job_that_still_runs_is_not_started_again(scheduling):
    made = scheduling({"j": {"function": "test.sleep", "args": [60], "seconds": 10}})
    made.start_due()
    made.live.add(made.jobs[0]["jid"])

    made.now += datetime.timedelta(seconds=10)
    made.start_due()
    made.live.clear()
    made.now += datetime.timedelta(seconds=10)
    made.start_due()

    assert len(made.jobs) == 2


def test_pillar_and_grains_bring_jobs_and_moments(scheduling):
    pillar = {"schedule": {"p": {"function": "test.ping", "when": "tea"}}, "whens": {"tea": "12:00:05"}}
    made = scheduling({}, pillar=pillar, grains={"whens": {"tea": "13:00"}})

    made.refresh()
    made.start_due()
    made.now += datetime.timedelta(seconds=5)
    made.start_due()

    assert [load["schedule"] for load in made.jobs] == ["p"]


def test_questions_are_answered_and_changes_saved(scheduling, tmp_path):
    made = scheduling({})

    made.handle({"func": "add", "schedule": {"j": {"function": "test.ping", "when": "5pm"}}, "persist": True})
    made.handle({"func": "run_job", "name": "j"})

    assert made.fired[0][0] == "/salt/minion/minion_schedule_add_complete"
    assert [load["fun"] for load in made.jobs] == ["test.ping"]
    assert "when: 5pm" in (tmp_path / "minion.d" / "_schedule.conf").read_text()
