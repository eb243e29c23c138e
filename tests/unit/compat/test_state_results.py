"""`salt.utils.state`: results judged and joined as in stock 3008."""

import pytest

from salt_g.compat.utils.calls.state import check_result, merge_subreturn

FAILED = {"test_|-a_|-a_|-nop": {"result": False}}
HANDLER = {"b": {"test": ["nop", {"onfail": [{"test": "a"}]}, {"onfail_stop": False}]}}


def ran(result):
    return {**FAILED, "test_|-b_|-b_|-nop": {"result": result}}


@pytest.mark.parametrize(
    ("running", "highstate", "succeeded"),
    [
        (FAILED, None, False),
        (ran(True), None, False),
        (ran(True), HANDLER, True),
        (ran(None), HANDLER, False),
        (ran(False), HANDLER, False),
        (FAILED, HANDLER, False),
        ({"a": {"result": False}, "b": {"result": True}}, HANDLER, True),
        (ran(True), {"b": {"test": ["nop", {"onfail": [{"test": "a"}]}]}}, False),
        (ran(True), {"b": {"test": ["nop", {"onfail": [{"file": "a"}]}, {"onfail_stop": False}]}}, False),
    ],
)
def test_a_failure_that_was_handled_is_none(running, highstate, succeeded):
    assert check_result(running, highstate=highstate) is succeeded


@pytest.mark.parametrize(
    ("running", "succeeded"),
    [({}, False), ([], False), ({"a": ["x"]}, False), ({"__extend__": []}, True), ({"m1": {"a": {}}}, False)],
)
def test_a_malformed_run_has_not_succeeded(running, succeeded):
    assert check_result(running) is succeeded


def test_values_below_are_looked_at():
    assert check_result({"m1": {"a": {"result": True}, "warning": "x"}})
    assert not check_result({"m1": {"a": {"result": False}}})


def test_the_changes_of_a_further_return_are_below_its_name():
    first = {"name": "a", "result": True, "comment": "one", "changes": {}}
    second = {"name": "b", "result": False, "comment": ["two", "three"], "changes": {"x": 1}}

    result = merge_subreturn(first, second)

    assert result == {"name": "a", "result": False, "comment": "one\ntwo\nthree", "changes": {"b": {"x": 1}}}
    assert merge_subreturn({"result": True}, {**second, "comment": "c"}, "sub") == {
        "result": False,
        "comment": ["c"],
        "changes": {"sub": {"x": 1}},
    }
