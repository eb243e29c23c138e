"""A process that runs one function: its result on standard output, all other output elsewhere."""

import pytest

from salt_g.config.registry import defaults
from salt_g.executors.process import CHILD
from salt_g.minion.jobs.worker_process import LateChannel
from salt_g.process import command
from salt_g.wire.packing import pack_bus, unpack

MODULE = """
import os
from salt.exceptions import CommandExecutionError, SaltInvocationError

def facts():
    print("to the log")
    return [os.getpid() > 0, __grains__["os"], __pillar__["role"], __opts__["id"]]

def fail(kind):
    raise {"run": CommandExecutionError, "call": SaltInvocationError, "other": OSError}[kind]("it broke")

def code():
    __context__["retcode"] = 7
"""


@pytest.fixture
def call(tmp_path):
    """Return a function that returns the process's response to a masterless call, and its standard error."""
    (tmp_path / "mods").mkdir()
    (tmp_path / "mods" / "mine.py").write_text(MODULE)
    opts = {
        **defaults("minion"),
        "id": "m1",
        "file_client": "local",
        "cachedir": str(tmp_path / "cache"),
        "conf_file": str(tmp_path / "minion"),
        "module_dirs": [str(tmp_path / "mods")],
        "log_level": "error",
    }
    given = {"opts": {name: value for name, value in opts.items() if _is_plain(value)}}
    given |= {"grains": {"os": "X"}, "pillar": {"role": "web"}, "job": {"jid": "1"}}

    def run(fun, *args, **kwargs):
        request = {**given, "fun": fun, "args": list(args), "kwargs": kwargs}
        done = command.run(command.own_python(CHILD), stdin=pack_bus(request), timeout=60)
        return unpack(done.stdout), done.err

    return run


def _is_plain(value):
    return value is None or isinstance(value, (str, int, float, bool, list, dict))


def test_the_function_has_the_data_of_the_call(call):
    answer, printed = call("mine.facts")

    assert answer == {"return": [True, "X", "web", "m1"], "retcode": 0}
    assert "to the log" in printed


@pytest.mark.parametrize(("kind", "error"), [("run", "CommandExecutionError"), ("call", "InvocationError")])
def test_an_error_that_functions_mean_keeps_its_class(call, kind, error):
    assert call("mine.fail", kind)[0] == {"error": error, "text": "it broke"}


def test_any_other_error_comes_with_its_traceback(call):
    answer, _ = call("mine.fail", "other")

    assert answer["error"] == "Exception"
    assert answer["text"].startswith("Traceback") and answer["text"].endswith("OSError: it broke\n")


def test_wrong_arguments_are_a_type_error(call):
    answer, _ = call("mine.facts", "one too many")

    assert answer["error"] == "TypeError"


def test_the_retcode_of_the_function_is_in_the_answer(call):
    assert call("mine.code")[0] == {"return": None, "retcode": 7}


def test_an_unused_channel_needs_no_master():
    LateChannel({}).close()
