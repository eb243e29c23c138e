"""Progress events of state runs, and runs that a minion starts by itself."""

import pytest

from salt_g.client import LocalEventBus
from salt_g.config import load
from tests.support.waiting import DEADLINE

TWO = "one:\n  test.nop: []\ntwo:\n  test.nop:\n    - fire_event: {event}\n"


@pytest.fixture
def follow():
    """Yield a factory: `follow(master)(tag, count)` returns the next events below a tag, from now on."""
    buses = []

    def begin(master):
        bus = LocalEventBus(load("master", str(master.config_dir)).opts)
        buses.append(bus)

        def wait(tag, count=1):
            found = [bus.get_event(wait=DEADLINE, tag=tag, full=True) for _ in range(count)]
            assert None not in found, f"too few events below {tag}, the master's log:\n{master.log()}"
            return found

        return wait

    yield begin
    for bus in buses:
        bus.destroy()


def test_each_state_is_reported_when_the_master_wants_it(start_master, start_minion, salt, follow):
    master = start_master(state_events=True)
    (master.root / "states" / "two.sls").write_text(TWO.format(event="false"))
    start_minion(master)
    wait = follow(master)

    ran = salt(master, "m1", "state.apply", "two")

    assert ran.code == 0, ran.err
    seen = []
    while len(seen) < 2:
        seen += [event for event in wait("salt/job/") if "/prog/" in event["tag"]]
    jid = seen[0]["data"]["jid"]
    assert [event["tag"] for event in seen] == [f"salt/job/{jid}/prog/m1/{number}" for number in (0, 1)]
    assert [event["data"]["data"]["ret"]["name"] for event in seen] == ["one", "two"]
    assert {event["data"]["data"]["len"] for event in seen} == {2}


def test_a_state_may_fire_an_event_of_its_own(start_master, start_minion, salt, follow):
    master = start_master()
    (master.root / "states" / "two.sls").write_text(TWO.format(event="done/well"))
    start_minion(master)
    wait = follow(master)

    salt(master, "m1", "state.apply", "two")

    (event,) = wait("salt/state_result/")
    assert event["tag"].endswith("/m1/done/well")
    assert event["data"]["data"]["ret"]["result"] is True


@pytest.mark.parametrize(
    ("settings", "fun"),
    [
        ({"startup_states": "highstate"}, "state.highstate"),
        ({"startup_states": "sls", "sls_list": ["made"]}, "state.sls"),
        ({"startup_states": "top", "top_file": "other.sls"}, "state.top"),
    ],
)
def test_a_minion_applies_states_when_it_starts(start_master, start_minion, follow, settings, fun):
    master = start_master()
    for name in ("top.sls", "other.sls"):
        (master.root / "states" / name).write_text("base:\n  '*': [made]\n")
    made = master.root / "made"
    (master.root / "states" / "made.sls").write_text(f"{made}:\n  file.touch: []\n")
    wait = follow(master)

    start_minion(master, **settings)

    returned = next(event for _ in range(9) for event in wait("salt/job/") if "/ret/m1" in event["tag"])
    assert returned["data"]["fun"] == fun
    assert [entry["result"] for entry in returned["data"]["return"].values()] == [True]
    assert made.exists()


def test_a_scheduled_highstate_uses_pillar_of_that_time(start_master, start_minion, salt, follow):
    master = start_master()
    (master.root / "pillar" / "top.sls").write_text("base:\n  '*': [who]\n")
    (master.root / "pillar" / "who.sls").write_text("who: old\n")
    (master.root / "states" / "top.sls").write_text("base:\n  '*': [show]\n")
    (master.root / "states" / "show.sls").write_text("shown:\n  test.nop:\n    - name: {{ pillar.who }}\n")
    start_minion(master)
    (master.root / "pillar" / "who.sls").write_text("who: new\n")
    wait = follow(master)

    salt(
        master, "m1", "schedule.add", "runs", "function=state.highstate", "seconds=3600", "run_on_start=True"
    )
    salt(master, "m1", "schedule.run_job", "runs")

    returned = next(
        event for _ in range(30) for event in wait("salt/job/") if event["data"].get("schedule") == "runs"
    )
    assert [entry["name"] for entry in returned["data"]["return"].values()] == ["new"]
