"""`-d`: the command exits once the daemon serves, or fails if the daemon does."""

import os
import pathlib
import signal
import socket
import tempfile

import pytest
import yaml

from tests.support.waiting import until


@pytest.fixture
def start(salt_g):
    """Yield a function that runs `salt-g master -d` with these settings.

    The daemon is stopped afterwards.
    """
    # Not tmp_path: the path of a UNIX socket has 107 bytes at most.
    with tempfile.TemporaryDirectory(prefix="sg-") as directory:
        root = pathlib.Path(directory)
        pid_file = root / "pid"

        def started(**settings):
            text = {"root_dir": directory, "interface": "127.0.0.1", "pidfile": str(pid_file), **settings}
            (root / "master").write_text(yaml.safe_dump(text))
            return salt_g.run("master", "-c", directory, "-d", timeout=120)

        started.root = root
        yield started
        if pid_file.exists():
            pid = int(pid_file.read_text())
            os.kill(pid, signal.SIGTERM)
            until(lambda: not pid_file.exists(), "the master has ended")


def test_the_next_command_finds_a_master_that_serves(start, salt_g):
    outcome = start(publish_port=0, ret_port=0)

    assert outcome.code == 0, outcome
    assert salt_g.run("run", "-c", start.root, "--out=json", "test.arg", "x").code == 0


def test_a_start_that_fails_fails_the_command_and_says_why(start):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        outcome = start(publish_port=0, ret_port=taken.getsockname()[1])

    assert outcome.code == 1
    assert "another program listens there" in outcome.err
