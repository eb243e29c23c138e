"""pepper, the command-line client of stock's API, unmodified from PyPI."""

import json
import pathlib
import subprocess
import sys

import pytest

from tests.support.api_client import PASSWORD
from tests.support.waiting import DEADLINE

PEPPER = str(pathlib.Path(sys.executable).with_name("pepper"))


@pytest.fixture
def pepper(client, tmp_path):
    """Return a function that runs `pepper` and returns its output."""

    def run(*words, user="ann", code=0):
        connection = ["-u", f"http://127.0.0.1:{client.port}", "-a", "sharedsecret"]
        login = ["--username", user, "--password", PASSWORD, "--non-interactive"]
        finished = subprocess.run(
            [sys.executable, "-W", "ignore", PEPPER, *connection, *login, *words],
            capture_output=True,
            text=True,
            timeout=DEADLINE,
            env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
            check=False,
        )
        assert finished.returncode == code, finished.stdout + finished.stderr
        return finished.stdout

    return run


def _values(output):
    """Return the successive JSON documents of an output."""
    decoder, found = json.JSONDecoder(), []
    while output := output.strip():
        value, end = decoder.raw_decode(output)
        found.append(value)
        output = output[end:]
    return found


def test_jobs_runners_and_wheel_functions(pepper):
    [returned] = _values(pepper("*", "test.ping"))[0]["return"]
    assert returned["m1"]["ret"] is True
    [ended] = _values(pepper("--client=runner", "manage.up"))[0]["return"]
    assert ended["data"]["return"] == ["m1"]
    [keys] = _values(pepper("--client=wheel", "key.list_all"))[0]["return"]
    assert keys["data"]["return"]["minions"] == ["m1"]
    [started] = _values(pepper("--client=local_async", "*", "test.ping"))[0]["return"]
    assert started["minions"] == ["m1"]


def test_a_user_without_the_right_learns_it(pepper):
    output = pepper("*", "cmd.run", "id", user="bob", code=1)

    assert "m1" not in output
