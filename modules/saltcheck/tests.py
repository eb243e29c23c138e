"""Run of one test: validation, call, assertions.

Shapes: a test has `module_and_function`, `args`, `kwargs`, `pillar_data`, `skip`, `print_result`,
`output_details`, and either `assertion`, `expected_return`, `assertion_section` and its delimiter
(`assertion_section_delimiter`), or a list `assertions` of mappings with these four. The result is {status,
duration}: `Pass`, `Skip`, or `Fail...`, the duration in s; several assertions add {assertion1: {status}, …}.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

from salt_g.api import call, has, opts
from salt_g.data.nested import traverse
from salt_g.modules.saltcheck.assertions import ASSERTIONS, failure, shown

#: The only function that needs no assertion: it runs setup and teardown.
SETUP = "saltcheck.state_apply"
INVALID = "Fail - invalid test"
#: Older names in a test, which stock also accepts.
_OLD_NAMES = {"expected-return": "expected_return"}


def run(test: Any) -> Any:
    """Run a test and return its result, or an error text if the test is not a mapping."""
    if not isinstance(test, Mapping) or not test:
        return "Test argument must be a dictionary"
    began = time.monotonic()
    result = _status(_renamed(test))
    return {**result, "duration": round(time.monotonic() - began, 4)}


def _renamed(given: Any) -> Any:
    """Return a test or an assertion with old keys renamed to the current ones."""
    if not isinstance(given, Mapping):
        return given
    return {_OLD_NAMES.get(name, name): value for name, value in given.items()}


def is_valid(test: Mapping[str, Any]) -> bool:
    """Return whether a test names an existing function and complete assertions."""
    name = test.get("module_and_function")
    if not isinstance(name, str) or not has(name):
        return False
    if name == SETUP and "assertion" not in test and "assertions" not in test:
        return True
    assertions = _assertions(test)
    return bool(assertions) and all(map(_is_complete, assertions))


def _assertions(test: Mapping[str, Any]) -> list[Any]:
    """Return the assertions of a test, not yet checked; [None] if `assertions` is not a list."""
    given = test.get("assertions")
    if given:
        return [_renamed(one) for one in given] if isinstance(given, list) else [None]
    if "assertion" not in test and test.get("module_and_function") == SETUP:
        return [{"assertion": "assertNotEmpty"}]
    return [test]


def _is_complete(assertion: Any) -> bool:
    if not isinstance(assertion, Mapping) or assertion.get("assertion") not in ASSERTIONS:
        return False
    needs = ASSERTIONS[assertion["assertion"]].needs_expected
    return not needs or assertion.get("expected_return") is not None


def _status(test: Mapping[str, Any]) -> dict[str, Any]:
    if not is_valid(test):
        return {"status": INVALID}
    if test.get("skip"):
        return {"status": "Skip"}
    try:
        value = _called(test)
    # A test may call any function: an exception fails this test, not the others.
    except Exception as exc:
        return {"status": f"Fail: {test['module_and_function']} failed: {exc}"}
    results = [_result(test, assertion, value) for assertion in _assertions(test)]
    if not test.get("assertions"):
        return results[0]
    status = "Pass" if all(result["status"] == "Pass" for result in results) else "Fail"
    return {**{f"assertion{i}": result for i, result in enumerate(results, 1)}, "status": status}


def _called(test: Mapping[str, Any]) -> Any:
    given, keywords = test.get("args"), dict(test.get("kwargs") or {})
    arguments = list(given) if isinstance(given, (list, tuple)) else [] if given is None else [given]
    if test.get("pillar_data"):
        keywords["pillar"] = test["pillar_data"]
    return call(test["module_and_function"], *arguments, **keywords)


def _result(test: Mapping[str, Any], assertion: Mapping[str, Any], value: Any) -> dict[str, Any]:
    name, expected = assertion["assertion"], assertion.get("expected_return")
    section = assertion.get("assertion_section")
    if section:
        delimiter = str(assertion.get("assertion_section_delimiter") or ":")
        value = traverse(value, str(section), False, delimiter=delimiter)
    prints = bool(test.get("print_result", True))
    reason = failure(name, expected, value, prints=prints)
    result = {"status": f"Fail: {reason}" if reason else "Pass"}
    if not (test.get("output_details") or opts.get("saltcheck_output_details")):
        return result
    called = f"{test['module_and_function']} {json.dumps(test.get('args'), default=str)}"
    label = "module.function [args]"
    label, called = (f"{label} assertion_section", f"{called} {section}") if section else (label, called)
    return {**result, label: called, "saltcheck assertion": shown(name, expected, value, prints=prints)}
