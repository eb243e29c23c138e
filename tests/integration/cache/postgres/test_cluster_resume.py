"""Orchestrations, batches and rollouts of a killed master, which another master resumes."""

import collections
import concurrent.futures
import json
import re

import psycopg
import pytest

from tests.support.commands import PROGRAM, outcome_of
from tests.support.rollouts import began, ended, rollout, status
from tests.support.waiting import until

pytestmark = pytest.mark.long

#: Where a command whose master is killed says that its run can be seen.
OTHER, LOOK = "at another master of the cluster", "salt-g run jobs.lookup_jid J"
#: A minion that notices within a second that its master has gone.
MOVING = {"master_type": "failover", "master_alive_interval": 1, "auth_timeout": 5, "auth_tries": 1}
#: State of a minion: note that it runs, and wait for a file.
STEP = """
run:
  cmd.run:
    - name: |
        echo {{{{ pillar['step'] }}}}-{{{{ grains['id'] }}}} >> {ran}
        until [ {{{{ pillar['step'] }}}} != 2 -o -e {gate} ]; do sleep 0.1; done
"""
STEPS = """
{% for step in (1, 2, 3) %}
step-{{ step }}:
  salt.state:
    - tgt: 'm*'
    - sls: step
    - pillar: {step: {{ step }}}
{% endfor %}
last:
  salt.runner:
    - name: jobs.list_jobs
"""


def command(master, name, *words):
    return outcome_of([PROGRAM, name, "-c", str(master.config_dir), *words])


def rows(url, sql):
    with psycopg.connect(url) as server:
        return server.execute(sql).fetchall()


def counted(path):
    return collections.Counter(path.read_text().split()) if path.exists() else collections.Counter()


@pytest.fixture
def tree(daemon_root):
    """Return states of the masters."""
    (daemon_root / "tree").mkdir()
    return daemon_root / "tree"


@pytest.fixture
def fleet(start_masters, start_minion, reach, tree):
    """Return two masters with a state tree and three minions that move between them."""
    masters = start_masters("a", "b", file_roots={"base": [str(tree)]})
    for number in range(3):
        places = masters if number % 2 else masters[::-1]
        start_minion(places, f"m{number}", **MOVING)
    reach(masters, "m0", "m1", "m2")
    return masters


@pytest.fixture
def deploy(tree, tmp_path):
    """Return (file of runs, gate) of an orchestration of three steps, the second of which waits."""
    ran, gate = tmp_path / "ran", tmp_path / "gate"
    (tree / "step.sls").write_text(STEP.format(ran=ran, gate=gate))
    (tree / "deploy.sls").write_text(STEPS)
    return ran, gate


def result(master, jid):
    """Return {state id: result} of a finished orchestration."""
    answer = command(master, "run", "jobs.lookup_jid", jid, "--out=json", "--out-indent=-1").out
    data = {}
    for outcome in json.loads(answer or "{}").values():
        assert isinstance(outcome["return"], dict), outcome
        data.update(outcome["return"]["data"])
    return {entry["__id__"]: entry["result"] for running in data.values() for entry in running.values()}


def begin(master, *words):
    """Start a runner and return its jid."""
    started = command(master, "run", *words, "--async", "--out=json")
    assert started.code == 0, started
    return json.loads(started.out)["jid"]


@pytest.mark.parametrize("end", ["kill", "stop"])
def test_an_orchestration_goes_on_at_another_master(fleet, deploy, postgres_url, end):
    (a, b), (ran, gate) = fleet, deploy
    jid = begin(a, "state.orchestrate", "deploy")
    until(lambda: sum(counted(ran).values()) == 6, "the second step of all")

    getattr(a, end)()
    until(lambda: "is resumed here" in b.log(), "another master")
    gate.touch()

    found = until(lambda: result(b, jid), "the result")
    assert found == dict.fromkeys(("step-1", "step-2", "step-3", "last"), True), b.log()
    assert counted(ran) == {f"{step}-m{id}": 1 for step in (1, 2, 3) for id in range(3)}
    until(lambda: not rows(postgres_url, KEPT), "the end of its record")


def test_an_orchestration_inside_another_one_goes_on_and_a_function_is_not_repeated(
    fleet, deploy, tree, tmp_path
):
    (a, b), (ran, gate) = fleet, deploy
    mark = tmp_path / "marks"
    both = {
        "inner": {"salt.runner": [{"name": "state.orchestrate"}, {"mods": "deploy"}, {"parallel": True}]},
        "function": {
            "salt.runner": [
                {"name": "salt.cmd"},
                {"arg": ["cmd.run", f"echo x >> {mark}; until [ -e {gate} ]; do sleep 0.1; done"]},
                {"kwarg": {"python_shell": True}},
                {"parallel": True},
            ]
        },
        "here": {"cmd.run": [{"name": f"echo y >> {mark}; until [ -e {gate} ]; do sleep 0.1; done"}]},
    }
    (tree / "both.sls").write_text(json.dumps(both))
    jid = begin(a, "state.orchestrate", "both")
    until(lambda: sum(counted(ran).values()) == 6 and sum(counted(mark).values()) == 2, "all parts")

    a.kill()
    until(lambda: "is resumed here" in b.log(), "another master")
    gate.touch()

    found = until(lambda: result(b, jid), "the result")
    assert found == {"inner": True, "function": False, "here": False}, b.log()
    assert counted(ran) == {f"{step}-m{id}": 1 for step in (1, 2, 3) for id in range(3)}
    assert counted(mark) == {"x": 1, "y": 1}


def test_a_batch_goes_on_at_another_master(fleet, deploy):
    (a, b), (ran, gate) = fleet, deploy
    words = ["m*", "state.apply", "step", "pillar={step: 2}", "-b1", "-t60", "--async", "--out=json"]
    started = command(a, "cmd", *words)
    assert started.code == 0, started
    until(lambda: counted(ran), "the first minion")
    (jid,) = json.loads(command(a, "run", "batch.list_active", "--out=json").out)

    a.kill()
    until(lambda: "is resumed here" in b.log(), "another master")
    (going_on,) = json.loads(command(b, "run", "batch.list_active", "--out=json").out)
    assert (going_on["jid"], going_on["total"]) == (jid["jid"], 3)
    gate.touch()

    def ended():
        answer = json.loads(command(b, "run", "batch.status", jid["jid"], "--out=json").out)
        return answer if answer["completed"] == 3 and not answer["active"] else None

    assert until(ended, "the end of the batch")["failed"] == 0
    assert counted(ran) == {f"2-m{id}": 1 for id in range(3)}
    stored = json.loads(command(b, "run", "jobs.lookup_jid", jid["jid"], "--out=json").out)
    assert sorted(stored.get("data", stored)) == ["m0", "m1", "m2"]


def test_a_command_whose_master_is_killed_says_what_goes_on_and_where(fleet, deploy, tree, tmp_path):
    (a, b), (ran, gate) = fleet, deploy
    mark = tmp_path / "mark"
    wait = f"echo x >> {mark}; until [ -e {gate} ]; do sleep 0.1; done"
    commands = {
        "job": [a, "cmd", "m*", "cmd.run", wait],
        # A minion that does not answer the batch's ping in time, as beside other work, is left out.
        "batch": [a, "cmd", "m*", "cmd.run", wait, "-b1", "-t60"],
        "orchestration": [a, "run", "state.orchestrate", "deploy"],
        "function": [a, "run", "salt.cmd", "cmd.run", wait, "python_shell=True"],
    }
    with concurrent.futures.ThreadPoolExecutor() as pool:
        running = {name: pool.submit(command, *words) for name, words in commands.items()}
        until(lambda: counted(mark)["x"] == 5 and sum(counted(ran).values()) == 6, "all of them")
        a.kill()
        ended = {name: one.result(60) for name, one in running.items()}

    assert [one.code for one in ended.values()] == [2] * 4, ended
    jids = {name: re.search(r"\b\d{20}\b", one.err)[0] for name, one in ended.items()}
    advice = {
        name: one.err.partition("was it stopped? ")[2].replace(jids[name], "J") for name, one in ended.items()
    }
    assert advice == {
        "job": f"The minions continue job J. To follow it {OTHER}: salt-g attach J."
        f" To see its returns: {LOOK}\n",
        "batch": f"The batch J continues. To follow it {OTHER}: salt-g attach J\n",
        "orchestration": f"The orchestration J continues. To see its result {OTHER}: {LOOK}\n",
        "function": "salt.cmd ended with it, and what it had begun is not repeated."
        f" To see its verdict {OTHER}: {LOOK}\n",
    }
    until(lambda: b.log().count("is resumed here") == 2, "another master")
    gate.touch()
    for name in ("job", "batch"):
        answer = command(b, "attach", jids[name], "--out=json", "--static")
        assert (answer.code, sorted(json.loads(answer.out))) == (0, ["m0", "m1", "m2"])
    assert until(lambda: result(b, jids["orchestration"]), "the result")["last"] is True
    verdict = command(b, "run", "jobs.lookup_jid", jids["function"])
    assert "master a ended while it ran" in verdict.out


def test_a_rollout_goes_on_at_another_master_which_steers_it(fleet, deploy):
    (a, b), (ran, gate) = fleet, deploy
    words = ["m*", "state.apply", "step", "pillar={step: 2}", "--rollout", "1,2,100%"]
    jid = began(a, *words)
    until(lambda: counted(ran), "the first wave")

    assert rollout(b, "pause", jid).code == 0
    a.kill()
    until(lambda: "is resumed here" in b.log(), "another master")
    gate.touch()
    until(lambda: status(b, jid)["state"] == "paused", "the pause")
    assert counted(ran) == {"2-m0": 1}
    assert rollout(b, "resume", jid).code == 0

    found = ended(b, jid)
    assert (found["state"], found["reached"]) == ("done", 3), b.log()
    assert counted(ran) == {f"2-m{id}": 1 for id in range(3)}


def test_the_same_master_goes_on_after_its_start(start_masters, start_minion, reach, tree, deploy):
    ran, gate = deploy
    (a,) = start_masters("a", file_roots={"base": [str(tree)]})
    start_minion(a, "m0", **MOVING)
    reach([a], "m0")
    jid = begin(a, "state.orchestrate", "deploy")
    until(lambda: counted(ran)["2-m0"], "the second step")

    a.kill()
    a.start()
    gate.touch()

    found = until(lambda: result(a, jid), "the result")
    assert found == dict.fromkeys(("step-1", "step-2", "step-3", "last"), True), a.log()
    assert counted(ran) == {f"{step}-m0": 1 for step in (1, 2, 3)}


#: Calls and steps that are kept.
KEPT = "SELECT name FROM salt_g.shared WHERE name LIKE 'call/%' OR name LIKE 'step/%'"
