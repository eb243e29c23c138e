"""Verdicts on returns."""

import pytest

from salt_g.report.run_verdict import run_verdict, succeeded


def run(*results):
    return {
        f"test_|-{n}_|-{n}_|-nop": {"result": result, "changes": changes, "comment": ""}
        for n, (result, changes) in enumerate(results)
    }


@pytest.mark.parametrize(
    ("result", "verdict", "counts"),
    [
        ({"return": True, "retcode": 0, "success": True}, "ok", {}),
        ({"return": "no", "retcode": 1}, "failed", {}),
        ({"return": None, "success": False}, "failed", {}),
        ({"return": {}}, "ok", {}),
        ({"return": run((True, {}), (True, {"a": 1}))}, "changed", {"ok": 1, "changed": 1}),
        ({"return": run((None, {})), "retcode": 0}, "would change", {"would change": 1}),
        ({"return": run((False, {}), (True, {})), "retcode": 2}, "failed", {"failed": 1, "ok": 1}),
        ({"return": run((True, {})), "retcode": 1}, "failed", {"ok": 1}),
    ],
)
def test_the_worst_state_decides(result, verdict, counts):
    assert run_verdict(result) == (verdict, counts)


GOOD, TESTED, BAD = {"result": True}, {"result": None}, {"result": False}


@pytest.mark.parametrize(
    ("running", "expected"),
    [
        ({"a": GOOD, "b": TESTED}, True),
        ({"a": GOOD, "b": BAD}, False),
        ({"m1": {"a": GOOD}, "m2": {"a": BAD}}, False),
        ({"m1": {"a": GOOD}, "m2": {"a": TESTED}}, True),
        ({"a": {"nothing": 1}}, True),
        ({}, False),
        (["Rendering SLS failed"], False),
        (None, False),
        ({"m1": ["an error"]}, False),
        ({"m1": {}}, False),
        ({"a": GOOD, "__extend__": [1]}, True),
        ({"a": GOOD, "__extend__": "text"}, False),
    ],
)
def test_a_run_succeeds_when_no_state_of_it_failed(running, expected):
    assert succeeded(running) is expected


def test_values_beside_the_states_are_ignored_below_the_top():
    assert succeeded({"a": GOOD, "retcode": 0}, nested=True) is True
    assert succeeded({"a": GOOD, "retcode": 0}) is False
