"""The command line at one master of a cluster: minions and jobs of the others look like its own."""

import json

import pytest

from tests.support.commands import PROGRAM, outcome_of
from tests.support.waiting import until


@pytest.fixture
def pair(start_masters, start_minion, reach):
    """Return masters `a` and `b`, with the minion `m1` at the first and `m2` at the second."""
    a, b = start_masters("a", "b")
    for master in (a, b):
        pillar = master.root / "pillar"
        (pillar / "top.sls").write_text("base: {m1: [mail], m2: [web]}\n")
        for team in ("mail", "web"):
            (pillar / f"{team}.sls").write_text(f"team: {team}\n")
    start_minion(a, "m1", grains={"role": "db"})
    start_minion(b, "m2", grains={"role": "www"})
    reach([a, b], "m1", "m2")
    return a, b


def run(master, *words):
    """Return the value of a runner function."""
    command = [PROGRAM, "run", "-c", str(master.config_dir), "--out=json", *words]
    return json.loads(outcome_of(command).out)


def test_targets_select_minions_of_another_master(pair, salt):
    a, b = pair
    targets = [
        (("-G", "role:db"), ["m1"]),
        (("-P", "role:(db|www)"), ["m1", "m2"]),
        (("-I", "team:mail"), ["m1"]),
        (("-C", "G@role:db or I@team:web"), ["m1", "m2"]),
        (("-L", "m1,m2"), ["m1", "m2"]),
        (("-E", "m[0-9]"), ["m1", "m2"]),
    ]

    for words, ids in targets:
        for master in (a, b):
            assert sorted(salt(master, *words, "test.ping").minions) == ids, (words, master.settings["id"])


def test_runners_see_minions_of_another_master(pair, start_minion, salt):
    a, b = pair
    everyone = {"up": ["m1", "m2"], "down": []}

    until(lambda: run(b, "manage.status") == everyone, "all up")
    assert run(a, "manage.status") == everyone
    # Masters announce in their beats which minions are connected, a moment later.
    until(lambda: run(a, "manage.alived") == run(b, "manage.alived") == ["m1", "m2"], "both alive")
    until(lambda: run(a, "manage.present") == run(b, "manage.present") == ["m1", "m2"], "both present")
    versions = run(b, "manage.versions")
    assert "m1" in str(versions)
    assert "m2" in str(versions)


def test_a_job_of_one_master_is_followed_and_ended_at_the_other(pair, salt, tmp_path):
    a, b = pair
    started = tmp_path / "started"
    job = f"touch {started}; sleep 600"
    jid = salt(a, "--async", "m1", "cmd.run", job, as_json=False).out.rsplit(" ", 1)[-1].strip()
    until(started.exists, "the running job")

    assert salt(b, "*", "saltutil.find_job", jid).minions["m1"]["jid"] == jid
    assert list(run(b, "jobs.active")) == [jid]
    assert run(b, "jobs.list_job", jid)["Minions"] == ["m1"]
    assert "Signal 9 sent" in salt(b, "m1", "saltutil.kill_job", jid).minions["m1"]
    until(lambda: "m1" in run(a, "jobs.lookup_jid", jid), "its return")
    assert list(run(b, "jobs.exit_success", jid)) == ["m1"]
    assert jid in run(b, "jobs.list_jobs", "search_target=m1", "search_function=cmd.run")
    assert jid in run(b, "jobs.last_run", "function=cmd.run")
    assert run(b, "jobs.active") == {}


def test_batches_reach_minions_of_all_masters(pair, salt):
    a, b = pair

    for master in (a, b):
        out = salt(master, "-b", "1", "*", "test.echo", "hello", as_json=False).out
        assert out.count("hello") == 2, out
