"""Tests of states: functions called after a run, and assertions about their return values.

A test is a mapping in a file `*.tst` below the folder `saltcheck-tests` (setting `saltcheck_test_location`)
of its states. Begin with `tests.py`.
Source: the module `saltcheck` of Salt 3008.
"""

from salt_g.modules.saltcheck.functions import (
    report_highstate_tests,
    run_highstate_tests,
    run_state_tests,
    run_state_tests_ssh,
    run_test,
    state_apply,
)

__all__ = [
    "report_highstate_tests",
    "run_highstate_tests",
    "run_state_tests",
    "run_state_tests_ssh",
    "run_test",
    "state_apply",
]
