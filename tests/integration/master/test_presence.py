"""Presence of minions, and how jobs wait for minions that are gone."""

import json

import pytest

from tests.support.commands import PROGRAM, outcome_of
from tests.support.waiting import until


@pytest.fixture
def runner():
    """Return a function: `runner(master, "manage.status")` is an Outcome."""

    def run(master, *words):
        return outcome_of([PROGRAM, "run", "-c", str(master.config_dir), "--out=json", *words])

    return run


@pytest.fixture
def fleet(start_master, start_minion):
    """Return a master with the minions a and b, which share an address."""
    # A command that waits for gather_job_timeout exceeds the deadline of a test.
    master = start_master(timeout=2, gather_job_timeout=1000, presence_events=True, loop_interval=1)
    master.minions = {id: start_minion(master, id) for id in ("a", "b")}
    return master


def test_a_minion_that_is_surely_gone_is_neither_queried_nor_waited_for(fleet, runner, salt):
    # The last minion heard from goes: a count of connections alone would name another.
    salt(fleet, "a", "test.ping")
    salt(fleet, "b", "test.ping")
    fleet.minions["b"].stop()

    status = runner(fleet, "manage.status")
    outcome = salt(fleet, "*", "test.ping")

    assert json.loads(status.out) == {"up": ["a"], "down": ["b"]}
    assert outcome.minions["a"] is True
    assert outcome.minions["b"].startswith("Minion did not return. [Not connected]")


@pytest.fixture(params=["zeromq", "tcp", "ws"])
def fleet_of(request, start_master, start_minion):
    """Return the same fleet with each transport."""
    # A command that waits for gather_job_timeout exceeds the deadline of a test.
    master = start_master(timeout=2, gather_job_timeout=1000, transport=request.param)
    master.minions = {id: start_minion(master, id, transport=request.param) for id in ("a", "b")}
    return master


def test_a_lone_target_that_is_gone_is_not_waited_for_even_if_another_shares_its_address(fleet_of, salt):
    fleet_of.minions["b"].stop()

    outcome = salt(fleet_of, "b", "test.ping")

    assert outcome.minions["b"].startswith("Minion did not return. [Not connected]")


def test_a_batch_does_not_wait_for_minions_that_left(fleet, salt):
    fleet.minions["b"].stop()

    batch = salt(fleet, "*", "test.ping", "-b", "1", as_json=False)

    assert "a:\n    True" in batch.out


def test_of_two_at_one_address_the_one_that_did_not_come_back_is_found_out(fleet, runner):
    fleet.stop()
    fleet.minions["b"].stop()
    fleet.start()

    present = until(lambda: runner(fleet, "manage.present").out == '[\n    "a"\n]\n', "b is known to be gone")

    assert present
