"""`loop` states, which call a function until it returns the wanted value, or time is over."""

import pytest

from salt_g.states import loop


@pytest.fixture
def counting(call_context):
    """Return the results of a function `count.up`, which returns 1, 2, 3 and so on."""
    results = []

    def up():
        results.append(len(results) + 1)
        return results[-1]

    call_context(functions={"count.up": up})
    return results


def test_until_ends_when_the_condition_is_met(counting):
    returned = loop.until("count.up", condition="m_ret == 3", period=0)

    assert counting == [1, 2, 3]
    assert (returned["result"], returned["comment"]) == (True, "Condition m_ret == 3 was met")


def test_until_fails_when_time_is_over(counting):
    returned = loop.until("count.up", condition="m_ret == 0", period=0, timeout=0.01)

    assert (returned["result"], returned["comment"]) == (
        False,
        "Timed out while waiting for condition m_ret == 0",
    )


def test_until_no_eval_compares_with_an_operator(counting):
    returned = loop.until_no_eval("count.up", expected=1, compare_operator="gt", period=0)

    assert (returned["result"], returned["comment"]) == (
        True,
        "Call provided the expected results in 2 attempts",
    )


def test_an_unknown_operator_is_named(counting):
    returned = loop.until_no_eval("count.up", expected=1, compare_operator="_private")

    assert (returned["result"], returned["comment"]) == (False, 'Invalid operator "_private" supplied.')


def test_a_function_that_is_missing_is_named(counting):
    assert loop.until("no.such", condition="m_ret")["comment"] == "Cannot find module no.such"


def test_in_test_mode_nothing_is_called(call_context):
    call_context(opts={"test": True})

    returned = loop.until_no_eval("count.up", expected="x")

    assert (returned["result"], returned["comment"]) == (
        None,
        'Would have waited for "count.up" to produce "x".',
    )
