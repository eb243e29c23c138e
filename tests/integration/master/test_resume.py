"""Orchestrations and batches of a killed master, which resumes them after its restart."""

import collections
import json

import pytest

from tests.support.commands import PROGRAM, outcome_of
from tests.support.waiting import until

STEPS = """
{{% for step in (1, 2, 3) %}}
step-{{{{ step }}}}:
  salt.function:
    - name: cmd.run
    - tgt: m1
    - arg: ["echo {{{{ step }}}} >> {ran}; until [ {{{{ step }}}} != 2 -o -e {gate} ]; do sleep 0.1; done"]
{{% endfor %}}
"""


def command(master, name, *words):
    outcome = outcome_of([PROGRAM, name, "-c", str(master.config_dir), *words, "--out=json"])
    return json.loads(outcome.out or "null")


def counted(path):
    return collections.Counter(path.read_text().split()) if path.exists() else collections.Counter()


@pytest.fixture
def places(tmp_path):
    """Return the files in which a job records that it runs, and those for which it waits."""
    return tmp_path / "ran", tmp_path / "gate"


@pytest.mark.parametrize("end", ["kill", "stop"])
def test_an_orchestration_goes_on_after_the_start_of_its_master(
    start_master, start_minion, salt, daemon_root, places, end
):
    ran, gate = places
    (daemon_root / "tree").mkdir()
    (daemon_root / "tree" / "deploy.sls").write_text(STEPS.format(ran=ran, gate=gate))
    master = start_master(file_roots={"base": [str(daemon_root / "tree")]})
    start_minion(master, "m1")
    assert salt(master, "m1", "test.ping").minions == {"m1": True}
    jid = command(master, "run", "state.orchestrate", "deploy", "--async")["jid"]
    until(lambda: counted(ran)["2"], "the second step")

    getattr(master, end)()
    master.start()
    gate.touch()

    (result,) = until(lambda: command(master, "run", "jobs.lookup_jid", jid), "the result").values()
    (running,) = result["return"]["data"].values()
    assert [entry["result"] for entry in running.values()] == [True] * 3, master.log()
    assert counted(ran) == {"1": 1, "2": 1, "3": 1}


def test_a_batch_goes_on_after_the_start_of_its_master(start_master, start_minion, salt, places):
    ran, gate = places
    master = start_master()
    for id in ("m1", "m2"):
        start_minion(master, id)
    assert sorted(salt(master, "m*", "test.ping").minions) == ["m1", "m2"]
    line = f"echo x >> {ran}; until [ -e {gate} ]; do sleep 0.1; done; echo done"
    jid = command(master, "cmd", "m*", "cmd.run", line, "python_shell=True", "-b1", "--async")["jid"]
    until(lambda: counted(ran), "the first minion")

    master.kill()
    master.start()
    gate.touch()

    def returns():
        result = command(master, "run", "jobs.lookup_jid", jid) or {}
        return result if len(result) == 2 else None

    assert until(returns, "both returns") == {"m1": "done", "m2": "done"}
    assert counted(ran) == {"x": 2}
    until(lambda: not command(master, "run", "batch.list_active"), "the end of the batch")
