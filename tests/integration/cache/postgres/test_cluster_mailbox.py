"""Mailbox, locks and history of masters that share a database."""

import json

import pytest

from tests.support.commands import PROGRAM, outcome_of
from tests.support.waiting import until


def command(master, *words):
    return outcome_of([PROGRAM, *words, "-c", str(master.config_dir)])


@pytest.fixture
def two(start_masters):
    return start_masters("a", "b", timeout=10, history=True)


def test_the_master_to_which_a_minion_comes_back_delivers_what_another_one_kept(
    two, start_minion, salt, tmp_path
):
    one, other = two
    file = tmp_path / "ran"
    minion = start_minion(one)
    assert salt(one, "m1", "test.ping").minions == {"m1": True}
    minion.stop()
    kept = salt(one, "m1", "cmd.run", f"echo ran >> {file}", "--when-back", "1h", as_json=False)
    assert kept.code == 0

    minion.settings["master"] = [f"127.0.0.1:{other.ret_port}"]
    minion.start()

    until(lambda: file.exists() and file.read_text() == "ran\n", "it has run")
    until(lambda: json.loads(command(one, "mailbox", "list", "--out=json").out) == [], "nothing waits")
    assert file.read_text() == "ran\n"


def test_a_lock_of_one_master_holds_at_the_other_at_once(two, start_minion, salt):
    one, other = two
    start_minion(other)
    lock = command(one, "lock", "m1", "--reason", "disks", "--until", "1h").out.split()[0]

    refused = salt(other, "m1", "cmd.run", "echo ran", as_json=False)

    assert "m1 is locked by root until" in refused.err
    assert command(other, "lock", "drop", lock).code == 0
    assert "is locked" not in salt(one, "m1", "cmd.run", "echo ran", as_json=False).err


def test_state_runs_at_each_master_are_in_the_history_once(two, start_minion, reach, salt, tmp_path):
    one, other = two
    target = tmp_path / "motd"
    start_minion(other)
    reach(two, "m1")
    for master in two:
        ran = salt(
            master, "m1", "state.single", "file.managed", f"name={target}", f"contents={master.config_dir}"
        )
        assert ran.code == 0, ran.err

    def found():
        return json.loads(command(one, "history", str(target), "--out=json").out or "[]")

    until(lambda: len(found()) == 2, "both changes are there")
