"""Locks, freezes and the audit log of a real master."""

import datetime
import json
import os

import pytest

from tests.support.commands import PROGRAM, outcome_of
from tests.support.daemons import RunningMaster
from tests.support.waiting import until


@pytest.fixture(params=["embedded", "postgres"])
def settings(request):
    """Return a master's settings for each kind of store."""
    if request.param == "postgres":
        return {"store": request.getfixturevalue("postgres_url")}
    return {}


def command(master, *words):
    return outcome_of([PROGRAM, *words, "-c", str(master.config_dir)])


def lock(master, *words):
    return command(master, "lock", *words)


def echo(salt, master, target="m1", *more):
    return salt(master, target, "cmd.run", "echo ran", *more, as_json=False)


def test_a_locked_minion_is_changed_by_nobody_until_the_lock_is_dropped(
    settings, start_master, start_minion, salt
):
    master = start_master(**settings)
    start_minion(master)
    made = lock(master, "m*", "--reason", "moving the disks", "--until", "1h")
    id = made.out.split()[0]

    refused = echo(salt, master)
    assert refused.code == 2 and "ran" not in refused.out
    assert "m1 is locked by root until " in refused.err
    assert f": moving the disks (lock {id})" in refused.err
    assert salt(master, "m1", "test.ping").minions == {"m1": True}
    assert "ran" in echo(salt, master, "m1", "--despite-lock", id).out

    # A lock outlives the master.
    master.kill()
    master.start()
    assert "is locked by" in echo(salt, master).err
    assert lock(master, "list").out.split()[0] == id

    assert (lock(master, "drop", id).code, lock(master, "drop", id).code) == (0, 1)
    until(lambda: "ran" in echo(salt, master).out, "the job runs")


def test_orders_of_runners_are_refused_too(start_master, start_minion, salt):
    master = start_master()
    start_minion(master)
    lock(master, "m1", "--reason", "disks", "--until", "1h")

    result = command(master, "run", "salt.execute", "m1", "cmd.run", "echo ran")

    assert "ran" not in result.out.split()


def test_a_freeze_of_the_settings_refuses_and_can_be_passed(start_master, start_minion, salt):
    tomorrow = str(datetime.date.today() + datetime.timedelta(days=1))
    freeze = {"name": "xmas", "reason": "holidays", "from": "2020-01-01", "until": tomorrow}
    master = start_master(change_freezes=[freeze])
    start_minion(master)

    assert "m1 is frozen by the setting change_freezes until" in echo(salt, master).err
    assert "freeze:xmas" in lock(master, "list").out
    assert "removed from the setting" in lock(master, "drop", "freeze:xmas").err
    assert "ran" in echo(salt, master, "m1", "--despite-lock", "freeze:xmas").out


def test_only_those_with_the_right_lock_and_break(start_master, start_minion, salt):
    rights = {"ann": [".*", "@lock"], "bob": [".*"]}
    master = start_master(external_auth={"auto": rights})
    start_minion(master)
    login = ("-a", "auto", "--password", "x", "--username")
    id = lock(master, "m1", "--reason", "disks", "--until", "1h").out.split()[0]

    assert "ran" in echo(salt, master, "m1", "--despite-lock", id, *login, "ann").out
    refused = echo(salt, master, "m1", "--despite-lock", id, *login, "bob")
    assert refused.code != 0 and "ran" not in refused.out
    made = lock(master, "m1", "--reason", "disks", "--until", "1h", *login, "ann")
    assert (made.code, "  ann (auto)  " in made.out) == (0, True)
    assert lock(master, "m1", "--reason", "disks", "--until", "1h", *login, "bob").code == 2
    assert lock(master, "drop", made.out.split()[0], *login, "ann").code == 0


def test_a_target_that_would_protect_nothing_is_refused(start_master):
    master = start_master()

    for words in (
        ["-N", "nosuch"],
        ["-E", "("],
        ["-C", "and and"],
        ["-C", "m1 or ("],
        ["-S", "10.0.0.0/99"],
        [""],
    ):
        assert lock(master, *words, "--reason", "x", "--until", "1h").code == 2, words
    assert lock(master, "nobody*", "--reason", "x", "--until", "1h").code == 0
    assert len(lock(master, "list").out.splitlines()) == 1


def test_an_audit_log_that_cannot_be_opened_ends_the_start_in_words(daemon_root, tmp_path):
    master = RunningMaster(daemon_root / "master", audit_log=str(tmp_path))

    with pytest.raises(AssertionError, match="audit_log: .*cannot be opened, so decisions would not be"):
        master.start()


def test_jobs_of_several_functions_are_decided_and_written_as_a_whole(
    start_master, start_minion, salt, tmp_path
):
    log = tmp_path / "audit.log"
    guard = {"above": 1, "functions": ["cmd.run"]}
    master = start_master(
        audit_log=str(log), external_auth={"auto": {"bob": ["test.*"]}}, rollout_guard=guard
    )
    start_minion(master)
    bob = ("-a", "auto", "--username", "bob", "--password", "x")

    assert salt(master, "m1", "test.echo,test.ping", "hi", ",", as_json=False).code == 0
    assert salt(master, "m1", "test.echo,cmd.run", "hi", ",", "id", *bob, as_json=False).code != 0
    kept = salt(master, "m1", "test.echo,test.ping", "hi", ",", "--when-back", "1h", *bob, as_json=False)
    assert kept.code == 0, kept.err
    lock(master, "m1", "--reason", "disks", "--until", "1h")
    assert "is locked by" in salt(master, "m1", "test.ping,cmd.run", ",", "id", as_json=False).err

    lines = [json.loads(line) for line in log.read_text().splitlines()]
    found = [(one["what"], one["user"], one["from"], one["fun"], one["verdict"]) for one in lines]
    own = f"uid {os.geteuid()}"
    assert ("publish", "root", own, ["test.echo", "test.ping"], "allowed") in found
    assert ("publish", "bob", own, ["test.echo", "cmd.run"], "refused") in found
    assert ("lock", "root", own, ["test.ping", "cmd.run"], "refused") in found


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("m1", "--reason", "x", "--until", "yesterday"), "is not a time"),
        (("m1", "--reason", "x"), "--until"),
        (("m1", "--reason", "x", "--until", "401d"), "is not a time"),
    ],
)
def test_mistakes_are_explained(start_master, words, part):
    result = lock(start_master(), *words)

    assert result.code == 64 and part in result.err


def test_a_malformed_freeze_ends_the_start_in_words(daemon_root):
    master = RunningMaster(daemon_root / "master", change_freezes=[{"name": "x"}])

    with pytest.raises(AssertionError, match="change_freezes: number 1 needs name"):
        master.start()


def test_the_chain_of_decisions_shows_where_it_was_cut(start_master, start_minion, salt, tmp_path):
    log = tmp_path / "audit.log"
    master = start_master(audit_log=str(log), external_auth={"auto": {"bob": ["test.*"]}})
    start_minion(master)
    salt(master, "m1", "test.ping")
    login = ("-a", "auto", "--username", "bob", "--password", "hidden")
    salt(master, "m1", "cmd.run", "secret words", *login, as_json=False)
    master.kill()
    master.start()
    salt(master, "m1", "test.ping")

    lines = [json.loads(line) for line in log.read_text().splitlines()]
    result = [(one["what"], one["user"], one["fun"], one["verdict"]) for one in lines]
    assert ("publish", "root", "test.ping", "allowed") in result
    assert ("publish", "bob", "cmd.run", "refused") in result
    assert "secret words" not in log.read_text() and "hidden" not in log.read_text()
    whole = command(master, "audit", "verify")
    assert (whole.code, "the chain holds" in whole.out) == (0, True)

    log.write_text(log.read_text().replace('"bob"', '"eve"'))
    cut = command(master, "audit", "verify")

    assert cut.code == 1 and "before it was changed" in cut.out
