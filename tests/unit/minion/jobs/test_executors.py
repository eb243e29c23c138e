"""Executors of a job's function, and their results."""

import pytest

from salt_g.errors import InvocationError
from salt_g.minion.jobs.executors import executors_of, run_through


@pytest.mark.parametrize(
    ("opts", "load", "expected"),
    [
        ({}, {}, ["direct_call"]),
        ({"module_executors": []}, {}, ["direct_call"]),
        ({"module_executors": "splay"}, {}, ["splay"]),
        ({"module_executors": ["splay"]}, {"module_executors": ["docker"]}, ["docker"]),
        ({"sudo_user": "root"}, {}, ["sudo"]),
        ({"sudo_user": "root", "module_executors": ["splay", "direct_call"]}, {}, ["splay", "sudo"]),
        ({"sudo_user": "root", "module_executors": ["splay"]}, {}, ["splay", "sudo"]),
        ({"sudo_user": "root", "module_executors": ["sudo", "splay"]}, {}, ["sudo", "splay"]),
        ({"process_functions": ["x.*"], "module_executors": ["splay"]}, {}, ["splay"]),
        ({"process_functions": ["x.*", "test.p*"], "sudo_user": "root"}, {}, ["process"]),
        ({"process_functions": ["Test.*"]}, {}, ["direct_call"]),
    ],
)
def test_the_jobs_executors_come_before_the_settings(opts, load, expected):
    assert executors_of(opts, load, "test.ping") == expected


@pytest.mark.parametrize("name", ["saltutil.find_job", "saltutil.kill_all_jobs", "saltutil.is_running"])
def test_control_of_other_jobs_is_always_direct(name):
    opts = {"process_functions": ["*"], "sudo_user": "root", "module_executors": ["splay"]}

    assert executors_of(opts, {"module_executors": ["docker"]}, name) == ["direct_call"]


def test_settings_are_not_changed():
    opts = {"sudo_user": "root", "module_executors": ["direct_call"]}

    executors_of(opts, {}, "test.ping")

    assert opts["module_executors"] == ["direct_call"]


def function(*args, **kwargs):
    return args, kwargs


def test_the_first_executor_with_a_value_has_run_the_function(call_context):
    seen = []

    def declines(opts, data, func, args, kwargs):
        seen.append("declines")

    def runs(opts, data, func, args, kwargs):
        seen.append((data["jid"], data["executor_opts"]))
        return "ran", func(*args, **kwargs)

    context = call_context(
        tables={"executors": {"a.execute": declines, "b.execute": runs, "c.execute": declines}},
        opts={"executor_opts": {"from": "settings"}},
    )

    value = run_through(["a", "b", "c"], context, {"jid": "1"}, function, [1], {"x": 2})

    assert value == ("ran", ((1,), {"x": 2}))
    assert seen == ["declines", ("1", {"from": "settings"})]


def test_a_direct_call_ends_the_chain_and_none_of_it_is_none(call_context):
    context = call_context(tables={"executors": {"a.execute": lambda *args: None}})

    assert run_through(["a", "direct_call", "none"], context, {}, function, [1], {}) == ((1,), {})
    assert run_through(["a"], context, {}, function, [], {}) is None
    assert run_through(["direct_call"], context, {}, function, [], {"x": 1}) == ((), {"x": 1})


def test_an_executor_that_does_not_exist_is_named(call_context):
    with pytest.raises(InvocationError, match="Executor 'none' is not available"):
        run_through(["none"], call_context(tables={"executors": {}}), {}, function, [], {})
