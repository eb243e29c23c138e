"""`schedule.*` functions, with a real schedule on a bus in memory at the other end."""

import contextlib
import datetime
from types import SimpleNamespace

import pytest

from salt_g.modules import schedule
from salt_g.schedule import Schedule
from salt_g.schedule.changes import ScheduleChanges

NOW = datetime.datetime(2026, 11, 20, 12, 0, 0)


class Minion:
    """The bus of a minion that answers at once; implements `fleet.Events`."""

    def __init__(self, settings, pillar):
        self.schedule = Schedule(settings)
        self.schedule.set_pillar(pillar, {})
        self.saved = []
        self.runs = []
        self.fired = []
        self._changes = ScheduleChanges(self.schedule, self.saved.append, clock=lambda: NOW)
        self._answers = []

    def fire(self, tag, data):
        self.fired.append(tag)
        if tag == "manage_schedule":
            answer = self._changes.handle(data)
            self._answers.append(SimpleNamespace(tag=answer.tag, data=answer.data))
            if answer.run:
                self.runs.append(answer.run.name)
        return True

    @contextlib.contextmanager
    def watch(self, tag="", way="startswith"):
        self._answers.clear()
        yield self

    def get(self, timeout=None):
        return self._answers.pop(0) if self._answers else None


@pytest.fixture
def minion(call_context, tmp_path):
    """Return a function that enters a call beside a running minion with these jobs."""

    def start(jobs=None, pillar=None, **opts):
        minion = Minion(jobs or {}, pillar or {})
        files = {"conf_file": str(tmp_path / "minion"), "default_include": "minion.d/*.conf"}
        call_context(events=minion, opts={**files, **opts})
        return minion

    return start


@pytest.fixture
def no_minion(call_context, tmp_path):
    """Return a call without a running minion, and its config directory."""
    call_context(opts={"conf_file": str(tmp_path / "minion"), "default_include": "minion.d/*.conf"})
    return tmp_path


def ping(**settings):
    return {"function": "test.ping", "seconds": 3600, **settings}


def test_a_job_is_added_listed_and_deleted(minion):
    running = minion()

    added = schedule.add("j", function="test.ping", seconds=3600, job_args=[1])

    assert added == {"comment": "Added job: j to schedule.", "result": True, "changes": {"j": "added"}}
    assert schedule.list_() == (
        "schedule:\n  j:\n    args:\n    - 1\n    enabled: true\n    function: test.ping\n"
        "    jid_include: true\n"
        "    maxrunning: 1\n    name: j\n    saved: false\n    seconds: 3600\n"
    )
    assert running.saved[-1]["j"]["seconds"] == 3600
    assert schedule.delete("j") == {
        "comment": "Deleted Job j from schedule.",
        "result": True,
        "changes": {"j": "removed"},
    }
    assert schedule.list_(return_yaml=False) == {}


def test_a_function_that_is_not_here_is_reported(minion, caplog):
    minion()

    assert schedule.add("one", function="nosuch.fun", seconds=60)["result"] is True

    assert "job one of the schedule: the function 'nosuch.fun' is not available on this minion" in caplog.text


def test_a_job_cannot_be_added_twice(minion):
    minion({"j": ping()})

    assert (
        schedule.add("j", function="test.ping", seconds=1)["comment"] == "Job j already exists in schedule."
    )


@pytest.mark.parametrize(
    ("settings", "comment"),
    [
        (
            {"when": "5pm", "seconds": 1},
            'Unable to use "seconds", "minutes", "hours", or "days" with "when" or "cron"',
        ),
        (
            {"when": "5pm", "cron": "* * * * *"},
            'Unable to use "when" and "cron" options together.  Ignoring.',
        ),
        ({"job_args": "x"}, "job_args is not a list. please correct and try again."),
        ({"job_kwargs": "x"}, "job_kwargs is not a dict. please correct and try again."),
        ({"function": ""}, "Job function is required."),
    ],
)
def test_settings_that_do_not_fit_are_refused(minion, settings, comment):
    minion()

    built = schedule.build_schedule_item("j", **{"function": "test.ping", **settings})

    assert built["result"] is False
    assert built["comment"].startswith(comment)


def test_modify_reports_old_and_new(minion):
    running = minion({"j": ping()})

    result = schedule.modify("j", seconds=60)

    assert result["comment"] == "Modified job: j in schedule."
    assert result["changes"]["j"]["old"]["seconds"] == 3600
    assert result["changes"]["j"]["new"]["seconds"] == 60
    assert running.schedule.own["j"]["seconds"] == 60
    assert schedule.modify("j", seconds=60)["comment"] == "Job j in correct state"


def test_a_job_of_the_pillar_cannot_be_modified_skipped_postponed_or_moved(minion, call_context):
    running = minion(pillar={"j": ping()})
    call_context(events=running, functions={"publish.publish": lambda *given: {"m2": True}})
    refused = "Failed to {} job j in schedule: it is in the pillar."

    for test in (False, True):
        modified = schedule.modify("j", seconds=60, test=test)
        assert modified == {"comment": refused.format("modify"), "changes": {}, "result": False}
    skipped = schedule.skip_job("j", "2026-11-20T13:00:00")
    assert skipped == {"comment": refused.format("skip"), "result": False}
    postponed = schedule.postpone_job("j", "2026-11-20T14:00:00", "2026-11-20T15:00:00")
    assert postponed == {"comment": refused.format("postpone"), "result": False}
    moved = schedule.move("j", "m2")
    assert moved == {
        "comment": "Copied Job j. Failed to delete job j from schedule.",
        "minions": ["m2"],
        "result": False,
    }
    assert running.schedule.own == {}


def test_a_change_that_the_minion_does_not_confirm_is_no_change(no_minion, call_context):
    silent = Minion({"j": ping()}, {})
    changes = silent._changes.handle
    silent._changes.handle = lambda data: changes({**data, "func": "list"} if data["func"] == "list" else {})
    call_context(events=silent, opts={"conf_file": str(no_minion / "minion"), "default_include": ""})

    failed = {"comment": "Failed to modify job j in schedule.", "changes": {}, "result": False}
    assert schedule.modify("j", seconds=60) == failed


SETTINGS = {
    "enabled": True,
    "splay": 5,
    "skip_function": "test.ping",
    "skip_during_range": {"start": "8am", "end": "9am"},
}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_of_all_jobs_are_no_jobs(minion, name):
    running = minion({**SETTINGS, "j": ping()})
    missing = f"Job {name} does not exist."

    assert schedule.purge()["changes"] == {"j": "removed"}
    assert (
        schedule.modify(name, seconds=60, function="test.ping")["comment"] == f"{missing[:-1]} in schedule."
    )
    assert schedule.run_job(name)["comment"] == missing
    assert schedule.disable_job(name)["comment"] == missing
    assert schedule.skip_job(name, "2026-11-20T13:00:00")["comment"] == missing
    assert schedule.copy(name, "m2")["comment"] == missing
    assert schedule.add(name, **ping()) == {
        "comment": f"{name} is a setting of all jobs and cannot be the name of a job.",
        "result": False,
        "changes": {},
    }
    assert running.schedule.own == SETTINGS


def test_settings_of_all_jobs_stay_in_the_saved_file(no_minion):
    directory = no_minion / "minion.d"
    directory.mkdir()
    (directory / "_schedule.conf").write_text("schedule: {splay: 5, j: {function: test.ping, seconds: 5}}\n")

    assert schedule.purge(offline=True)["changes"] == {"j": "removed"}
    assert schedule.list_(return_yaml=False, offline=True) == {"splay": 5}


def test_test_mode_changes_nothing(minion):
    running = minion({"j": ping()})

    assert schedule.add("k", test=True, **ping())["comment"] == "Job: k would be added to schedule."
    assert schedule.delete("j", test=True)["comment"] == "Job: j would be deleted from schedule."
    assert schedule.disable_job("j", test=True)["comment"] == "Job: j would be disabled in schedule."
    assert schedule.disable(test=True)["comment"] == "Schedule would be disabled."
    assert schedule.purge(test=True)["comment"] == ["Job: j would be deleted from schedule."]
    assert running.schedule.own == {"j": ping()}


def test_jobs_and_the_schedule_are_switched(minion):
    running = minion({"j": ping()})

    assert schedule.disable_job("j") == {
        "comment": "Disabled Job j in schedule.",
        "result": True,
        "changes": {"j": "disabled"},
    }
    assert schedule.enable_job("j")["comment"] == "Enabled Job j in schedule."
    assert schedule.disable()["comment"] == "Disabled schedule on minion."
    assert schedule.is_enabled() is False
    assert schedule.enable()["changes"] == {"schedule": "enabled"}
    assert schedule.enable_job("x")["comment"] == "Job x does not exist."
    assert running.saved


def test_a_job_is_run_now_unless_it_is_disabled(minion):
    running = minion({"j": ping(enabled=False)})

    assert schedule.run_job("j")["comment"] == "Job j is disabled."
    assert schedule.run_job("j", force=True)["comment"] == "Scheduling Job j on minion."
    assert running.runs == ["j"]


def test_a_run_is_skipped_or_postponed(minion):
    running = minion({"j": ping()})

    assert schedule.skip_job("j", "2026-11-20T13:00:00")["comment"] == "Added Skip Job j in schedule."
    postponed = schedule.postpone_job("j", "2026-11-20T14:00:00", "2026-11-20T15:00:00")
    assert postponed == {"comment": "Postponed Job j in schedule.", "result": True}
    assert len(running.schedule.own["j"]["skip_explicit"]) == 2
    assert schedule.skip_job("j", "at noon")["comment"] == "Date string could not be parsed."


def test_when_a_job_fires_and_what_became_of_it(minion):
    running = minion({"j": ping()})
    running.schedule.due(NOW)

    assert schedule.show_next_fire_time("j") == {"result": True, "next_fire_time": "2026-11-20T13:00:00"}
    assert schedule.job_status("j")["_last_run"] == "2026-11-20T12:00:00"


def test_jobs_of_the_minion_itself_are_hidden_and_kept(minion):
    minion({"__mine_interval": ping(), "j": ping()})

    assert schedule.list_(return_yaml=False).keys() == {"j"}
    assert schedule.purge() == {
        "comment": ["Deleted job: j from schedule."],
        "changes": {"j": "removed"},
        "result": True,
    }
    assert schedule.list_(show_all=True, return_yaml=False).keys() == {"__mine_interval"}


def test_the_saved_file_serves_while_no_minion_runs(no_minion):
    added = schedule.add("j", function="test.ping", seconds=60, offline=True)

    assert added["changes"] == {"j": "added"}
    saved = no_minion / "minion.d" / "_schedule.conf"
    assert "function: test.ping" in saved.read_text()
    assert schedule.modify("j", offline=True, seconds=61)["result"] is True
    assert schedule.list_(return_yaml=False, offline=True)["j"]["seconds"] == 61
    assert schedule.delete("j", offline=True)["result"] is True
    assert schedule.list_(return_yaml=False, offline=True) == {}


def test_without_a_minion_nothing_is_scheduled(no_minion):
    assert schedule.list_() == "schedule: {}\n"
    assert schedule.add("j", **ping()) == {
        "comment": "Failed to add job j to schedule.",
        "result": False,
        "changes": {},
    }
    assert schedule.save()["comment"] == "Failed to save schedule."


def test_a_saved_schedule_is_read_again(minion, tmp_path):
    running = minion()
    directory = tmp_path / "minion.d"
    directory.mkdir()
    (directory / "_schedule.conf").write_text("schedule: {j: {function: test.ping, seconds: 5}}\n")

    result = schedule.reload_()

    assert result == {"comment": ["Reloaded schedule on minion from schedule.conf."], "result": True}
    assert "j" in running.schedule.own


def test_a_job_is_copied_through_the_master(minion, call_context):
    published = []
    functions = {"publish.publish": lambda *given: published.append(given) or {"m2": True}}
    running = minion({"j": ping()})
    call_context(events=running, functions=functions)

    assert schedule.copy("j", "m2")["comment"] == "Copied Job j from schedule to minion(s)."
    assert published[0][:2] == ("m2", "schedule.add")
    assert schedule.move("j", "m2")["minions"] == ["m2"]
    assert running.schedule.own == {}


@pytest.mark.parametrize(
    "answer",
    [False, {"result": False, "comment": "Job j already exists."}, "'schedule.add' is not available."],
)
def test_a_job_that_another_minion_refuses_is_not_moved(minion, call_context, answer):
    running = minion({"j": ping()})
    call_context(events=running, functions={"publish.publish": lambda *given: {"m2": answer}})

    moved = schedule.move("j", "m2")

    assert (moved["comment"], moved["minions"]) == ("the following minions return False", ["m2"])
    assert list(running.schedule.own) == ["j"]
