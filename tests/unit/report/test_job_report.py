"""Outcome of a job, as data."""

import pytest

from salt_g.report.ended_jobs import ended_text
from salt_g.report.job_report import is_report, is_state_run, report

_JID = "20260102030405678901"


def _state(result=True, changes=None, **more):
    return {"result": result, "changes": changes or {}, "comment": "", "name": "n", **more}


def _minion(*states):
    returned = {f"test_|-id{n}_|-n_|-nop": {"__run_num__": n, **one} for n, one in enumerate(states)}
    return {"return": returned, "retcode": 0, "success": True}


def _of(*states, **result):
    found = report(_JID, {"fun": "state.apply"}, {"m1": {**_minion(*states), **result}}, ["m1"])
    return found["minions"]["m1"]


@pytest.mark.parametrize(
    ("states", "verdict"),
    [
        ([_state()], "ok"),
        ([_state(), _state(changes={"a": 1})], "changed"),
        ([_state(changes={"a": 1}), _state(None, {"a": 1})], "would change"),
        ([_state(None), _state(False), _state()], "failed"),
    ],
)
def test_a_minion_is_as_its_worst_state(states, verdict):
    assert _of(*states)["verdict"] == verdict


def test_a_retcode_makes_a_run_failed_whatever_its_states_say():
    assert _of(_state(), retcode=1)["verdict"] == "failed"


def test_a_job_that_was_ended_by_a_signal_has_its_number():
    assert _of(_state(), _state(False, comment=ended_text(15)), retcode=143)["signal"] == 15
    found = report(_JID, {}, {"m1": {"return": ended_text(9), "retcode": 137}}, ["m1"])
    assert (found["minions"]["m1"]["verdict"], found["minions"]["m1"]["signal"]) == ("failed", 9)
    assert "signal" not in _of(_state(), retcode=143)


def test_states_come_in_the_order_in_which_they_ran():
    minion = _of(_state(__run_num__=2), _state(__run_num__=0), _state(__run_num__=1))

    assert [state["id"] for state in minion["states"]] == ["id1", "id2", "id0"]


def test_moments_count_from_the_first_state_also_over_midnight():
    minion = _of(
        _state(start_time="23:59:59.500000", duration=100),
        _state(start_time="00:00:00.250000", duration="5 ms"),
        _state(start_time="odd"),
    )

    assert [state["started"] for state in minion["states"]] == [0.0, 750.0, None]
    assert [state["duration"] for state in minion["states"]] == [100.0, 5.0, 0.0]


def test_a_minion_without_a_return_is_silent_and_verdicts_are_counted():
    results = {"a": {"return": True, "retcode": 0}, "b": {"return": "no", "success": False}}

    found = report(_JID, {"fun": "test.ping", "tgt": "*"}, results, ["a", "b", "c"])

    assert {id: one["verdict"] for id, one in found["minions"].items()} == {
        "a": "ok",
        "b": "failed",
        "c": "silent",
    }
    assert found["counts"] == {"failed": 1, "silent": 1, "ok": 1}
    assert found["began"] == "2026, Jan 02 03:04:05.678901"
    assert is_report(found)


@pytest.mark.parametrize("returned", [None, {}, [], "text", {"a": 1}, {"a_|-b_|-c_|-d": []}, ["error"]])
def test_other_returns_are_not_state_runs(returned):
    assert not is_state_run(returned)
