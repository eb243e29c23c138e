"""Schedule, beacons, reactor, engines and returners of real daemons."""

import json
import os

import pytest

from salt_g.client import LocalClient, LocalEventBus, RunnerClient
from salt_g.config import load

#: How long something that is to happen may take on a busy machine (s).
DEADLINE = 90.0


@pytest.fixture
def follow():
    """Yield a function that collects events: `follow(master)`.

    Its `wait(tag, wanted)` returns the first event that matches, and drops others, except for those with
    the tags in `keep`.
    """
    buses = []

    def begin(master, *keep):
        bus = LocalEventBus(client_settings(master))
        for tag in keep:
            bus.subscribe(tag)
        buses.append(bus)

        def wait(tag, wanted=lambda data: True):
            while True:
                event = bus.get_event(wait=DEADLINE, tag=tag, full=True)
                assert event is not None, f"no event {tag} came, the master's log:\n{master.log()}"
                if wanted(event["data"]):
                    return event

        return wait

    yield begin
    for bus in buses:
        bus.destroy()


def client_settings(master):
    """Return the settings of a program beside a master."""
    return load("master", str(master.config_dir)).opts


def call(master, fun, *arg, **kwarg):
    """Run a function on the minion m1."""
    with LocalClient(mopts=client_settings(master)) as client:
        return client.cmd("m1", fun, arg, timeout=60, kwarg=kwarg)["m1"]


def test_a_minion_runs_its_schedule_and_lets_it_be_changed(start_master, start_minion, follow):
    master = start_master()
    wait = follow(master)
    job = {
        "function": "test.arg",
        "args": ["tick"],
        "kwargs": {"n": 1},
        "seconds": 1,
        "metadata": {"why": "x"},
    }
    minion = start_minion(master, schedule={"ticking": job})

    event = wait("salt/job/", lambda data: data.get("schedule") == "ticking" and "return" in data)["data"]

    assert (event["id"], event["fun"], event["return"]["args"], event["return"]["kwargs"]["n"]) == (
        "m1",
        "test.arg",
        ["tick"],
        1,
    )
    assert (event["metadata"]["why"], len(event["jid"]) >= 20) == ("x", True)
    added = call(master, "schedule.add", "later", function="test.ping", when="23:59", persist=True)
    assert added["result"] is True, added
    assert call(master, "schedule.delete", "ticking")["result"] is True
    assert call(master, "schedule.list", return_yaml=False).keys() == {"later"}
    assert call(master, "schedule.show_next_fire_time", "later")["next_fire_time"].endswith("T23:59:00")
    assert "later" in (minion.config_dir / "minion.d" / "_schedule.conf").read_text()
    assert call(master, "schedule.run_job", "later")["result"] is True
    assert wait("salt/job/", lambda data: data.get("schedule") == "later")["data"]["return"] is True


def test_the_schedule_of_pillar_comes_with_a_refresh(start_master, start_minion, follow):
    master = start_master()
    wait = follow(master)
    (master.root / "pillar" / "top.sls").write_text("base: {'*': [s]}\n")
    (master.root / "pillar" / "s.sls").write_text("schedule: {}\n")
    start_minion(master)
    (master.root / "pillar" / "s.sls").write_text("schedule: {p: {function: test.ping, seconds: 3600}}\n")

    assert call(master, "saltutil.refresh_pillar") is True

    assert wait("salt/job/", lambda data: data.get("schedule") == "p")["data"]["return"] is True


def test_beacons_notify_the_master_and_can_be_changed(start_master, start_minion, follow, tmp_path):
    master = start_master()
    wait = follow(master)
    watched = tmp_path / "watched"
    watched.mkdir()
    files = {str(watched): {"mask": ["create"]}}
    start_minion(master, beacons={"memusage": [{"percent": "0%"}], "inotify": [{"files": files}]})

    event = wait("salt/beacon/m1/memusage/")["data"]
    (watched / "new").write_text("x")
    changed = wait("salt/beacon/m1/inotify/")

    assert event["id"] == "m1"
    assert event["memusage"] > 0
    assert changed["tag"] == f"salt/beacon/m1/inotify/{watched}"
    assert changed["data"]["path"] == str(watched / "new")
    averages = {"1m": [-1, -1], "5m": [-1, -1], "15m": [-1, -1]}
    assert call(master, "beacons.add", "load", [{"averages": averages}])["result"] is True
    assert wait("salt/beacon/m1/load/")["data"].keys() >= {"1m", "5m", "15m"}
    assert "Added" not in call(master, "beacons.delete", "memusage")["comment"]
    assert call(master, "beacons.list", return_yaml=False).keys() == {"inotify", "load"}


def test_a_state_with_beacon_configures_one(start_master, start_minion, tmp_path):
    master = start_master()
    start_minion(master)
    path = str(tmp_path / "watched")

    running = call(master, "state.high", {path: {"file": ["managed", {"contents": "a"}, {"beacon": True}]}})

    assert running[f"file_|-beacon_{path}_|-{path}_|-mod_beacon"]["result"] is True
    assert list(call(master, "beacons.list", return_yaml=False)) == [f"beacon_inotify_{path}"]


def test_the_reactor_answers_events_of_minions(start_master, start_minion, follow, tmp_path):
    sls = tmp_path / "react.sls"
    sls.write_text(
        "touch:\n  local.test.arg:\n    - tgt: {{ data['id'] }}\n    - args:\n"
        "      - text: {{ data['data']['text'] }}\n"
        "tell:\n  runner.event.send:\n    - args:\n"
        "      - tag: reacted\n      - data: {{ data['data'] | json }}\n"
    )
    master = start_master(reactor=[{"my/*": [str(sls)]}])
    wait = follow(master, "reacted")
    start_minion(master)
    text = "x'\n  - tgt: '*'\n{{ 1 + 1 }}"

    assert call(master, "event.fire_master", {"text": text}, "my/tag") is True

    job = wait("salt/job/", lambda data: data.get("fun") == "test.arg" and "return" in data)["data"]
    assert job["return"]["kwargs"]["text"] == text
    assert wait("reacted")["data"]["text"] == text
    with RunnerClient(client_settings(master)) as client:
        listed = client.cmd("reactor.list", print_event=False)
    assert listed == [{"my/*": [str(sls)]}]


def test_a_master_runs_its_schedule_and_its_engines(start_master, follow, tmp_path):
    engines = tmp_path / "engines"
    engines.mkdir()
    (engines / "mine.py").write_text("def start(tag):\n    raise RuntimeError(f'engine {tag}')\n")
    master = start_master(
        schedule={"tell": {"function": "event.send", "args": ["by/clock"], "seconds": 1}},
        engines=[{"mine": {"tag": "seven"}}],
        engines_dirs=[str(engines)],
    )
    wait = follow(master)

    wait("by/clock")

    assert "engine seven" in master.log()
    assert "engine mine restarts" in master.log()


def test_events_and_jobs_go_to_returners(start_master, start_minion, follow, tmp_path):
    events, returns = tmp_path / "events", tmp_path / "returns"
    master = start_master(
        event_return="rawfile_json",
        event_return_whitelist=["salt/job/*/ret/*"],
        **{"rawfile_json.filename": str(events)},
    )
    wait = follow(master)
    start_minion(master, **{"rawfile_json.filename": str(returns)})

    with LocalClient(mopts=client_settings(master)) as client:
        assert client.cmd("m1", "test.ping", ret="rawfile_json", timeout=60) == {"m1": True}
    wait("salt/job/", lambda data: "return" in data)
    master.stop()

    kept = [json.loads(line) for line in events.read_text().splitlines()]
    assert [(event["data"]["id"], event["data"]["return"]) for event in kept] == [("m1", True)]
    (brought,) = [json.loads(line) for line in returns.read_text().splitlines()]
    assert (brought["id"], brought["fun"], brought["return"]) == ("m1", "test.ping", True)
    assert os.stat(events).st_mode & 0o777 == 0o600
