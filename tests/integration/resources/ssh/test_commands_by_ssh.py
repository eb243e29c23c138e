"""Commands on hosts behind a real sshd: output, exit codes, quoting, users, limits."""

import subprocess
import time

import pytest

from tests.support.waiting import until


@pytest.fixture(scope="module")
def server(place):
    return place.sshd("commands")


@pytest.fixture
def call(place, server, reach):
    return reach({"web-01": place.settings(server)})


@pytest.mark.parametrize(
    ("command", "printed", "code"),
    [
        ("echo hi", "hi", 0),
        ("printf '%s|' 'a  b' \"c'd\" '$HOME' '*'", "a  b|c'd|$HOME|*|", 0),
        ("echo out; echo err >&2; exit 3", "out\nerr", 1),
        ("printf 'ä€\\n'", "ä€", 0),
    ],
)
def test_a_command_arrives_as_it_was_written(call, command, printed, code):
    outcome = call("cmd.run", command, tgt="web-01")

    assert (outcome.value, outcome.code) == (printed, code)


def test_all_of_a_result_is_reported(call):
    found = call("cmd.run_all", "echo out; echo err >&2; exit 3", tgt="web-01").value

    assert found.pop("pid") > 1
    assert found == {"retcode": 3, "stdout": "out", "stderr": "err"}


def test_options_of_commands_hold_on_the_host(call):
    words = ["cmd.run", 'pwd; echo "$A"; umask; cat', "cwd=/tmp", "env={A: b  c}", "umask=027", "stdin=in"]

    found = call(*words, tgt="web-01").value

    assert found.splitlines() == ["/tmp", "b  c", "0027", "in"]


def test_a_command_runs_as_another_user(call):
    assert call("cmd.run", "id -un", "runas=nobody", tgt="web-01").value == "nobody"


def test_a_missing_directory_is_reported(call):
    found = call("cmd.run", "pwd", "cwd=/nowhere", tgt="web-01")

    assert "Specified cwd '/nowhere' either not absolute or does not exist" in str(found.value) + found.err


def test_a_command_that_takes_too_long_is_ended_with_its_children(call):
    mark = f"{time.time_ns()}"

    found = call("cmd.run", f"sleep 321.{mark} & wait", "timeout=2", tgt="web-01").value

    assert found.endswith("Timed out after 2 seconds")
    left = call("cmd.run", f"pgrep -fx 'sleep 321.{mark}'; :", tgt="web-01").value
    assert left == ""


def test_a_daemon_that_keeps_the_output_does_not_keep_the_command(call):
    begun = time.monotonic()

    found = call("cmd.run", "sleep 60 & echo started", tgt="web-01").value

    assert found == "started"
    assert time.monotonic() - begun < 45


def test_scripts_are_brought_and_run(call):
    call.write({"hello.sh": '#!/bin/sh\necho "hello $2"\nexit 4\n'})

    found = call("cmd.script", "salt://hello.sh", "one 'a  b'", tgt="web-01").value

    assert (found["stdout"], found["retcode"]) == ("hello a  b", 4)


def test_late_output_of_a_command_does_not_appear_in_the_next(call):
    states = {
        "first": "(sleep 3; echo late) & echo first",
        "second": "sleep 4; echo second",
        "third": "echo third; kill -s KILL $(ps -o ppid= -p $(ps -o ppid= -p $$))",
        "fourth": "echo fourth",
    }
    runs = [f"{id}:\n  cmd.run: [{{name: '{command}'}}]\n" for id, command in states.items()]
    call.write({"one_after_another.sls": "".join(runs)})

    found = call("state.apply", "one_after_another", tgt="web-01").value

    outputs = {one["__id__"]: one["changes"].get("stdout") for one in found.values()}
    assert (outputs["first"], outputs["second"], outputs["fourth"]) == ("first", "second", "fourth")


def test_a_command_that_takes_too_long_is_ended_with_what_left_its_group(call):
    mark = f"60{time.time_ns() % 1_000_000}"

    found = call("cmd.run", f"setsid -w sleep {mark} & sleep {mark}", "timeout=2", tgt="web-01")

    assert "Timed out after 2" in str(found.value)
    until(lambda: subprocess.run(["pgrep", "-f", f"^sleep {mark}"]).returncode == 1, "their end")


@pytest.mark.parametrize("way", [[], ["stdin=" + "x" * 20_000]], ids=["shell that stays", "session"])
def test_a_command_that_prints_too_much_is_ended(call, way):
    mark = f"{time.time_ns()}"

    found = call("cmd.run", f"yes {mark}", *way, tgt="web-01")

    assert "printed more than 64 MiB, so the command was terminated" in str(found.value) + found.err
    assert call("cmd.run", f"pgrep -cf '^yes {mark}'", "ignore_retcode=True", tgt="web-01").value == "0"
