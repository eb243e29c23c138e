"""Executors: waiting, another user, another process."""

import os

import pytest

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.executors import process, splay, sudo
from salt_g.minion.jobs.executors import executors_of, run_through
from salt_g.process.command import Finished
from salt_g.wire.packing import pack_bus, unpack


def test_each_minion_waits_its_own_time_within_the_longest():
    waits = {splay.delay(f"m{number}", 100) for number in range(50)}

    assert len(waits) > 45
    assert all(0 <= wait < 100 for wait in waits)
    assert splay.delay("m1", 100) == splay.delay("m1", 100)


def test_splay_hands_the_job_on(call_context, monkeypatch):
    waited = []
    monkeypatch.setattr(splay.time, "sleep", waited.append)

    assert splay.execute({"id": "m1"}, {"executor_opts": {"splaytime": 8}}, print, [], {}) is None
    assert waited == [splay.delay("m1", 8)]


@pytest.mark.parametrize(
    ("settings", "load", "expected"),
    [
        ({}, {}, ["direct_call"]),
        ({"module_executors": ["splay", "direct_call"]}, {}, ["splay", "direct_call"]),
        ({"module_executors": ["splay"]}, {"module_executors": "process"}, ["process"]),
        ({"sudo_user": "root"}, {}, ["sudo"]),
        ({"process_functions": ["test.*"]}, {}, ["process"]),
    ],
)
def test_the_job_names_executors_or_the_settings_do(settings, load, expected):
    assert executors_of(settings, load, "test.ping") == expected


def test_functions_that_look_after_jobs_are_never_sent_elsewhere():
    load = {"module_executors": ["process"]}

    assert executors_of({"sudo_user": "root"}, load, "saltutil.find_job") == ["direct_call"]


def test_the_first_executor_that_returns_something_ends_the_row(call_context):
    table = {"wait.execute": lambda *args: None, "own.execute": lambda *args: "own"}
    context = call_context(tables={"executors": table})

    names = ["wait", "own", "direct_call"]
    assert run_through(names, context, {}, lambda: "direct", [], {}) == "own"
    assert run_through(["wait", "direct_call"], context, {}, lambda: "direct", [], {}) == "direct"
    with pytest.raises(InvocationError, match="Executor 'no' is not available"):
        run_through(["no"], context, {}, lambda: "direct", [], {})


def test_sudo_calls_this_program_as_the_other_user():
    opts = {"conf_file": "/etc/salt/minion"}
    kwargs = {"test": True, "__pub_jid": "1"}

    words = sudo.command_line(opts, {"fun": "state.apply"}, ["web"], kwargs, user="deploy")

    assert words[:5] == ["sudo", "-n", "-u", "deploy", "--"]
    assert words[-5:] == ["--", "state.apply", "web", "test=true", "concurrent=true"]
    assert words[-8:-5] == ["--metadata", "-c", "/etc/salt"]


def test_the_output_of_sudo_becomes_the_return_and_its_retcode(call_context, monkeypatch, tmp_path):
    context = call_context()
    program = tmp_path / "sudo"
    program.write_text("""#!/bin/sh\necho '{"local": {"return": [1], "retcode": 3}}'\nexit 3\n""")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    opts = {"conf_file": "/etc/salt/minion", "sudo_user": "deploy"}

    assert sudo.execute(opts, {"fun": "test.x"}, print, [], {}) == [1]
    assert context.scratch["retcode"] == 3


def test_sudo_needs_to_know_the_user(call_context):
    with pytest.raises(CommandExecutionError, match="sudo_user"):
        sudo.execute({"conf_file": "/etc/salt/minion"}, {"fun": "test.x"}, print, [], {})


@pytest.fixture
def child(monkeypatch):
    """Return a function that sets the child's response; the list has its requests."""
    requests = []

    def respond(result):
        def run(words, *, stdin):
            requests.append(unpack(stdin))
            return Finished(1, 0, pack_bus(result) if result else b"", b"")

        monkeypatch.setattr(process.command, "run", run)
        return requests

    return respond


def test_a_process_gets_the_call_and_gives_its_return(call_context, child):
    context = call_context(grains={"os": "x"}, pillar={"p": 1}, opts={"id": "m1"})
    requests = child({"return": "done", "retcode": 2})

    assert process.execute({"id": "m1"}, {"fun": "test.x"}, print, ["a"], {"k": 1}) == "done"
    assert context.scratch["retcode"] == 2
    assert requests[0]["fun"] == "test.x"
    assert (requests[0]["args"], requests[0]["kwargs"]) == (["a"], {"k": 1})
    assert (requests[0]["grains"], requests[0]["pillar"]) == ({"os": "x"}, {"p": 1})


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("CommandExecutionError", CommandExecutionError),
        ("InvocationError", InvocationError),
        ("TypeError", TypeError),
        ("Exception", process.ChildFailed),
    ],
)
def test_errors_of_a_process_stay_what_they_were(call_context, child, name, kind):
    call_context()
    child({"error": name, "text": "oops"})

    with pytest.raises(kind, match="oops"):
        process.execute({}, {"fun": "test.x"}, print, [], {})


def test_a_process_without_output_has_failed(call_context, child):
    call_context()
    child(None)

    with pytest.raises(CommandExecutionError, match="exited with code 0"):
        process.execute({}, {"fun": "test.x"}, print, [], {})
