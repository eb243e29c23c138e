"""Resources in a cluster: all masters know them, one decides, and never do two minions act on one."""

import json

import pytest

from tests.support.commands import PROGRAM, outcome_of
from tests.support.waiting import until

pytestmark = pytest.mark.long

LEASE = 6
IDS = [f"d-{number:02d}" for number in range(10)]
#: Each run leaves a line for each resource: minion, resource, time; it lasts as long as its caller says.
WORK = """
import time


def work(path, seconds):
    end = time.time() + float(seconds)
    while time.time() < end:
        with open(path, "a") as file:
            file.write(f"{__opts__['resource_minion']} {__resource__['id']} {time.time()}\\n")
        time.sleep(0.2)
    return __opts__["resource_minion"]
"""
THING = {
    "__init__.py": """
def discover(opts):
    return list(opts["pillar"]["resources"]["thing"]["hosts"])

def init(opts):
    pass

def grains():
    return {"colour": "red" if __resource__["id"].endswith("1") else "blue"}
""",
    "modules/busy.py": WORK,
    "modules/test.py": "def ping():\n    return True\n",
}


@pytest.fixture
def start_cluster(start_masters, start_minion, daemon_root):
    """Return a function that starts masters `a` and `b`, and their minions with the same resources."""
    for name, text in THING.items():
        path = daemon_root / "types" / "resources" / "thing" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def start(*minions, **settings):
        masters = start_masters("a", "b", resource_lease=LEASE, **settings)
        shared = {"resources": {"thing": {"hosts": {id: {} for id in IDS}}}}
        for master in masters:
            pillar = daemon_root / master.settings["id"] / "pillar"
            (pillar / "top.sls").write_text(json.dumps({"base": {"gw*": ["gw"]}}))
            (pillar / "gw.sls").write_text(json.dumps(shared))
        running = {}
        for number, id in enumerate(minions):
            running[id] = start_minion(
                masters[number % 2 :] + masters[: number % 2],
                id,
                master_type="failover",
                master_alive_interval=1,
                auth_timeout=5,
                auth_tries=1,
                module_dirs=[str(daemon_root / "types")],
            )
        return *masters, running

    return start


def run(master, *words):
    done = outcome_of([PROGRAM, "run", "-c", str(master.config_dir), "--out=json", *words])
    return json.loads(done.out) if done.out.strip() else None


def owners(master):
    return {id: one.get("thing", []) for id, one in (run(master, "resource.owners") or {}).items()}


def worked(path):
    """Return {id: {minion: [time]}} from the files that runs have written."""
    found = {}
    for line in path.read_text().splitlines() if path.exists() else ():
        minion, id, moment = line.split()
        found.setdefault(id, {}).setdefault(minion, []).append(float(moment))
    return found


def test_resources_of_any_minion_are_targets_of_all_masters(start_cluster, salt):
    a, b, _ = start_cluster("gw1")
    for master in (a, b):
        until(lambda master=master: owners(master) == {"gw1": IDS}, "the resources at each master")

    for master in (b, a):
        assert salt(master, "-C", "T@thing", "test.ping").minions == dict.fromkeys(IDS, True)
        assert salt(master, "d-03", "test.ping").minions == {"d-03": True}
        red = "T@thing and G@colour:red"
        until(lambda m=master, red=red: list(salt(m, "-C", red, "test.ping").minions) == ["d-01"], "grains")
        # A client asks after its own timeout what is still running, of the minion of another master.
        answers = salt(master, "--timeout=1", "d-04", "busy.work", "/dev/null", "8").minions
        assert answers == {"d-04": "gw1"}


def test_a_key_deleted_at_one_master_takes_its_resources_from_all(start_cluster, salt):
    a, b, _ = start_cluster("gw1")
    until(lambda: owners(b) == {"gw1": IDS}, "the resources")

    outcome_of([PROGRAM, "key", "-c", str(a.config_dir), "-y", "-d", "gw1"])

    for master in (a, b):
        until(lambda master=master: not run(master, "resource.list"), "no resources")


def test_a_standby_minion_of_another_master_takes_over_after_the_lease(start_cluster, salt, tmp_path):
    a, b, minions = start_cluster("gw1", "gw2")
    until(lambda: len(owners(b)) == 2, "one that holds and one on standby")
    holder = next(id for id, held in owners(b).items() if held)
    heir = "gw2" if holder == "gw1" else "gw1"
    log = tmp_path / "worked"
    job = salt(a, "--async", "-C", "T@thing", "busy.work", str(log), "60")
    assert job.code == 0
    until(lambda: len(worked(log)) == len(IDS), "all are worked on")

    minions[holder].kill()
    until(lambda: owners(b).get(heir) == IDS and owners(a).get(heir) == IDS, "the successor")
    answers = salt(a, "-C", "T@thing", "busy.work", str(log), "1").minions

    assert answers == dict.fromkeys(IDS, heir)
    for moments in worked(log).values():
        assert max(moments[holder]) < min(moments[heir])


def test_another_master_decides_after_the_deciding_one_is_killed(start_cluster, salt, tmp_path):
    a, b, _ = start_cluster("gw1", "gw2")
    until(lambda: len(owners(b)) == 2, "one that holds and one on standby")
    holder = next(id for id, held in owners(b).items() if held)
    log = tmp_path / "worked"
    decider = next(one for one in (a, b) if "now decides which minions" in one.log())
    other = b if decider is a else a
    assert salt(other, "--async", "-C", "T@thing", "busy.work", str(log), "4").code == 0
    until(lambda: len(worked(log)) == len(IDS), "all are worked on")

    decider.kill()

    until(lambda: "the cluster's 10 resources" in other.log(), "the other one decides")
    until(lambda: owners(other).get(holder) == IDS, "the holder keeps them")
    everything = dict.fromkeys(IDS, True)
    until(lambda: salt(other, "-C", "T@thing", "test.ping").minions == everything, "answers of all")
    assert {minion for one in worked(log).values() for minion in one} == {holder}
    decider.start()
    until(lambda: salt(decider, "-C", "T@thing", "test.ping").minions == everything, "answers at the old one")
