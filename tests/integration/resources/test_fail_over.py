"""Loss of a managing minion while it works on many resources: verdicts, a successor, never two at once."""

import json
import signal
import threading
import time

import pytest

from tests.support.waiting import until

pytestmark = pytest.mark.long

LEASE = 6
IDS = [f"t-{number:03d}" for number in range(100)]
#: Each sub-job leaves a line as long as it lives: minion, resource, time.
WORK = """
import os
import time


def work(path, seconds):
    end = time.time() + float(seconds)
    while time.time() < end:
        line = f"{__opts__['resource_minion']} {__resource__['id']} {time.time()}\\n"
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(file, line.encode())
        os.close(file)
        time.sleep(0.2)
    return __opts__["resource_minion"]
"""


def _pair(make_fleet, **settings):
    """Return two minions with the same hundred resources; gw1 manages them, gw2 is on standby."""
    fleet = make_fleet(resource_lease=LEASE, **settings)
    (fleet.root / "types" / "resources" / "thing" / "modules" / "busy.py").write_text(WORK)
    shared = {"resources": {"thing": {"hosts": {id: {"grains": {}} for id in IDS}}}}
    fleet.give({"gw1": shared, "gw2": shared})
    fleet.start("gw1", number=len(IDS))
    fleet.add("gw2")
    until(lambda: "gw2" in fleet.run("resource.owners"), "gw2 stands by")
    return fleet


def _beats(path):
    """Return {id: [(minion, time)]} from the files that sub-jobs have written."""
    found = {}
    for line in path.read_text().splitlines() if path.exists() else ():
        minion, id, moment = line.split()
        found.setdefault(id, []).append((minion, float(moment)))
    return found


def test_a_killed_minion_leaves_verdicts_and_a_successor_and_nothing_runs_twice(make_fleet, tmp_path):
    fleet = _pair(make_fleet)
    log = tmp_path / "beats"
    outcome = []
    words = ("-C", "T@thing", "busy.work", str(log))
    job = threading.Thread(target=lambda: outcome.append(fleet.salt(*words, "60", timeout=4)))
    job.start()
    until(lambda: len(_beats(log)) == len(IDS), "all hundred are worked on")

    fleet.minions["gw1"].send_signal(signal.SIGKILL)
    killed = time.monotonic()
    until(lambda: fleet.run("resource.owners").get("gw2", {}).get("thing") == IDS, "gw2 has them all")
    taken = time.monotonic() - killed
    job.join(120)
    answers, code, _ = fleet.salt(*words, "1")

    assert taken < 2 * LEASE + 5, "one call of a runner takes seconds on a busy machine"
    verdicts, first_code, _ = outcome[0]
    assert set(verdicts) == set(IDS)
    assert all("did not return" in str(verdict) for verdict in verdicts.values())
    assert (first_code, code) == (1, 0)
    assert answers == dict.fromkeys(IDS, "gw2")
    for id, beats in _beats(log).items():
        last = max(moment for minion, moment in beats if minion == "gw1")
        assert last < min(moment for minion, moment in beats if minion == "gw2"), id


def test_a_dropped_resources_job_ends_before_another_minion_begins(make_fleet, tmp_path):
    fleet = _pair(make_fleet)
    log = tmp_path / "beats"
    words = ("-C", "T@thing", "busy.work", str(log))
    job = threading.Thread(target=lambda: fleet.salt(*words, "60", timeout=4))
    job.start()
    until(lambda: len(_beats(log)) == len(IDS), "all hundred are worked on")

    top = fleet.root / "master" / "pillar" / "gw1.sls"
    top.write_text(json.dumps({"role": "none"}))
    fleet.salt("gw1", "saltutil.refresh_pillar")
    until(lambda: fleet.run("resource.owners").get("gw2", {}).get("thing") == IDS, "gw2 has them all")
    answers = {}
    until(lambda: answers.update(fleet.salt(*words, "1")[0]) or answers == dict.fromkeys(IDS, "gw2"), "gw2")
    job.join(120)

    for id, beats in _beats(log).items():
        last = max(moment for minion, moment in beats if minion == "gw1")
        assert last < min(moment for minion, moment in beats if minion == "gw2"), id


def test_the_resources_of_a_cut_off_minion_wait_until_its_lease_ends(make_fleet):
    fleet = _pair(make_fleet)

    fleet._done("key", "-y", "-d", "gw1")
    begun = time.monotonic()

    assert fleet.run("resource.owners")["gw2"]["thing"] == IDS
    until(lambda: fleet.salt("t-000", "test.ping")[0] == {"t-000": True}, "gw2 works on it")
    assert time.monotonic() - begun > LEASE / 3, "gw1 could still be at work"
