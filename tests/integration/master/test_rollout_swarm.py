"""A rollout on a thousand simulated minions, every thirty-third of which fails."""

import collections
import pathlib
import sys

import pytest

from tests.support.rollouts import began, ended

pytestmark = pytest.mark.long

NIGHTS = pathlib.Path(__file__).parents[2] / "nights"
MINIONS, AT_ONCE = 1000, 40


@pytest.fixture
def swarm(start_master, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(NIGHTS))
    from fleet import Fleet

    master = start_master(auto_accept=True, timeout=20, rollout_guard={"above": 50, "functions": ["*"]})
    with Fleet(master, tmp_path / "swarm", MINIONS, fault_every=33, duration=0.05) as fleet:
        fleet.wait_until_subscribed()
        yield master, fleet


@pytest.mark.skipif(sys.platform != "linux", reason="thousands of connections need limits that Linux has")
def test_a_thousand_minions_are_reached_in_waves_and_never_more_than_a_slice_at_once(swarm):
    master, fleet = swarm
    waves = ("--rollout", "2,10%,50%,100%", "-b", AT_ONCE, "--stop-at", "5%")

    jid = began(master, "*", "state.apply", "web", *waves)
    found = ended(master, jid)
    ledger = fleet.end()

    assert (found["state"], found["reached"]) == ("done", MINIONS)
    assert [wave["size"] for wave in found["waves"]] == [2, 98, 400, 500]
    failed = {id: why for wave in found["waves"] for id, why in wave["failed"].items()}
    assert failed == {f"swarm-{number:05d}": "retcode 1" for number in range(32, MINIONS, 33)}
    received = collections.Counter(id for got, id in ledger["received"] if got == jid)
    assert (len(received), set(received.values())) == (MINIONS, {1})
    assert ledger["most"]["state.apply"] <= AT_ONCE
