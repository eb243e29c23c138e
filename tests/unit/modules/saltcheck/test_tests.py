"""One saltcheck test: success, and failures with their texts."""

import pytest

from salt_g.modules.saltcheck.functions import run_test


def echo(text):
    return text


def raises():
    raise ValueError("no luck")


@pytest.fixture(autouse=True)
def call(call_context):
    """Enter a call with the functions that tests call."""
    functions = {
        "test.echo": echo,
        "test.kwarg": lambda **kwargs: kwargs,
        "test.raises": raises,
        "saltcheck.state_apply": lambda name, **kwargs: {name: kwargs},
    }
    call_context(functions=functions)


def status(value, assertion, *expected, **more):
    """Return the status of a test with this value."""
    test = {"module_and_function": "test.echo", "args": [value], "assertion": assertion, **more}
    return run_test(test={**test, **({"expected_return": expected[0]} if expected else {})})["status"]


@pytest.mark.parametrize(
    ("value", "assertion", "expected", "wanted"),
    [
        ("a", "assertEqual", "a", "Pass"),
        ("a", "assertEqual", "b", "Fail: b is not equal to a"),
        (1, "assertEqual", "1", "Pass"),
        ("1", "assertEqual", 1, "Pass"),
        (True, "assertEqual", "true", "Pass"),
        (False, "assertEqual", "False", "Pass"),
        (False, "assertEqual", "c", "Fail: True is not equal to False"),
        ([1], "assertEqual", "[1]", "Fail: ['[', '1', ']'] is not equal to [1]"),
        ({"a": 1}, "assertEqual", {"a": 1}, "Pass"),
        (1, "assertNotEqual", "1", "Fail: 1 is equal to 1"),
        ("abc", "assertIn", "x", "Fail: x not found in abc"),
        ([1, 2], "assertIn", "1", "Fail: 1 not found in [1, 2]"),
        ({"a": 1}, "assertIn", "a", "Pass"),
        ("abc", "assertNotIn", "a", "Fail: a was found in abc"),
        (1, "assertGreater", "2", "Pass"),
        (5, "assertGreater", 5, "Fail: 5 not False"),
        (5, "assertGreaterEqual", 5, "Pass"),
        (2, "assertLess", 1, "Pass"),
        (2, "assertLessEqual", 3, "Fail: 2 not False"),
    ],
)
def test_a_value_is_compared_with_the_expected_one(value, assertion, expected, wanted):
    assert status(value, assertion, expected) == wanted


@pytest.mark.parametrize(
    ("value", "assertion", "expected"),
    [
        (True, "assertTrue", "Pass"),
        (1, "assertTrue", "Fail: 1 not True"),
        (False, "assertFalse", "Pass"),
        (0, "assertFalse", "Fail: 0 not False"),
        ("", "assertFalse", "Pass"),
        ("x", "assertFalse", "Fail: True not False"),
        (0, "assertEmpty", "Pass"),
        ("x", "assertEmpty", "Fail: x is not empty"),
        ("x", "assertNotEmpty", "Pass"),
        ([], "assertNotEmpty", "Fail: value is empty"),
    ],
)
def test_a_value_is_judged_alone(value, assertion, expected):
    assert status(value, assertion) == expected


def test_values_are_hidden_where_a_test_prints_none():
    assert status("a", "assertEqual", "b", print_result=False) == "Fail: Result is not equal"
    assert status("a", "assertIn", "b", print_result=False) == "Fail: Result not found"


def test_details_name_the_call_and_the_assertion():
    test = {"module_and_function": "test.kwarg", "kwargs": {"a": {"b": "c"}}, "output_details": True}

    result = run_test(
        test={**test, "assertion": "assertEqual", "assertion_section": "a:b", "expected_return": "c"}
    )
    hidden = run_test(test={**test, "assertion": "assertNotEmpty", "print_result": False})

    assert result["module.function [args] assertion_section"] == "test.kwarg null a:b"
    assert result["saltcheck assertion"] == "c == c"
    assert hidden["saltcheck assertion"] == "IS NOT EMPTY hidden"


def test_the_expected_value_has_an_older_name():
    test = {"module_and_function": "test.echo", "args": ["abc"]}
    named = {"assertion": "assertEqual", "expected-return": "abc"}

    assert run_test(test={**test, **named})["status"] == "Pass"
    assert run_test(test={**test, "assertions": [named]})["assertion1"] == {"status": "Pass"}


def test_several_assertions_have_one_status():
    good = {"assertion": "assertIn", "expected_return": "a"}
    bad = {"assertion": "assertIn", "expected_return": "z"}
    test = {"module_and_function": "test.echo", "args": ["abc"]}

    passed = run_test(test={**test, "assertions": [good, good]})
    failed = run_test(test={**test, "assertions": [good, bad]})

    assert passed["status"] == "Pass" and passed["assertion2"] == {"status": "Pass"}
    assert failed["status"] == "Fail"
    assert failed["assertion2"] == {"status": "Fail: z not found in abc"}


@pytest.mark.parametrize(
    "test",
    [
        {"assertion": "assertTrue"},
        {"module_and_function": "no.such", "assertion": "assertTrue"},
        {"module_and_function": "test", "assertion": "assertTrue"},
        {"module_and_function": "test.echo", "args": ["a"]},
        {"module_and_function": "test.echo", "args": ["a"], "assertion": "assertNonsense"},
        {"module_and_function": "test.echo", "args": ["a"], "assertion": "assertEqual"},
        {"module_and_function": "test.echo", "args": ["a"], "assertions": [{"expected_return": 1}]},
        {"module_and_function": "test.echo", "args": ["a"], "assertions": {"assertion": "assertTrue"}},
    ],
)
def test_an_incomplete_test_is_invalid(test):
    assert run_test(test=test)["status"] == "Fail - invalid test"


def test_a_malformed_test_is_reported():
    assert run_test() == run_test(test="x") == run_test(test={}) == "Test argument must be a dictionary"


def test_an_error_fails_one_test():
    test = {"module_and_function": "test.raises", "assertion": "assertTrue"}

    assert run_test(test=test)["status"] == "Fail: test.raises failed: no luck"
    assert status(5, "assertIn", "a").startswith("Fail: assertIn cannot compare 'a' with 5: ")


def test_a_setup_needs_no_assertion_and_may_have_pillar():
    test = {"module_and_function": "saltcheck.state_apply", "args": ["web"], "pillar_data": {"a": 1}}

    result = run_test(test={**test, "output_details": True})

    assert result["status"] == "Pass"
    assert result["saltcheck assertion"] == "IS NOT EMPTY {'web': {'pillar': {'a': 1}}}"


def test_a_test_may_be_skipped():
    assert status("a", "assertEqual", "b", skip=True) == "Skip"
