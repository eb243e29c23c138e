"""Returns of jobs, in stock's words."""

import pytest

from salt_g import api
from salt_g.errors import CommandExecutionError, CommandNotFound, InvocationError, NoSuchFunction
from salt_g.minion.jobs.job_function import BLACKOUT, arguments_for, execute


class Table(dict):
    """A table of functions with the loader's errors for missing ones."""

    def __missing__(self, name):
        raise NoSuchFunction(name)

    def why_missing(self, name):
        return "'broken' __virtual__ returned False: no library" if name.startswith("broken.") else ""


def ping():
    """Return True."""
    return True


def echo(text):
    """Return the argument."""
    return text


def everything(*args, **kwargs):
    return {"args": args, "kwargs": kwargs}


def retcode(code):
    api.scratch["retcode"] = code
    return "x"


def raises(kind):
    raise {
        "command": CommandExecutionError("no way"),
        "info": CommandExecutionError("no way", info={"errors": ["e1"]}),
        "missing": CommandNotFound("git is missing"),
        "invocation": InvocationError("not so"),
        "other": ValueError("oops"),
        "key": KeyError("deep"),
        "exit": SystemExit(3),
    }[kind]


def parts():
    yield {"a": 1}
    yield {"b": 2}


def states(count):
    """Return the result of a run of some states."""
    return {f"test_|-{number}_|-{number}_|-nop": {"__run_num__": number} for number in range(int(count))}


FUNCTIONS = {
    "test.ping": ping,
    "test.echo": echo,
    "test.arg": everything,
    "test.retcode": retcode,
    "test.raises": raises,
    "test.parts": parts,
    "test.result": lambda value: {"result": value},
    "state.sls": states,
    "state.single": states,
}


@pytest.fixture
def run(call_context):
    """Return a function that runs a job with this function and these arguments, and returns its return."""

    def ran(fun, *arg, opts=None, pillar=None, on_part=None, take_digests=bytes, **load):
        context = call_context(
            tables={"modules": Table(FUNCTIONS), "executors": {}, "states": {}},
            opts=opts,
            pillar=pillar,
        )
        load = {"jid": "1", "fun": fun, "arg": list(arg), "tgt": "*", "user": "root", **load}
        return execute(context, load, on_part=on_part, take_digests=take_digests)

    return ran


def test_a_return_says_what_was_asked_and_what_came(run):
    assert run("test.echo", "hi") == {
        "jid": "1",
        "fun": "test.echo",
        "fun_args": ["hi"],
        "return": "hi",
        "retcode": 0,
        "success": True,
        "user": "root",
    }


def test_metadata_and_master_are_echoed(run):
    ret = run("test.ping", metadata={"x": 1}, master_id="top")

    assert (ret["metadata"], ret["master_id"]) == ({"x": 1}, "top")
    assert "metadata" not in run("test.ping", metadata="x")


def test_keywords_come_as_a_map_or_as_text(run):
    ret = run("test.arg", "a", {"__kwarg__": True, "k": 1}, "n=[1, 2]", {"k": "v"})

    assert ret["return"]["args"] == ("a", {"k": "v"})
    kwargs = ret["return"]["kwargs"]
    assert {name: kwargs[name] for name in ("k", "n")} == {"k": 1, "n": [1, 2]}
    assert kwargs["__pub_jid"] == "1"


@pytest.mark.parametrize(
    ("fun", "arg", "text"),
    [
        ("no.such", [], "'no.such' is not available."),
        (
            "broken.x",
            [],
            "'broken.x' is not available. Possible reasons: "
            "''broken' __virtual__ returned False: no library'",
        ),
        ("test.raises", ["command"], "ERROR: no way"),
        ("test.raises", ["missing"], "Command required for 'test.raises' not found: git is missing"),
        ("test.raises", ["invocation"], "ERROR executing 'test.raises': not so"),
        (
            "test.ping",
            [{"__kwarg__": True, "n": 1}],
            "ERROR executing 'test.ping': The following keyword arguments are not valid: n=1",
        ),
        (
            "test.echo",
            ["a", {"__kwarg__": True, "txt": 1}],
            "ERROR executing 'test.echo': The following keyword arguments are not valid: txt=1; "
            "perhaps you meant: text=",
        ),
        (
            "test.echo",
            [],
            "Passed invalid arguments to test.echo: echo() missing 1 required positional argument: 'text'\n"
            "Return the argument.",
        ),
    ],
)
def test_errors_are_reported_in_the_words_of_stock(run, fun, arg, text):
    ret = run(fun, *arg)

    assert ret["return"] == text
    assert (ret["retcode"], ret["success"], ret["out"]) == (1, False, "nested")


@pytest.mark.parametrize(
    ("kind", "last"), [("other", "ValueError: oops"), ("key", "KeyError: 'deep'"), ("exit", "SystemExit: 3")]
)
def test_other_errors_come_with_their_traceback(run, kind, last):
    text = run("test.raises", kind)["return"]

    assert text.startswith("The minion function caused an exception: Traceback (most recent call last):\n")
    assert text.rstrip().endswith(last)


def test_the_data_of_an_error_is_below_its_message(run):
    assert run("test.raises", "info")["return"].startswith(
        "ERROR: no way. Additional info follows:\n\nerrors:"
    )


def test_the_retcode_is_what_the_function_set(run):
    assert run("test.retcode", 42)["retcode"] == 42
    assert run("test.retcode", 42)["success"] is False
    assert run("test.ping")["retcode"] == 0


def test_a_value_that_says_it_failed_has_failed(run):
    assert run("test.result", False)["retcode"] == 1
    assert run("test.result", True)["retcode"] == 0


def test_parts_are_reported_as_they_come_and_returned_as_one(run):
    seen = []

    ret = run("test.parts", on_part=lambda number, part: seen.append((number, part)))

    assert ret["return"] == {"a": 1, "b": 2}
    assert seen == [(0, {"a": 1}), (1, {"b": 2})]


def test_several_functions_return_by_their_names(run):
    ret = run(["test.ping", "test.retcode", "no.such"], [], [3], [])

    assert ret["return"] == {"test.ping": True, "test.retcode": "x", "no.such": "'no.such' is not available."}
    assert ret["retcode"] == {"test.ping": 0, "test.retcode": 3, "no.such": 1}
    assert ret["success"] == {"test.ping": True, "test.retcode": False, "no.such": False}
    assert ret["fun"] == ["test.ping", "test.retcode", "no.such"]


def test_each_state_run_of_several_functions_brings_as_many_digests_as_it_has_numbers(run):
    result = iter([b"1" * 8, b"", b"2" * 16, b"3" * 32])
    functions = ["state.sls", "test.ping", "state.single", "state.sls"]

    ret = run(functions, [2], [], [2], [3], take_digests=lambda: next(result))

    # Of the function that is there twice the second run is returned.
    assert ret["low_digests"] == b"3" * 24 + b"2" * 16


def test_a_state_run_brings_its_digests(run):
    assert run("state.sls", 1, take_digests=lambda: b"1" * 8)["low_digests"] == b"1" * 8
    assert "low_digests" not in run("state.sls", 1)


def test_several_functions_return_in_their_order_where_the_settings_say_so(run):
    ret = run(["test.echo", "test.echo"], ["a"], ["b"], opts={"multifunc_ordered": True})

    assert (ret["return"], ret["retcode"], ret["success"]) == (["a", "b"], [0, 0], [True, True])


def test_in_blackout_only_what_pillar_names_runs(run):
    pillar = {"minion_blackout": True, "minion_blackout_whitelist": ["test.echo"]}

    assert run("test.ping", pillar=pillar)["return"] == f"ERROR executing 'test.ping': {BLACKOUT}"
    assert run("test.echo", "x", pillar=pillar)["return"] == "x"


def test_a_function_that_the_whitelist_lacks_is_refused_with_the_setting(run):
    opts = {"whitelist_modules": ["cmd"]}

    ret = run("test.ping", opts=opts)

    reason = "the setting whitelist_modules does not list test"
    assert ret["return"] == f"'test.ping' is not available. Possible reasons: '{reason}'"
    assert ret["retcode"] != 0


def test_a_missing_executor_is_reported(run):
    ret = run("test.ping", module_executors=["nosuch"])

    assert ret["return"] == "ERROR executing 'test.ping': Executor 'nosuch' is not available"


LOAD = {"jid": "20260102030405678901", "user": "root", "fun": "test.kwarg"}


def function(*args, **kwargs):
    """Accept any arguments."""


@pytest.mark.parametrize("name", ["__pub_id", "__pub_user", "__pub_jid", "__pub_x"])
def test_an_argument_is_not_a_word_of_the_publication(name):
    for arg in ([{"__kwarg__": True, name: "forged", "own": 1}], [f"{name}=forged", "own=1"]):
        args, kwargs = arguments_for(function, arg, LOAD)

        assert args == []
        assert kwargs == {"own": 1, **{f"__pub_{field}": value for field, value in LOAD.items()}}
