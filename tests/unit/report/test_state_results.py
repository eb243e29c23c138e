"""Success of a state run, as stock defines it."""

import pytest

from salt_g.report.state_results import succeeded

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
