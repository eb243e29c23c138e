"""Calls that are repeated until they have the wanted result."""

import pytest

from salt_g.state.run.retry import Retry, call_with_retry


def called(results, **options):
    """Call a state with these successive results; return its final return and the sleeps."""
    left, slept = list(results), []

    def call():
        result = left.pop(0)
        return {"result": result, "comment": f"c{result}", "duration": 10.0, "start_time": str(len(left))}

    return call_with_retry(call, Retry(**options), sleep=slept.append), slept


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        (True, Retry()),
        (False, Retry(attempts=0)),
        ("often", Retry()),
        ({}, Retry()),
        ({"attempts": 5, "interval": 1, "splay": 2, "until": False}, Retry(5, False, 1, 2)),
        ({"attempts": "5", "interval": 1.5, "until": 1}, Retry()),
        ({"attempts": 3, "more": 1}, Retry(attempts=3)),
    ],
)
def test_values_of_a_wrong_type_are_the_defaults(argument, expected):
    assert Retry.from_argument(argument) == expected


def test_the_wanted_result_ends_the_retries():
    ret, slept = called([False, True, False], attempts=5, interval=4)

    assert ret["result"] is True
    assert slept == [4]
    assert ret["comment"] == (
        'Attempt 1: Returned a result of "False", with the following comment: "cFalse"\ncTrue'
    )


def test_durations_and_waits_are_added_up_from_the_first_start():
    ret, _ = called([False, False, False], attempts=3, interval=2)

    assert ret["duration"] == 3 * 10.0 + 2 * 2000
    assert ret["start_time"] == "2"
    assert ret["result"] is False


@pytest.mark.parametrize("attempts", [-1, 0, 1])
def test_a_state_is_called_at_least_once_and_then_as_it_was(attempts):
    ret, slept = called([False], attempts=attempts)

    assert (ret["comment"], ret["duration"], slept) == ("cFalse", 10.0, [])


def test_a_failure_may_be_the_wanted_result():
    assert called([True, False], attempts=3, until=False, interval=1)[0]["result"] is False


def test_a_splay_adds_up_to_its_seconds():
    _, slept = called([False] * 20, attempts=20, interval=3, splay=2)

    assert {3, 4, 5} >= set(slept)
    assert len(slept) == 19


@pytest.mark.parametrize("times", [{"interval": -5}, {"interval": 0, "splay": -3}])
def test_times_below_zero_are_not_waits(times):
    ret, slept = called([False, True], **times)

    assert (ret["result"], slept) == (True, [0])


def test_the_plan_of_test_mode_names_its_numbers():
    assert Retry(3, True, 5, 2).plan == (
        "The state would be retried every 5 seconds (with a splay of up to 2 seconds) "
        "a maximum of 3 times or until a result of True is returned"
    )


@pytest.mark.parametrize("results", [["bad"], [False, "bad"]])
def test_a_final_result_stands_alone(results):
    left, slept = [*results, True], []

    def call():
        return {"result": left.pop(0), "comment": "c"}

    ret = call_with_retry(call, Retry(5), sleep=slept.append, is_final=lambda ret: ret["result"] == "bad")

    assert ret == {"result": "bad", "comment": "c"}
    assert len(slept) == len(results) - 1
