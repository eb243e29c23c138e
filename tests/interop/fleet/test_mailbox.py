"""Jobs for an absent minion: stock's and ours get each once, in order."""

import json
import subprocess

import pytest


@pytest.fixture
def fleet_of_ours(fleet):
    """Return a fleet whose master and tools are ours."""
    if fleet.master.whose != "ours" or fleet.tools != "ours":
        pytest.skip("the mailbox is one of our master and of our tools")
    return fleet


def waiting(fleet):
    command = fleet.command("salt", "x")
    finished = subprocess.run(
        [command[0], "mailbox", "list", "--out=json", *command[2:4]],
        capture_output=True,
        check=False,
        timeout=60,
    )
    return json.loads(finished.stdout or "[]")


def test_a_minion_that_is_back_runs_each_order_once_in_order(fleet_of_ours, wait_until):
    fleet = fleet_of_ours
    ran = fleet.root / "ran"
    fleet.minion.stop()
    for word in ("one", "two"):
        kept = fleet.salt("m1", "cmd.run", f"echo {word} >> {ran}", "--when-back", "1h", as_json=False)
        assert kept.code == 0

    fleet.minion.start()

    wait_until(lambda: ran.exists() and ran.read_text().split() == ["one", "two"], "both have run", fleet)
    wait_until(lambda: waiting(fleet) == [], "nothing waits any more", fleet)
    fleet.minion.restart()
    fleet.wait_for_answer()
    assert ran.read_text().split() == ["one", "two"]
