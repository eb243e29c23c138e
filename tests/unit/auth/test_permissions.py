"""Permissions: whole names, every function, every id."""

import pytest

from salt_g.auth.permissions import FunctionCall, allows, allows_function, calls_of

IDS = {"web1", "web2"}


def resolve(target):
    return {"web*": {"web1", "web2"}, "web1": {"web1"}, "web2": {"web2"}}.get(target, set())


def may(permissions, fun, arg=(), ids=IDS):
    return allows(permissions, calls_of(fun, list(arg)), ids, resolve)


def test_a_pattern_matches_whole_names():
    assert may(["test.ping"], "test.ping")
    assert may(["test.*"], "test.ping")
    assert not may(["test"], "test.ping")
    assert not may(["test.ping"], "test.pingall")
    assert not may(["test.ping"], "xtest.ping")
    assert not may(["test.ping|cmd"], "cmd.run")


def test_of_several_functions_each_must_be_allowed():
    assert may(["test.*"], ["test.ping", "test.echo"], [[], ["x"]])
    assert not may(["test.*"], ["test.ping", "cmd.run"], [[], ["id"]])
    assert not may(["test.*"], ["saltutil.find_job", "cmd.run"], [[], ["id"]])


@pytest.mark.parametrize(
    ("fun", "arg"),
    [("", []), ([], []), (None, []), (["test.ping"], []), (["test.ping", 1], [[], []]), ("test.ping", "x")],
)
def test_a_malformed_job_is_not_allowed(fun, arg):
    assert not allows([".*"], calls_of(fun, arg), IDS, resolve)


def test_a_target_is_allowed_when_each_id_is():
    assert may([{"web*": ["test.*"]}], "test.ping")
    assert may([{"web1": ["test.*"]}, {"web2": ["test.ping"]}], "test.ping")
    assert not may([{"web1": ["test.*"]}], "test.ping")
    assert not may([{"web*": ["test.*"]}], "test.ping", ids={"web1", "db1"})
    assert not may([{"web*": ["test.*"]}], "cmd.run")


def test_a_target_without_minions_is_not_a_permission_by_target():
    assert not may([{"web*": ["test.*"]}], "test.ping", ids=set())


def test_runner_permissions_say_nothing_about_minions():
    assert not may(["@runner", "@jobs", {"@runner": [".*"]}], "test.ping")


def test_arguments_are_compared_as_the_minion_reads_them():
    condition = [{"*": [{"cmd.run": {"args": ["uptime"], "kwargs": {}}}]}]
    # `*` allows all minions, the condition still counts.

    assert may(condition, "cmd.run", ["uptime"])
    assert not may(condition, "cmd.run", ["uptime; id"])
    assert not may(condition, "cmd.run", ["cmd=id"])
    assert not may(condition, "cmd.run", [])


def test_keyword_arguments_are_found_in_both_their_forms():
    condition = [{"web*": [{"state.sls": {"args": [None], "kwargs": {"saltenv": "base|dev"}}}]}]

    assert may(condition, "state.sls", ["web", "saltenv=dev"])
    assert may(condition, "state.sls", ["web", {"__kwarg__": True, "saltenv": "base"}])
    assert not may(condition, "state.sls", ["web", {"saltenv": "base"}])
    assert not may(condition, "state.sls", ["web", "saltenv=devx"])
    assert not may(condition, "state.sls", ["web"])


def test_a_broken_permission_allows_nothing():
    assert not may(["(", None, 3, {}, {"a": 1, "b": 2}, {"web*": None}], "test.ping")


def test_runner_functions_by_kind_module_and_condition():
    call = FunctionCall("jobs.list_jobs")

    assert allows_function(["@runner"], call, "runner")
    assert allows_function(["@runners"], call, "runner")
    assert allows_function(["@jobs"], call, "runner")
    assert allows_function([{"@runner": ["jobs.list_.*"]}], call, "runner")
    assert allows_function([{"@jobs": ["list_jobs"]}], call, "runner")
    assert not allows_function(["@wheel", "@job", "jobs.list_jobs", ".*", "runner"], call, "runner")
    assert not allows_function([{"@runner": ["jobs.list"]}, {"@jobs": ["list"]}], call, "runner")
    assert not allows_function([], call, "runner")
