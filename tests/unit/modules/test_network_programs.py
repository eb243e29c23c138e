"""Programs that did not reach a server: their names, and the seconds waited."""

import os
import re

import pytest

from salt_g.modules import _network_programs
from salt_g.modules._network_programs import run_online


@pytest.fixture
def program(programs):
    """Return a function that sets the answer of each program."""

    def answers(retcode=1, stdout="", stderr=""):
        recorded = programs()
        recorded.answer("", stdout, retcode, stderr)
        return recorded

    return answers


@pytest.mark.parametrize(
    "stderr",
    [
        "fatal: unable to access 'http://h/r/': Failed to connect to h port 80: Couldn't connect to server",
        "E: Failed to fetch http://h/r  Could not connect to h:80 (1.2.3.4). - connect (111)",
        "npm ERR! network request to http://h/r failed, reason: connect ECONNREFUSED 1.2.3.4:80",
        "Unable to download data from http://h/r - Net::OpenTimeout: Failed to open TCP connection",
        "ssh: Could not resolve hostname h: Temporary failure in name resolution (http://h/r)",
        "error: RPC failed; curl 28 Operation too slow. http://h/r: Less than 1 bytes/sec",
    ],
)
def test_the_unreached_server_is_reported_below_the_programs_output(program, stderr):
    program(stderr=stderr)

    result = run_online(["program"])["stderr"]

    assert result.startswith(f"{stderr}\n")
    assert re.fullmatch(r"http://h/r/? was not reached, waited \d\.\d s", result.splitlines()[-1])


def test_the_url_that_the_caller_knows_counts_and_loses_its_password(program):
    program(stderr="ETIMEDOUT http://other/")

    result = run_online(["npm"], url="https://user:secret@registry/")["stderr"]

    assert "https://registry/ was not reached" in result
    assert "secret" not in result


def test_the_url_of_the_line_that_failed_counts(program):
    program(stderr="see http://docs/help\nhttp://h/r: connection refused")

    assert "http://h/r was not reached" in run_online(["gem"])["stderr"]


def test_where_errors_go_to_standard_output_the_sentence_does_too(program):
    program(stdout="http://h/ timed out")

    assert "was not reached" in run_online(["git"], redirect_stderr=True)["stdout"]


@pytest.mark.parametrize(("retcode", "stderr"), [(0, "connection refused"), (1, "no such package")])
def test_success_and_other_failures_are_as_they_were(program, retcode, stderr):
    program(retcode=retcode, stderr=stderr)

    assert run_online(["pip"])["stderr"] == stderr


def test_patience_is_a_default_of_the_environment(program, monkeypatch):
    recorded = program(retcode=0)
    monkeypatch.setattr(_network_programs.os, "environ", {**os.environ, "B": "theirs"})

    run_online(["npm"], patience={"A": "1", "B": "2", "C": "3"}, env={"C": "given"})

    assert recorded.options[0]["env"] == {"A": "1", "C": "given"}
