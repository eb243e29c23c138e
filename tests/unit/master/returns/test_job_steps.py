"""Steps kept for late readers, and steps derived from events of stock's minions."""

import pytest

from salt_g.event.bus import Bus
from salt_g.master.returns.job_steps import MAX_JOBS, JobSteps, is_about_steps
from salt_g.process.supervisor import Supervisor
from tests.support.waiting import hub_turns, hub_until

JID = "20260102030405678901"
STEP = {"n": 1, "id": "x", "fun": "test.nop", "place": "", "verdict": "ok", "ms": 1}


def step_data(*done, total=2, now=None):
    return {"total": total, "done": list(done), "now": now}


def progress(number, **fields):
    ret = {
        "result": True,
        "changes": {},
        "__run_num__": number,
        "__id__": f"s{number}",
        "name": "n",
        **fields,
    }
    return {"data": {"ret": ret, "len": 3}, "id": "m1", "jid": JID}


@pytest.fixture
def bus():
    return Bus()


@pytest.fixture
def steps(bus):
    family = Supervisor("test")
    made = JobSteps(bus, expects=lambda jid, id: id.startswith("m"))
    made.start(family)
    yield made
    family.stop()


def test_steps_are_kept(bus, steps):
    bus.fire(f"salt/job/{JID}/step/m1", step_data(STEP))
    hub_until(lambda: steps.of(JID))

    assert steps.of(JID) == {"m1": step_data(STEP)}
    assert steps.of("20260102030405678902") == {}


def test_steps_of_unexpected_minions_and_malformed_steps_are_not_kept(bus, steps):
    bus.fire(f"salt/job/{JID}/step/x1", step_data(STEP))
    bus.fire(f"salt/job/{JID}/step/m1", {"total": "many"})
    bus.fire(f"salt/job/{JID}/step/m2", step_data(STEP))
    hub_until(lambda: steps.of(JID))

    assert list(steps.of(JID)) == ["m2"]


def test_progress_of_stocks_minions_becomes_steps(bus, steps):
    events = bus.subscribe(f"salt/job/{JID}/step/", name="test")
    bus.fire(f"salt/job/{JID}/prog/m1/0", progress(0))
    bus.fire(f"salt/job/{JID}/prog/m1/1", progress(1, result=False, duration=7.2))
    event = hub_until(events.take)

    assert event.tag == f"salt/job/{JID}/step/m1"
    assert event.data["mapped"] is True
    assert (event.data["total"], event.data["now"]) == (3, None)
    assert [(one["n"], one["id"], one["verdict"], one["ms"]) for one in event.data["done"]] == [
        (1, "s0", "ok", 0),
        (2, "s1", "failed", 7),
    ]
    hub_until(lambda: steps.of(JID))
    assert len(steps.of(JID)["m1"]["done"]) == 2


def test_progress_of_a_minion_that_sends_steps_is_not_counted_twice(bus, steps):
    events = bus.subscribe(f"salt/job/{JID}/step/", name="test")
    bus.fire(f"salt/job/{JID}/step/m1", step_data(STEP))
    bus.fire(f"salt/job/{JID}/prog/m1/0", progress(0))
    bus.fire(f"salt/job/{JID}/prog/m2/0", progress(0))
    hub_until(lambda: "m2" in steps.of(JID))

    assert len(steps.of(JID)["m1"]["done"]) == 1
    assert [event.data.get("mapped", False) for event in iter(events.take, None)] == [False, True]


@pytest.mark.parametrize("data", [{}, {"data": 7}, {"data": {"ret": []}}, {"data": {"ret": {}}}])
def test_odd_progress_is_left_out(bus, steps, data):
    bus.fire(f"salt/job/{JID}/prog/m1/0", data)
    hub_turns(5)

    assert steps.of(JID) == {}


def test_old_jobs_are_forgotten(bus, steps):
    jids = [str(int(JID) + n) for n in range(MAX_JOBS + 1)]
    for jid in jids:
        bus.fire(f"salt/job/{jid}/step/m1", step_data(STEP))
    hub_until(lambda: steps.of(jids[-1]))

    assert steps.of(jids[0]) == {}
    assert steps.of(jids[1]) != {}


def test_only_two_kinds_of_events_contain_steps():
    assert is_about_steps(f"salt/job/{JID}/step/m1")
    assert is_about_steps(f"salt/job/{JID}/prog/m1/4")
    assert not is_about_steps(f"salt/job/{JID}/ret/m1")
    assert not is_about_steps(f"salt/job/{JID}/step")
    assert not is_about_steps("salt/minion/m1/step/x")


@pytest.mark.parametrize("duration", [float("nan"), float("inf"), 10**400, [1]])
def test_progress_with_any_numbers_ends_nothing(bus, steps, duration):
    bus.fire(f"salt/job/{JID}/prog/m1/0", progress(0, duration=duration))
    bus.fire(f"salt/job/{JID}/step/m2", step_data(STEP))

    hub_until(lambda: len(steps.of(JID)) == 2)
