"""One call of a state function: errors of plugins, wrong returns, its context and umask."""

import os

import pytest

from salt_g import api
from salt_g.errors import NotOffered
from salt_g.state.run.state_call import StateCaller

LOW = {"state": "my", "fun": "fun", "name": "n", "__id__": "x", "__sls__": "a", "__env__": "dev", "order": 1}


@pytest.fixture
def caller(call_context):
    """Return a function that makes a caller of these state functions, by full name."""

    def make(function=None, *, opts=None, is_mocked=False, **states):
        named = {f"my.{name}": state for name, state in states.items()}
        table = {"my.fun": function, **named} if function else named
        return StateCaller(call_context(states=table, opts=opts or {}), is_mocked=is_mocked)

    return make


@pytest.fixture
def call(caller):
    """Return a function that calls a state function with further keys of its chunk."""

    def run(function, *, is_preview=False, opts=None, **low):
        return caller(function, opts=opts).call({**LOW, **low}, running={}, is_preview=is_preview)

    return run


def done(name, **more):
    """Return the result of a state without changes."""
    return {"name": name, "result": True, "changes": {}, "comment": "", **more}


@pytest.mark.parametrize("error", [ValueError("broken"), SystemExit(3)])
def test_whatever_a_function_raises_fails_its_state_with_a_traceback(call, error):
    def fail(name):
        raise error

    called = call(fail)

    assert (called.ret["result"], called.ret["name"], called.is_malformed) == (False, "n", False)
    assert called.ret["comment"].startswith("An exception occurred in this state: Traceback")
    assert called.ret["comment"].rstrip().endswith(f"{type(error).__name__}: {error}")


def test_a_function_unsupported_by_a_resource_has_no_traceback(call):
    def fail(name):
        raise NotOffered("pkg.install", "pkg.install is not offered by type dummy")

    assert call(fail).ret["comment"] == "pkg.install is not offered by type dummy"


@pytest.mark.parametrize(
    ("returned", "is_counted"), [("text", False), (None, False), ({"name": "n"}, True), ({}, True)]
)
def test_a_malformed_return_is_replaced_and_counted_only_if_it_is_a_mapping(call, returned, is_counted):
    called = call(lambda name: returned)

    assert (called.is_malformed, called.is_counted) == (True, is_counted)


@pytest.mark.parametrize(
    ("result", "shown"), [(1, True), (0, False), ("", False), (None, None), (True, True)]
)
def test_results_are_true_false_or_none(call, result, shown):
    assert call(lambda name: done(name, result=result)).ret["result"] is shown


def test_a_comment_of_lines_becomes_a_text(call):
    assert call(lambda name: done(name, comment=["one", "two"])).ret["comment"] == "one\ntwo"
    assert call(lambda name: done(name, comment=["one", 2])).is_malformed


def test_a_preview_is_a_call_in_test_mode(call):
    def fun(name):
        return done(name, comment=str(bool(api.opts.get("test"))))

    assert call(fun, is_preview=True).ret["comment"] == "True"
    assert call(fun).ret["comment"] == "False"


def test_the_umask_holds_for_the_call_only(call):
    before = os.umask(0o022)
    try:

        def fun(name):
            now = os.umask(0o777)
            os.umask(now)
            return done(name, comment=oct(now))

        assert call(fun, umask="077").ret["comment"] == "0o77"
        assert call(fun, umask=7).ret["comment"] == "0o7"
        assert call(fun).ret["comment"] == "0o22"
    finally:
        os.umask(before)


@pytest.mark.parametrize(
    ("opts", "low", "saltenv"),
    [
        ({}, {}, "dev"),
        ({}, {"saltenv": "prod"}, "prod"),
        ({}, {"env": "test"}, "test"),
        ({"lock_saltenv": True}, {"saltenv": "prod"}, "dev"),
        ({}, {"__env__": ""}, "base"),
    ],
)
def test_the_environment_is_that_of_the_chunk_unless_it_is_locked(call, opts, low, saltenv):
    def fun(name, saltenv=None, env=None):
        return done(name, comment=api.current().saltenv)

    assert call(fun, opts=opts, **low).ret["comment"] == saltenv


def test_commands_of_a_state_run_as_the_user_of_its_chunk(call):
    def fun(name, password=None):
        run_as = api.current().run_as
        return done(name, comment=f"{run_as.user} {run_as.password}")

    assert call(fun, runas="web", runas_password="s3").ret["comment"] == "web s3"
    # Only `cmd` states name the password so.
    assert call(fun, runas="web", password="s3").ret["comment"] == "web None"


def test_a_mocked_run_calls_nothing(caller):
    called = []

    ret = caller(lambda name: called.append(name), is_mocked=True).call(dict(LOW), running={}).ret

    assert (called, ret["result"], ret["comment"]) == ([], True, "Not called, mocked")


@pytest.mark.parametrize(
    ("low", "problems"),
    [
        ({}, []),
        ({"name": ["a"]}, ["ID '['a']' in SLS 'a' is not formed as a string, but is a list"]),
        ({"umask": "9"}, ["Invalid umask: 9"]),
        ({"umask": None}, ["Invalid umask: None"]),
        (
            {"fun": "other"},
            ["State 'my.other' was not found in SLS 'a'", "Reason: 'my.other' is not available."],
        ),
    ],
)
def test_problems_of_a_chunk_are_reported_before_its_call(caller, low, problems):
    assert caller(lambda name: done(name)).problems_of({**LOW, **low}) == problems


def test_parameters_without_a_value_are_problems(caller):
    def fun(name, device, size=1):
        return done(name)

    assert caller(fun).problems_of(dict(LOW)) == ["Missing parameter device for state my.fun"]


def test_mod_init_returns_whether_it_is_done(caller):
    assert caller(lambda name: done(name)).initialise(dict(LOW), running={}) is True
    assert caller(mod_init=lambda low: low["name"] == "n").initialise(dict(LOW), running={}) is True
    assert caller(mod_init=lambda low: None).initialise(dict(LOW), running={}) is False


@pytest.fixture
def failing(caller):
    """Return a function that returns a failed state's return with this finding of its module."""

    def make(find, **low):
        states = {"fun": lambda name: done(name) | {"result": False}, "mod_evidence": find}
        return caller(**states).call({**LOW, **low}, running={}).ret

    return make


def test_a_failure_brings_what_its_module_finds_out(failing):
    assert failing(lambda name: f"{name} was killed")["evidence"] == "n was killed"


@pytest.mark.parametrize(("found", "low"), [("", {}), ("secret", {"no_log": True})])
def test_nothing_found_or_hidden_is_no_evidence(failing, found, low):
    assert "evidence" not in failing(lambda name: found, **low)


def test_evidence_that_cannot_be_found_changes_no_result(failing):
    def fail(name):
        raise OSError("no systemctl")

    ret = failing(fail)

    assert (ret["result"], "evidence" in ret) == (False, False)


def test_a_success_needs_no_evidence(caller):
    made = caller(fun=done, mod_evidence=lambda name: "never asked")

    assert "evidence" not in made.call(LOW, running={}).ret


def test_evidence_shows_no_password_that_can_be_recognized(failing):
    shown = failing(lambda name: "ExecStart=web --password=hunter2\n\nline: to postgresql://u:hunter2@db/x")

    assert "hunter2" not in shown["evidence"]
    assert shown["evidence"].splitlines()[2].startswith("line: to postgresql://")
