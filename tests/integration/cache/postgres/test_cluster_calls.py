"""Runners, batches and reactions in a cluster while one of its masters is killed."""

import json

from salt_g.client import LocalClient
from tests.support.commands import PROGRAM, outcome_of
from tests.support.waiting import until


def command(master, name, *words):
    return outcome_of([PROGRAM, name, "-c", str(master.config_dir), *words])


def test_a_runner_of_a_killed_master_ends_with_a_verdict_at_the_others(start_masters, tmp_path):
    a, b = start_masters("a", "b")
    mark = tmp_path / "begun"
    words = ["salt.cmd", "cmd.run", f"touch {mark}; sleep 60", "python_shell=True", "--async", "--out=json"]
    started = command(a, "run", *words)
    assert started.code == 0, started
    until(mark.exists, "the runner")
    jobs = json.loads(command(b, "run", "jobs.list_jobs", "--out=json").out)
    assert not any("salt.cmd" in job["Function"] for job in jobs.values())

    a.kill()

    def verdict():
        listed = json.loads(command(b, "run", "jobs.list_jobs", "--out=json").out)
        return [jid for jid, job in listed.items() if "salt.cmd" in job["Function"]]

    (jid,) = until(verdict, "the verdict")
    result = command(b, "run", "jobs.lookup_jid", jid).out
    assert "master a ended while it ran" in result


def test_a_reaction_happens_once_in_the_cluster(start_masters, start_minion, reach, daemon_root, tmp_path):
    ran = tmp_path / "reactions"
    react = daemon_root / "react.sls"
    react.write_text(
        "note:\n  runner.salt.cmd:\n    - args:\n      - fun: cmd.run\n"
        f"      - cmd: echo {{{{ data['data']['number'] }}}} >> {ran}\n      - python_shell: true\n"
    )
    a, b = start_masters("a", "b", reactor=[{"my/event": [str(react)]}])
    start_minion(a, "m1")
    start_minion(b, "m2")
    reach([a, b], "m1", "m2")

    with LocalClient(c_path=str(a.config_dir / "master")) as local:
        for number in range(10):
            id = f"m{1 + number % 2}"
            local.cmd(id, "event.send", ["my/event", {"number": number}])

    until(lambda: ran.exists() and len(ran.read_text().split()) >= 10, "the reactions")
    reach([a, b], "m1", "m2")
    assert sorted(map(int, ran.read_text().split())) == list(range(10))
