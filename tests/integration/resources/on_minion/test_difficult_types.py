"""Types that hang, raise, hide secrets or override others; devices that are stopped during a call."""

import json
import subprocess
import time

from tests.support.waiting import until

CONNECTION = '''
"""Devices that do what their settings say."""
import threading


def discover(opts):
    if opts["pillar"]["resources"]["odd"].get("broken"):
        raise ValueError("broken with hunter2-secret")
    return list(opts["pillar"]["resources"]["odd"]["hosts"])


def init(opts):
    __context__["begun"] = __context__.get("begun", 0) + 1


def _settings():
    return __pillar__["resources"]["odd"]["hosts"][__resource__["id"]] or {}


def grains():
    if _settings().get("hangs"):
        threading.Event().wait()
    if _settings().get("raises"):
        raise RuntimeError("no way in with " + _settings()["password"])
    return {"odd": "yes"}
'''
MODULE = """
import subprocess
import time


def look():
    return {
        "resource": dict(__resource__),
        "grains": dict(__grains__),
        "id": __opts__["id"],
        "minion": __opts__["resource_minion"],
        "type": __opts__["resource_type"],
        "begun": __context__["begun"],
        "own": sorted(__salt__),
        "minions_id": __minion__["grains.get"]("id"),
        "site": __pillar__.get("site"),
        "cmd": "cmd.run" in __salt__,
    }


def fails(text):
    __context__["retcode"] = 7
    return text


def crashes():
    raise ValueError("oh")


def wait(path, seconds):
    with open(path + __resource__["id"], "a") as file:
        file.write("begun\\n")
    time.sleep(float(seconds))
    with open(path + __resource__["id"], "a") as file:
        file.write("ended\\n")
    return True
"""


def _odd(manage):
    manage.write({"_resources/odd/__init__.py": CONNECTION, "_resources/odd/modules/odd.py": MODULE})


def _ready(manage, hosts, **settings):
    _odd(manage)
    minion = manage({"odd": {"hosts": hosts}}, resource_timeout=2, **settings)
    manage.salt("m1", "saltutil.sync_all", timeout=120)
    manage.wait_for(minion, f"{len(hosts)} resources of 1 types")
    return minion


def test_a_synced_type_sees_its_resource_its_settings_and_the_way_out(manage):
    _ready(manage, {"o-1": {"site": "attic"}, "o-2": None})

    seen = manage.until_answered("o-1", "odd.look").minions["o-1"]
    failed = manage.salt("o-2", "odd.fails", "text")
    after = manage.salt("o-2", "odd.look")
    crashed = manage.salt("o-1", "odd.crashes")

    assert seen == {
        "resource": {"id": "o-1", "type": "odd"},
        "grains": {"id": "o-1", "odd": "yes"},
        "id": "o-1",
        "minion": "m1",
        "type": "odd",
        "begun": 1,
        "own": sorted(set(seen["own"])),
        "minions_id": "m1",
        "site": "attic",
        "cmd": False,
    }
    assert (failed.code, failed.minions) == (1, {"o-2": "text"})
    assert after.code == 0
    assert "ValueError: oh" in crashed.minions["o-1"]
    assert crashed.code == 1
    assert manage.salt("-I", "site:attic", "odd.look").minions.keys() == {"o-1"}


def test_a_device_that_hangs_or_raises_is_noted_and_the_others_work(manage):
    hosts = {"o-1": None, "o-2": {"hangs": True}, "o-3": {"raises": True, "password": "hunter2-secret"}}
    minion = _ready(manage, hosts)

    assert manage.until_answered("o-1", "odd.look").minions["o-1"]["grains"]["odd"] == "yes"
    assert manage.salt("-G", "odd:yes", "odd.fails", "x").minions == {"o-1": "x"}
    assert manage.salt("o-3", "odd.fails", "x").minions == {"o-3": "x"}
    assert "resource odd:o-2: grains: no answer within 2 s" in minion.log()
    assert "resource odd:o-3: grains: RuntimeError: no way in with **********" in minion.log()
    assert manage.salt("m1", "saltutil.resource_errors").minions["m1"] == {
        "odd:o-2": "grains: no answer within 2 s",
        "odd:o-3": "grains: RuntimeError: no way in with **********",
    }
    assert "hunter2" not in minion.log() + manage.master.log()


def test_a_type_that_cannot_find_its_resources_keeps_those_it_had(manage):
    minion = _ready(manage, {"o-1": None})
    manage.until_answered("o-1", "odd.look")

    manage.give({"odd": {"hosts": {"o-1": None, "o-2": None}, "broken": True, "password": "hunter2-secret"}})
    manage.salt("m1", "saltutil.refresh_pillar", "wait=True")
    manage.wait_for(minion, "Resource discovery failed for type 'odd'")

    assert manage.salt("o-1", "odd.fails", "x").minions == {"o-1": "x"}
    assert "hunter2" not in minion.log()


def test_a_job_that_is_ended_gives_a_verdict_for_each_resource(manage, daemon_root):
    hosts = {f"o-{number}": None for number in range(5)}
    _ready(manage, hosts, resource_fan_out=2)
    manage.until_answered("o-0", "odd.look")
    begun = daemon_root / "begun-"

    started = manage.salt("-C", "T@odd", "--async", "odd.wait", str(begun), "600", as_json=False)
    jid = started.out.split()[-1]
    until(lambda: len(list(daemon_root.glob("begun-*"))) == 2, "two resources at work")
    found = manage.salt("*", "saltutil.find_job", jid)
    killed = manage.salt("m1", "saltutil.kill_job", jid)
    answers = until(lambda: len(answers := _lookup(manage, jid)) == 5 and answers, "five verdicts")

    assert found.minions["m1"]["fun"] == "odd.wait"
    assert jid in killed.minions["m1"]
    assert set(answers) == set(hosts)
    assert {str(answer) for answer in answers.values()} == {"ERROR: the job was ended by signal 9"}
    assert len(list(daemon_root.glob("begun-*"))) == 2


def test_one_job_at_a_time_works_on_a_resource_and_a_limit_ends_what_hangs(manage, daemon_root):
    _ready(manage, {"o-1": None}, resource_job_timeout=6)
    manage.until_answered("o-1", "odd.look")
    path = daemon_root / "turn-"

    for _ in range(2):
        manage.salt("o-1", "--async", "odd.wait", str(path), "1", as_json=False)
    hung = manage.salt("-t", "60", "o-1", "odd.wait", str(daemon_root / "hung-"), "600")

    assert hung.minions == {"o-1": "ERROR: no answer from odd:o-1 within 6 s"}
    # Waiting jobs need not get their turns in the order of arrival: the second of the others may be last.
    turns = daemon_root / "turn-o-1"
    until(lambda: turns.read_text().count("ended") == 2, "both of the others had their turn")
    assert turns.read_text() == "begun\nended\n" * 2


def test_an_overlay_adds_to_a_type_and_replaces_a_file_as_a_whole(manage):
    manage.write(
        {
            "_resources/dummy/modules/extra.py": "def hello():\n    return __salt__['test.ping']()\n",
            "_resources/dummy/modules/test.py": "def ping():\n    return 'mine'\n",
        }
    )
    minion = manage({"dummy": {"resource_ids": ["d-01"]}})
    manage.until_answered("d-01", "test.ping")

    synced = manage.salt("m1", "saltutil.sync_resources")
    until(lambda: minion.log().count("resources of 1 types") > 1, "resources found anew")

    assert synced.minions == {"m1": ["resources.dummy.modules.extra", "resources.dummy.modules.test"]}
    assert manage.salt("d-01", "extra.hello").minions == {"d-01": "mine"}
    assert manage.salt("d-01", "service.status", "ntp").minions == {"d-01": True}


def _lookup(manage, jid):
    words = [manage.master.program, "run", "-c", str(manage.master.config_dir), "--out=json"]
    finished = subprocess.run([*words, "jobs.lookup_jid", jid], capture_output=True, text=True, timeout=60)
    return json.loads(finished.stdout or "{}")


def test_of_two_managers_one_works_and_the_other_takes_over(manage, daemon_root):
    _odd(manage)
    resources = {"odd": {"hosts": {"o-1": None}}}
    first = manage(resources, resource_timeout=2)
    manage.salt("m1", "saltutil.sync_all", timeout=120)
    manage.until_answered("o-1", "odd.look")
    second = manage(resources, id="m2", resource_timeout=2)
    manage.salt("m2", "saltutil.sync_all", timeout=120)
    manage.wait_for(second, "1 resources of 1 types")

    both = manage.salt("o-1", "odd.look").minions["o-1"]
    first.kill()
    began = time.monotonic()
    after = until(lambda: (out := manage.salt("-t", "3", "o-1", "odd.look")).code == 0 and out, "taken over")

    assert both["minion"] == "m1"
    assert after.minions["o-1"]["minion"] == "m2"
    assert time.monotonic() - began < 40
