"""Batches run by the master: their progress, and early ends."""

import pytest

from tests.support.waiting import until


@pytest.fixture
def fleet(start_master, start_minion):
    """Return a master with the minions a, b and c."""
    master = start_master()
    for id in ("a", "b", "c"):
        start_minion(master, id)
    return master


@pytest.fixture
def begin(fleet, command):
    """Return a function that starts a batch with these words on all minions and returns its jid."""

    def run(*words):
        started = command(fleet, "cmd", "*", *words, "--async")
        assert started.code == 0, started.err
        return started.out.split()[-1]

    return run


@pytest.fixture
def batch(fleet, command):
    """Return a function that calls a function of the runner and returns its value."""
    return lambda function, *words: command(fleet, "run", f"batch.{function}", *words, "--out=json").value


def test_a_batch_is_stopped_and_its_jobs_are_killed(fleet, begin, batch, command):
    jid = begin("test.sleep", 600, "-b", 1)
    until(lambda: batch("status", jid)["active"] == 1, "the first minion is at work")

    found = batch("status", jid)
    assert (
        found.items()
        >= {
            "jid": jid,
            "fun": "test.sleep",
            "tgt": "*",
            "tgt_type": "glob",
            "total": 3,
            "completed": 0,
            "active": 1,
            "pending": 2,
            "failed": 0,
            "batch_size": 1,
            "halted": False,
            "halted_reason": None,
        }.items()
    )
    assert found["created"] <= found["last_progress"]
    assert found["age_seconds"] >= 0
    assert [one["jid"] for one in batch("list_active")] == [jid]

    assert batch("stop", jid, "kill=True") is True

    found = batch("status", jid)
    assert (found["halted"], found["halted_reason"], found["pending"]) == (True, "stop", 2)
    assert batch("list_active") == []
    assert batch("stop", jid) is False
    until(lambda: command(fleet, "run", "jobs.active", "--out=json").value == {}, "nobody is at work")


def test_a_batch_that_has_ended_is_known(fleet, begin, batch):
    jid = begin("test.ping", "-b", "67%")
    until(lambda: batch("list_active") == [], "the batch has ended")

    found = batch("status", jid)

    assert (found["total"], found["completed"], found["active"], found["pending"]) == (3, 3, 0, 0)
    assert (found["batch_size"], found["halted"]) == (2, False)
    assert batch("status", "20260102030405678901") is None
