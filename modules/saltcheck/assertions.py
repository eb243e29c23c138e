"""Assertions about the value that a function returned.

Shapes: `failure` returns '' or the reason, in stock's words; `shown` is the assertion as text.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NamedTuple

#: Placeholder for a value that is not printed.
HIDDEN = "hidden"


class Assertion(NamedTuple):
    """One kind of assertion: its check `holds(expected, value)`, and its texts.

    `fails` may contain {expected} and {value}; `fails_hidden` replaces it in tests that print no result.
    """

    holds: Callable[[Any, Any], bool]
    text: str
    fails: str
    fails_hidden: str = ""
    needs_expected: bool = True
    converts: bool = True


def _ordered(compare: Callable[[Any, Any], bool], sign: str) -> Assertion:
    return Assertion(compare, f"{{expected}} {sign} {{value}}", "{value} not False")


def _is_in(expected: Any, value: Any) -> bool:
    return expected in value


def _is_false(_expected: Any, value: Any) -> bool:
    return not value if isinstance(value, str) else value is False


#: All assertions by name.
ASSERTIONS = {
    "assertEqual": Assertion(
        operator.eq, "{expected} == {value}", "{expected} is not equal to {value}", "Result is not equal"
    ),
    "assertNotEqual": Assertion(
        operator.ne, "{expected} != {value}", "{expected} is equal to {value}", "Result is equal"
    ),
    "assertTrue": Assertion(
        lambda _, value: value is True, "True is {value}", "{value} not True", needs_expected=False
    ),
    "assertFalse": Assertion(_is_false, "False is {value}", "{value} not False", needs_expected=False),
    "assertIn": Assertion(
        _is_in,
        "{expected} IN {value}",
        "{expected} not found in {value}",
        "Result not found",
        converts=False,
    ),
    "assertNotIn": Assertion(
        lambda expected, value: not _is_in(expected, value),
        "{expected} NOT IN {value}",
        "{expected} was found in {value}",
        "Result was found",
        converts=False,
    ),
    "assertGreater": _ordered(operator.gt, ">"),
    "assertGreaterEqual": _ordered(operator.ge, ">="),
    "assertLess": _ordered(operator.lt, "<"),
    "assertLessEqual": _ordered(operator.le, "<="),
    "assertEmpty": Assertion(
        lambda _, value: not value, "IS EMPTY {value}", "{value} is not empty", needs_expected=False
    ),
    "assertNotEmpty": Assertion(
        lambda _, value: bool(value), "IS NOT EMPTY {value}", "value is empty", needs_expected=False
    ),
}


def failure(name: str, expected: Any, value: Any, *, prints: bool) -> str:
    """Return why an assertion fails, or '' if it holds."""
    assertion = ASSERTIONS[name]
    try:
        if assertion.holds(_as_type_of(value, expected) if assertion.converts else expected, value):
            return ""
    except TypeError as exc:
        return f"{name} cannot compare {expected!r} with {value!r}: {exc}"
    if not prints and assertion.fails_hidden:
        return assertion.fails_hidden
    shown = bool(value) if name == "assertFalse" and isinstance(value, str) else value
    return assertion.fails.format(expected=_as_type_of(value, expected, name=name), value=shown)


def shown(name: str, expected: Any, value: Any, *, prints: bool) -> str:
    """Return the assertion as text."""
    text = ASSERTIONS[name].text
    return text.format(expected=_as_type_of(value, expected, name=name), value=value if prints else HIDDEN)


def _as_type_of(value: Any, expected: Any, *, name: str = "") -> Any:
    """Return the expected value converted to the type of the returned one, unchanged if that is impossible.

    Values in YAML and values of functions may differ in type, such as '1' and 1.
    """
    if (name and not ASSERTIONS[name].converts) or type(value) is type(expected):
        return expected
    if isinstance(value, bool):
        return str(expected).lower() != "false" and bool(expected)
    for kind in (int, float, list, str):
        if isinstance(value, kind):
            try:
                return kind(expected)
            except (TypeError, ValueError):
                return expected
    return expected
