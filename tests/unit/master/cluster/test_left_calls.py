"""Verdicts on calls whose master has ended."""

import pytest

from salt_g.cluster.running_calls import LeftCall
from salt_g.data.run_record import RunRecord
from salt_g.errors import StoreError
from salt_g.event.bus import Bus
from salt_g.master.cluster.left_calls import LeftCalls

RUNNER = {
    "jid": "20260102030405000000",
    "fun": "runner.state.orchestrate",
    "user": "root",
    "fun_args": ["deploy"],
    "tag": "salt/run/20260102030405000000/ret",
    "is_kept": True,
}


class Calls:
    def __init__(self, *left):
        self._left = list(left)
        self.taken = []

    def left(self):
        return list(self._left)

    def drop(self, call):
        self._left.remove(call)

    def to_resume(self, call):
        return call.about.get("resume")

    def take(self, call):
        self.taken.append(call.name)
        return call if call.name != "of another" else None

    def record(self, jid, *, is_resumed):
        return RunRecord(lambda key, value: True, {"jid": jid, "is_resumed": is_resumed})

    def begin(self, jid, about, resume):
        raise StoreError("db1", "is away")

    end = drop


class Jobs:
    def __init__(self):
        self.loads, self.returns = {}, []

    def save_load(self, jid, load):
        self.loads[jid] = load

    def save_return(self, load):
        self.returns.append(load)


def refuse(jid, noted, record, settle):
    """Resume nothing."""
    return False


def look(left, abandon=lambda jid, why: None, **resumers):
    """Let a master that can resume `resumers` check once."""
    left.look({"runner": refuse, "batch": refuse, "rollout": refuse, **resumers}, abandon)


@pytest.fixture
def bus():
    return Bus()


@pytest.fixture
def events(bus):
    return bus.subscribe("salt/", name="test")


def test_a_runner_of_a_killed_master_ends_with_a_verdict(bus, events):
    jobs = Jobs()
    calls = Calls(LeftCall("call/a/1/x", "a", RUNNER))

    look(LeftCalls(calls, jobs, bus, leads=lambda: True))

    event = events.get(0)
    assert (event.tag, event.data["success"]) == (RUNNER["tag"], False)
    assert "master a ended while it ran" in event.data["return"]
    assert jobs.loads[RUNNER["jid"]]["fun"] == "runner.state.orchestrate"
    assert [(one["id"], one["return"]["success"]) for one in jobs.returns] == [("a", False)]
    assert calls.left() == []


def test_a_batch_is_halted_and_not_kept(bus, events):
    jobs = Jobs()
    batch = {"jid": "20260102030405000001", "fun": "test.ping", "tgt": "*"}

    look(LeftCalls(Calls(LeftCall("x", "a", batch)), jobs, bus, leads=lambda: True))

    event = events.get(0)
    assert event.tag == "salt/batch/20260102030405000001/halted"
    assert "master a ended" in event.data["reason"]
    assert jobs.returns == []


def test_an_orchestration_is_resumed_with_what_was_kept_and_gets_no_verdict(bus, events):
    calls = Calls(LeftCall("x", "a", {**RUNNER, "resume": {"fun": "state.orch"}}))
    left = LeftCalls(calls, Jobs(), bus, leads=lambda: True, settle=lambda master: waited.append(master))
    waited, resumed = [], []

    def resume(jid, noted, record, settle):
        settle()
        resumed.append((jid, noted, record.recall("jid"), record.recall("is_resumed")))
        return True

    look(left, runner=resume)

    assert resumed == [(RUNNER["jid"], {"fun": "state.orch"}, RUNNER["jid"], True)]
    assert (waited, events.get(0)) == (["a"], None)


def test_a_call_taken_by_another_master_is_left_to_it(bus, events):
    calls = Calls(LeftCall("of another", "a", {**RUNNER, "resume": {"fun": "state.orch"}}))

    look(LeftCalls(calls, Jobs(), bus, leads=lambda: True))

    assert (calls.taken, len(calls.left()), events.get(0)) == (["of another"], 1, None)


def test_a_call_that_cannot_be_resumed_here_ends_with_a_verdict(bus, events):
    calls = Calls(LeftCall("x", "a", {**RUNNER, "resume": {"fun": "state.orch"}}))

    look(LeftCalls(calls, Jobs(), bus, leads=lambda: True))

    assert events.get(0).data["success"] is False
    assert calls.left() == []


def test_only_the_leader_decides(bus, events):
    calls = Calls(LeftCall("x", "a", RUNNER))

    look(LeftCalls(calls, Jobs(), bus, leads=lambda: False))

    assert events.get(0) is None
    assert len(calls.left()) == 1


def test_a_call_runs_though_it_cannot_be_noted(bus, caplog):
    LeftCalls(Calls(), Jobs(), bus, leads=lambda: True).begin("1", {})

    assert "cannot record 1 for other masters" in caplog.text


def test_a_rollout_is_resumed_or_noted_as_ended(bus, events):
    about = {"jid": "1", "rollout": "1", "fun": "state.apply", "resume": {"job": []}}
    calls = Calls(LeftCall("x", "a", about))
    left = LeftCalls(calls, Jobs(), bus, leads=lambda: True)
    abandoned = []
    abandon = lambda jid, why: abandoned.append((jid, why))  # noqa: E731

    look(left, abandon, rollout=lambda jid, noted, record, settle: jid == "1")
    assert (abandoned, len(calls.left())) == ([], 1)

    look(left, abandon)
    assert (abandoned[0][0], "master a ended" in abandoned[0][1]) == ("1", True)
    assert (calls.left(), events.get(0)) == ([], None)
