"""Results of tests: counts, lists, and JUnit XML.

Shapes: results are {SLS: {name of a test: {status, duration}}}; the list ends with {'TEST RESULTS': counts}.
"""

from __future__ import annotations

import xml.dom.minidom
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from xml.etree import ElementTree

Results = Mapping[str, Mapping[str, Mapping[str, Any]]]


class Counts(NamedTuple):
    """Numbers of tests; `missing` is the number of SLS without tests, `seconds` the total duration."""

    passed: int
    failed: int
    skipped: int
    missing: int
    seconds: float


def count(results: Results) -> Counts:
    """Count the tests by status."""
    every = list(_tests(results))
    states = [str(test.get("status", "")) for test in every]
    passed, skipped = states.count("Pass"), states.count("Skip")
    seconds = round(sum((float(test.get("duration", 0)) for test in every), 0.0), 4)
    missing = sum(not tests for tests in results.values())
    return Counts(passed, len(states) - passed - skipped, skipped, missing, seconds)


def listed(results: Results, *, only_fails: bool = False) -> list[dict[str, Any]]:
    """Return one entry for each SLS, then the counts."""
    found = count(results)
    entries: list[dict[str, Any]] = [
        _failures(sls, tests) if only_fails else {sls: dict(tests)} for sls, tests in results.items()
    ]
    numbers = {
        "Execution Time": found.seconds,
        "Passed": found.passed,
        "Failed": found.failed,
        "Skipped": found.skipped,
        "Missing Tests": found.missing,
    }
    return [*entries, {"TEST RESULTS": numbers}]


def junit(results: Results) -> str:
    """Return the results as JUnit XML."""
    found = count(results)
    number = found.passed + found.failed + found.skipped
    common = {"disabled": "0", "errors": "0", "failures": str(found.failed)}
    time = {"tests": str(number), "time": str(found.seconds)}
    root = ElementTree.Element("testsuites", {**common, **time})
    skipped = {"name": "test_results", "skipped": str(found.skipped)}
    suite = ElementTree.SubElement(root, "testsuite", {**common, **skipped, **time})
    for tests in results.values():
        for name, test in tests.items():
            _add_case(suite, name, test)
    text: str = xml.dom.minidom.parseString(ElementTree.tostring(root)).toprettyxml(indent="\t")
    return text


def _add_case(suite: ElementTree.Element, name: str, test: Mapping[str, Any]) -> None:
    status = str(test.get("status", ""))
    if status == "Skip":
        case = ElementTree.SubElement(suite, "testcase", {"name": name})
        ElementTree.SubElement(case, "skipped", {"type": "skipped", "message": status})
        return
    case = ElementTree.SubElement(
        suite, "testcase", {"name": name, "time": f"{float(test.get('duration', 0)):.6f}"}
    )
    if status != "Pass":
        ElementTree.SubElement(case, "failure", {"type": "failure", "message": status})


def _failures(sls: str, tests: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    failed = {name: test for name, test in tests.items() if str(test.get("status", "")).startswith("Fail")}
    return {sls: failed} if failed else {}


def _tests(results: Results) -> Iterable[Mapping[str, Any]]:
    return (test for tests in results.values() for test in tests.values())
