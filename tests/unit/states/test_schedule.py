"""States of `schedule`."""

import pytest

from salt_g.states import schedule


@pytest.fixture
def scheduled(call_context):
    """Return a function that makes a schedule with these jobs, and returns the calls made."""

    def make(jobs, **opts):
        calls = []

        def do(word, changes):
            def function(name, **kwargs):
                calls.append((word, name))
                return {"result": True, "comment": f"{word} {name}", "changes": changes}

            return function

        functions = {
            "schedule.list": lambda **kwargs: jobs,
            "schedule.build_schedule_item": lambda name, **kwargs: {"name": name, **kwargs},
            "schedule.add": do("add", {"j": "added"}),
            "schedule.modify": do("modify", {"j": {"old": {}, "new": {}}}),
            "schedule.delete": do("delete", {"j": "removed"}),
            "schedule.enable_job": do("enable", {"j": "enabled"}),
            "schedule.disable_job": do("disable", {"j": "disabled"}),
        }
        call_context(functions=functions, opts=opts)
        return calls

    return make


def test_a_missing_job_is_added(scheduled):
    calls = scheduled({})

    result = schedule.present("j", seconds=5)

    assert (result["result"], result["comment"]) == (True, "Adding new job j to schedule")
    assert result["changes"] == {"j": "added"}
    assert calls == [("add", "j")]


def test_a_job_that_differs_is_modified(scheduled):
    scheduled({"j": {"name": "j", "seconds": 9}})

    assert schedule.present("j", seconds=5)["comment"] == "Modifying job j in schedule"


def test_test_mode_reports_a_job_that_cannot_be_modified(call_context):
    functions = {
        "schedule.list": lambda **kwargs: {"j": {"seconds": 9}},
        "schedule.build_schedule_item": lambda name, **kwargs: kwargs,
        "schedule.modify": lambda name, **kwargs: {"result": False, "comment": "refused", "changes": {}},
    }
    call_context(functions=functions, opts={"test": True})

    result = schedule.present("j", seconds=5)

    assert (result["result"], result["comment"], result["changes"]) == (False, "refused", {})


def test_a_job_that_is_right_stays(scheduled):
    calls = scheduled({"j": {"name": "j", "seconds": 5}})

    assert schedule.present("j", seconds=5)["comment"] == "Job j in correct state"
    assert not calls


def test_test_mode_says_what_would_be_done(scheduled):
    scheduled({}, test=True)

    result = schedule.present("j", seconds=5)

    assert (result["result"], result["comment"], result["changes"]) == (None, "add j", {"j": "added"})


def test_a_job_is_removed_once(scheduled):
    scheduled({"j": {}})

    assert schedule.absent("j")["comment"] == "Removed job j from schedule"
    assert schedule.absent("k")["comment"] == "Job k not present in schedule"


def test_a_job_is_enabled_and_disabled(scheduled):
    calls = scheduled({"j": {"enabled": False}})

    assert schedule.enabled("j")["changes"] == {"j": "enabled"}
    assert schedule.disabled("j")["changes"] == {}
    assert calls == [("enable", "j")]


def test_a_setting_of_all_jobs_is_no_job_to_enable(scheduled):
    calls = scheduled({"enabled": True, "splay": 5})

    assert schedule.disabled("enabled")["comment"] == "Job enabled not present in schedule"
    assert schedule.enabled("splay")["comment"] == "Job splay not present in schedule"
    assert calls == []
