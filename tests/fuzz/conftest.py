"""Repetition of fuzz tests for SALT_G_FUZZ_SECONDS, and a report of the number of examples."""

import time

import pytest

from tests.support import fuzzing

#: Name of the figure in reports, which come from other processes.
_FIGURE = "fuzz examples"


def pytest_collection_modifyitems(items):
    """Lift the time limit of tests that run for SALT_G_FUZZ_SECONDS."""
    for item in items:
        if fuzzing.SECONDS and hasattr(getattr(item, "obj", None), "hypothesis"):
            item.add_marker(pytest.mark.timeout(300 + 2 * fuzzing.SECONDS))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Repeat a fuzz test, each time with new examples, until its time is over."""
    if not hasattr(pyfuncitem.obj, "hypothesis"):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    began = time.monotonic()
    try:
        pyfuncitem.obj(**arguments)
        while time.monotonic() - began < fuzzing.SECONDS:
            pyfuncitem.obj(**arguments)
    finally:
        count = fuzzing.examples.get(pyfuncitem.originalname, 0)
        pyfuncitem.user_properties.append((_FIGURE, (count, time.monotonic() - began)))
    return True


def pytest_terminal_summary(terminalreporter):
    """Print the examples of each target."""
    if not fuzzing.SECONDS:
        return
    terminalreporter.section("fuzz examples")
    whole, seconds = 0, 0.0
    for reports in (
        terminalreporter.stats.get("passed", ()),
        terminalreporter.stats.get("failed", ()),
    ):
        for report in reports:
            for count, took in (figure for name, figure in report.user_properties if name == _FIGURE):
                terminalreporter.line(f"{count:9} in {took:6.0f} s  {report.nodeid}")
                whole, seconds = whole + count, seconds + took
    terminalreporter.line(f"{whole:9} in {seconds:6.0f} s  altogether")
