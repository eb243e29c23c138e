"""`cmd` states over a fake `cmd.run_all`."""

import pytest

from salt_g import api
from salt_g.states import cmd as state


@pytest.fixture
def run_prints(call_context):
    """Return a function that sets the command's output and exit code, and returns the calls made."""

    def enter(stdout="", retcode=0, stderr="", test=False):
        calls = []

        def run_all(**options):
            calls.append(options)
            return {"pid": 1, "retcode": retcode, "stdout": stdout, "stderr": stderr}

        functions = {"cmd.run_all": run_all, "cmd.run_chroot": run_all}
        call_context(functions=functions, grains={"shell": "/bin/bash"}, opts={"test": test})
        return calls

    return enter


def test_the_exit_code_decides(run_prints):
    run_prints("bad", retcode=3)

    made = state.run("x")

    assert made["result"] is False
    assert made["comment"] == 'Command "x" run'
    assert made["changes"] == {"pid": 1, "retcode": 3, "stdout": "bad", "stderr": ""}


def test_a_stateful_command_reports_its_changes_in_the_last_line(run_prints):
    run_prints("log\nchanged=yes comment='all good' key=val")

    made = state.run("x", stateful=True)

    assert made["comment"] == "all good"
    assert made["changes"]["stdout"] == "log"
    assert (made["changes"]["changed"], made["changes"]["key"]) == ("yes", "val")


def test_a_stateful_command_without_changes_has_none(run_prints):
    run_prints('{"changed": false, "comment": "json text"}')

    made = state.run("x", stateful=True)

    assert (made["result"], made["changes"], made["comment"]) == (True, {}, "json text")


def test_a_stateful_command_without_output_fails(run_prints):
    run_prints("nothing")

    made = state.run("x", stateful=True)

    assert (made["result"], made["comment"]) == (False, state.NOT_STATEFUL)


def test_test_mode_runs_nothing(run_prints):
    calls = run_prints(test=True)

    made = state.run("x")

    assert (made["result"], made["changes"], calls) == (None, {"cmd": "x"}, [])


def test_test_mode_runs_the_test_command_of_a_stateful_one(run_prints):
    calls = run_prints("changed=yes", test=True)

    made = state.run("x", stateful=[{"test_name": "x --dry-run"}])

    assert calls[0]["cmd"] == "x --dry-run"
    assert made["result"] is None


def test_an_ignored_time_limit_is_a_success(run_prints):
    run_prints("x : Timed out after 1 seconds", retcode=1)

    made = state.run("x", ignore_timeout=True)

    assert (made["result"], made["changes"]["retcode"]) == (True, 0)


def test_env_must_be_a_mapping_or_a_list(run_prints):
    run_prints()

    made = state.run("x", env="bad")

    assert made["comment"] == "Invalidly-formatted 'env' parameter. See documentation."


def test_root_runs_inside_another_root(run_prints):
    calls = run_prints()

    state.run("x", root="/srv/image")

    assert calls[0]["root"] == "/srv/image"


def test_watch_runs_what_waited(run_prints):
    calls = run_prints("changed=yes comment=ran")

    made = state.mod_watch("x", sfun="wait", stateful=True)

    assert (len(calls), made["comment"]) == (1, "ran")


def test_call_makes_a_state_return_of_a_value():
    assert state.call("x", lambda: None)["result"] is True
    assert state.call("x", lambda text: text, ["told"])["comment"] == "told"
    assert state.call("x", lambda: {"result": True, "comment": "own"})["comment"] == "own"


def test_a_script_comes_from_the_environment_that_its_state_names(call_context):
    def script(source, **options):
        return {"pid": 0, "retcode": 1, "stdout": options["saltenv"], "stderr": "", "cache_error": True}

    context = call_context(functions={"cmd.script": script}, grains={"shell": "/bin/sh"})
    # What the engine makes of `saltenv: base` in an SLS file of the environment dev.
    with api.use(context.replace(low={"__env__": "dev", "saltenv": "base"}, saltenv="base")):
        made = state.script("salt://s.sh")

    assert made["changes"]["stdout"] == "base"
    assert made["comment"] == "Unable to cache script salt://s.sh from saltenv 'base'"
