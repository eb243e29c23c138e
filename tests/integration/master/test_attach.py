"""`salt-g attach` to batches and rollouts, which publish their job to groups of minions in turn."""

import json
import subprocess

import pytest

from tests.support.commands import PROGRAM
from tests.support.rollouts import began, rollout, status
from tests.support.waiting import until

MINIONS = ["m0", "m1"]
#: Seconds between the return of the first minion and the beginning of the second.
PAUSE = 3


@pytest.fixture
def gate(tmp_path):
    return tmp_path / "gate"


@pytest.fixture
def started(tmp_path):
    return tmp_path / "started"


@pytest.fixture
def work(started, gate):
    """Return a command that runs until the gate file exists."""
    return f"touch {started}; until [ -e {gate} ]; do sleep 0.1; done"


@pytest.fixture
def master(start_master, start_minion, salt):
    master = start_master()
    for id in MINIONS:
        start_minion(master, id)
    until(lambda: sorted(salt(master, "*", "test.ping").minions) == MINIONS, "both minions")
    return master


def attach(master, jid):
    """Start to follow a job."""
    words = [PROGRAM, "attach", "-c", str(master.config_dir), jid, "--out=json", "--static"]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def followed(process):
    """Return the ids of the minions whose returns a command has printed by its end."""
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return sorted(json.loads(out))


@pytest.mark.parametrize("is_late", [False, True], ids=["at its beginning", "at work"])
def test_a_batch_is_followed_to_its_end_also_between_two_minions(master, work, gate, started, is_late):
    jid = began(master, "*", "cmd.run", work, "-b1", "--batch-wait", PAUSE)
    if is_late:
        until(started.exists, "the first minion")

    following = attach(master, jid)
    gate.touch()

    assert followed(following) == MINIONS


def test_a_paused_rollout_is_followed_until_it_has_ended(master, work, gate, started):
    jid = began(master, "*", "cmd.run", work, "--rollout", "1,100%")
    until(started.exists, "the first wave")
    assert rollout(master, "pause", jid).code == 0

    following = attach(master, jid)
    gate.touch()
    until(lambda: status(master, jid)["state"] == "paused", "the pause")
    assert rollout(master, "resume", jid).code == 0

    assert followed(following) == MINIONS
