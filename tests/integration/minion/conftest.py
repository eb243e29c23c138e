"""Pairs of masters, and the command line on one of them."""

import json
import subprocess

import pytest

from tests.support.commands import PROGRAM
from tests.support.daemons import RunningMaster
from tests.support.waiting import DEADLINE


@pytest.fixture
def order():
    """Return a function that returns the output, parsed as JSON: `order(master, "m1", "test.ping")`."""

    def run(master, *words):
        finished = subprocess.run(
            [PROGRAM, "cmd", "-c", str(master.config_dir), "--out=json", "--static", "-t", "60", *words],
            capture_output=True,
            text=True,
            timeout=DEADLINE,
        )
        # Without any minion there is a sentence in place of a map.
        return json.loads(finished.stdout) if finished.stdout.startswith("{") else {}

    return run


@pytest.fixture
def pair(start_master, daemon_root):
    """Yield two masters with the same key, as minions of several masters require."""
    first = start_master()
    pki = daemon_root / "second" / "pki"
    pki.mkdir(parents=True)
    for name in ("master.pem", "master.pub"):
        (pki / name).write_bytes((first.pki_dir / name).read_bytes())
    second = RunningMaster(daemon_root / "second").start()
    yield first, second
    second.stop()
