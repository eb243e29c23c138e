"""Rollouts in waves: checks, failures, missing returns, undo, pause, a killed master, the guard, rights."""

import json
import re
import signal

import pytest

from tests.support.commands import PROGRAM, outcome_of
from tests.support.rollouts import began, counted, ended, rollout, status
from tests.support.waiting import until

IDS = ("a", "b", "c", "d")


@pytest.fixture
def fleet(start_master, start_minion, salt):
    """Return a function that starts a master with the connected minions a to d."""

    def start(ids=IDS, minions=None, **settings):
        master = start_master(timeout=5, **settings)
        for id in ids:
            start_minion(master, id, **(minions or {}))
        assert sorted(salt(master, "*", "test.ping").minions) == sorted(ids)
        return master

    return start


@pytest.fixture
def ran(tmp_path):
    return tmp_path / "ran"


def note(ran, more="true"):
    """Return a command with which a minion records that it runs."""
    return f"echo {{{{ grains.id }}}} >> {ran}; {more}"


def run(master, *words):
    return outcome_of([PROGRAM, "cmd", "-c", str(master.config_dir), *map(str, words)])


def test_a_rollout_goes_from_wave_to_wave(fleet, ran):
    master = fleet()

    result = run(
        master, "*", "cmd.run", note(ran), "template=jinja", "--rollout", "1,50%,100%", "--soak", "1s"
    )

    assert result.code == 0, result.err
    lines = result.out.splitlines()
    assert lines[1:3] == [f"wave {n} of 3: {size} done" for n, size in ((1, 1), (2, 1))]
    assert lines[3:] == ["wave 3 of 3: 2 done · done: 4 of 4"]
    assert ran.read_text().split()[:2] == ["a", "b"]
    assert counted(ran) == dict.fromkeys(IDS, 1)


def test_a_failed_check_stops_it_and_the_states_are_undone(fleet, daemon_root):
    (daemon_root / "tree").mkdir()
    made = daemon_root / "made"
    (daemon_root / "tree" / "web.sls").write_text(
        f"{made}-{{{{ grains.id }}}}:\n  file.managed:\n    - contents: new\n"
    )
    master = fleet(
        ids=("a", "b", "c"),
        minions={"state_undo": True},
        file_roots={"base": [str(daemon_root / "tree")]},
    )
    check = "cmd.run 'test {{ grains.id }} != b' template=jinja"

    result = run(
        master, "*", "state.apply", "web", "--rollout", "1,2,100%", "--check", check,
        "--stop-at", "40%", "--undo", "--out=json",
    )  # fmt: skip

    found = json.loads(result.out)
    assert (result.code, found["state"], found["stopped"]) == (1, "undone", "50 % > 40 %"), result.err
    assert (found["reached"], found["total"], found["untouched"], found["undone"]) == (2, 3, 1, 2)
    first, second, third = found["waves"]
    assert (first["state"], first["failed"]) == ("done", {})
    assert (second["state"], second["minions"], list(second["failed"])) == ("failed", ["b"], ["b"])
    assert second["failed"]["b"].startswith("check cmd.run")
    assert (third["state"], third["minions"]) == ("waiting", ["c"])
    assert sorted(path.name for path in daemon_root.glob("made-*")) == []
    line = rollout(master, "status", found["jid"]).out.splitlines()[-1]
    assert line == (
        "wave 2 of 3: 0 done, 1 failed check (b) · stopped: 50 % > 40 % · 1 untouched · undone on 2"
    )
    (listed,) = json.loads(rollout(master, "list", "--out=json").out)
    assert (listed["jid"], listed["waves"][0]["minions"]) == (found["jid"], [])


def test_it_is_paused_resumed_and_stopped(fleet, ran, tmp_path):
    master = fleet(ids=("a", "b", "c"))
    gate = tmp_path / "gate"
    waits = note(ran, f"until [ -e {gate} ]; do sleep 0.1; done")
    jid = began(master, "*", "cmd.run", waits, "template=jinja", "--rollout", "1,2,3")
    until(lambda: counted(ran)["a"], "the first wave")

    assert rollout(master, "pause", jid).out == f"{jid}: paused\n"
    gate.touch()
    until(lambda: status(master, jid)["state"] == "paused", "the pause")
    assert status(master, jid)["waves"][0]["state"] == "done"
    assert counted(ran) == {"a": 1}
    master.kill()
    master.start()
    until(lambda: status(master, jid)["state"] == "paused", "the pause, after a start")
    assert (status(master, jid)["reached"], status(master, jid)["waves"][0]["state"]) == (1, "done")
    gate.unlink()
    assert rollout(master, "resume", jid).out == f"{jid}: continues\n"
    until(lambda: counted(ran)["b"], "the second wave")
    assert rollout(master, "stop", jid).code == 0
    gate.touch()

    found = ended(master, jid)
    assert (found["state"], found["stopped"], found["untouched"]) == ("stopped", "by root", 1)
    assert counted(ran) == {"a": 1, "b": 1}
    assert (rollout(master, "resume", jid).code, rollout(master, "status", "1").code) == (1, 1)


@pytest.mark.parametrize(
    ("settings", "end"),
    [
        ({}, "kill"),
        ({}, "stop"),
        ({"pillar_secrets": ["db:password"]}, "kill"),
        ({"store": "a server"}, "kill"),
    ],
    ids=["killed", "stopped", "secrets", "postgres"],
)
def test_a_master_that_ended_goes_on_with_it_and_nobody_gets_it_twice(
    request, fleet, settings, end, ran, tmp_path
):
    if "store" in settings:
        settings = {"store": request.getfixturevalue("postgres_url")}
    master = fleet(ids=("a", "b", "c"), **settings)
    gate = tmp_path / "gate"
    waits = note(ran, f"until [ -e {gate} ]; do sleep 0.1; done")
    jid = began(
        master,
        "*",
        "cmd.run",
        waits,
        "template=jinja",
        "--rollout",
        "2,100%",
        "--check",
        f"cmd.run 'echo check >> {ran}'",
    )
    until(lambda: len(counted(ran)) == 2, "both minions of the first wave")

    getattr(master, end)()
    master.start()
    until(lambda: status(master, jid)["state"] == "running", "it is known again")
    gate.touch()

    found = ended(master, jid)
    assert (found["state"], found["reached"], found["user"]) == ("done", 3, "root"), master.log()
    assert counted(ran) == {"a": 1, "b": 1, "c": 1, "check": 3}


def test_a_minion_that_does_not_return_has_failed(start_master, start_minion, salt, ran, tmp_path):
    master = start_master(timeout=5, gather_job_timeout=2)
    first, _ = (start_minion(master, id) for id in ("a", "b"))
    assert sorted(salt(master, "*", "test.ping").minions) == ["a", "b"]
    gate = tmp_path / "gate"
    waits = note(ran, f"until [ -e {gate} ]; do sleep 0.1; done")
    jid = began(
        master, "*", "cmd.run", waits, "template=jinja", "--rollout", "1,2", "-t", "1", "--stop-at", "1"
    )
    until(lambda: counted(ran)["a"], "the first wave")

    first.send_signal(signal.SIGSTOP)
    gate.touch()
    found = ended(master, jid)
    first.send_signal(signal.SIGCONT)

    assert (found["state"], found["waves"][0]["failed"]) == ("done", {"a": "no answer"})
    result = rollout(master, "status", jid)
    assert (result.code, result.out.splitlines()[0]) == (1, "a: no answer")


def test_the_guard_refuses_many_at_once_for_every_user(fleet):
    guard = {"above": 1, "functions": ["state.*", "cmd.*"]}
    master = fleet(ids=("a", "b"), rollout_guard=guard, external_auth={"auto": {"ann": [".*", "@runner"]}})
    login = ("-a", "auto", "--username", "ann", "--password", "x")

    refused = run(master, "*", "cmd.run", "echo x")
    by_login = run(master, "*", "cmd.run", "echo x", *login)
    by_runner = outcome_of(
        [PROGRAM, "run", "-c", str(master.config_dir), "salt.execute", "*", "cmd.run", "arg=[echo x]"]
    )
    by_mailbox = run(master, "*", "cmd.run", "echo x", "--when-back", "1h")

    for result in (refused, by_login, by_mailbox):
        assert "rollout_guard allows 1" in result.out + result.err and result.code, result
    # This runner logs errors, as stock's does.
    assert (by_runner.out, "cmd.run on * (glob): The job was not published" in master.log()) == ("", True)
    assert (refused.code, "--all-at-once" in refused.err) == (2, True)
    for words in (
        ("*", "test.ping"),
        ("a", "cmd.run", "echo x"),
        ("*", "state.single", "test.nop", "x", "test=True"),
        ("*", "cmd.run", "echo x", "-b", "1"),
        ("*", "cmd.run", "echo x", "--all-at-once"),
        ("*", "cmd.run", "echo x", "--rollout", "100%"),
    ):
        result = run(master, *words)
        assert result.code == 0, (words, result.out, result.err)
    assert run(master, "*", "cmd.run", "echo x", "-b", "100%").code != 0


def test_users_need_the_rights_to_its_job_and_checks_and_steer_their_own(fleet, tmp_path):
    def login(name):
        return ("-a", "auto", "--username", name, "--password", "x")

    rights = {"ann": [{"a": ["cmd.run"]}], "bob": [], "eve": ["@runner"]}
    master = fleet(ids=("a", "b"), external_auth={"auto": rights})
    gate = tmp_path / "gate"
    line = f"until [ -e {gate} ]; do sleep 0.1; done"

    for words in (("*", "cmd.run", line), ("a", "cmd.run", line, "--check", "service.status x")):
        refused = run(master, *words, "--rollout", "1,100%", *login("ann"))
        assert (refused.code, "Authorization error" in refused.err) == (2, True), refused.err
    jid = began(master, "a", "cmd.run", line, "--rollout", "100%", *login("ann"))

    assert rollout(master, "pause", jid, *login("bob")).code == 2
    assert rollout(master, "status", jid, *login("bob")).code == 2
    assert rollout(master, "list", *login("bob"), "--out=json").out.strip() == "[]"
    assert rollout(master, "pause", jid, *login("ann")).code == 0
    assert rollout(master, "resume", jid, *login("eve")).code == 0
    gate.touch()
    assert (ended(master, jid)["state"], ended(master, jid)["user"]) == ("done", "ann")
    assert jid in rollout(master, "list", *login("ann")).out


def test_a_plan_is_applied_in_waves_once(fleet, daemon_root):
    (daemon_root / "tree").mkdir()
    made = daemon_root / "made"
    (daemon_root / "tree" / "web.sls").write_text(
        f"{made}-{{{{ grains.id }}}}:\n  file.managed:\n    - contents: new\n"
    )
    master = fleet(ids=("a", "b"), file_roots={"base": [str(daemon_root / "tree")]})
    planned = run(master, "*", "state.apply", "web", "test=True", "--save", "web.plan")
    (plan,) = re.findall(r"plan ([0-9a-f]{6}):", planned.out + planned.err)

    none = run(master, "*", "cmd.run", "x", "--rollout", "0")
    result = run(master, "*", plan, "--rollout", "1,100%", "--check", f"file.file_exists {made}-a")
    again = run(master, "*", plan, "--rollout", "1,100%")

    assert none.code == 64
    assert (result.code, sorted(path.name for path in daemon_root.glob("made-*"))) == (
        0,
        ["made-a", "made-b"],
    )
    assert (again.code, "it was applied at" in again.err) == (2, True)
