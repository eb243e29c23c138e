"""Verdict on one return: the number of states by verdict, and the worst verdict.

Lists of jobs and minions show the verdict; `job_report.py` makes the whole report. Orchestration, runners and
the command line ask whether a run succeeded.
Source: stock's `check_result` for `succeeded`, tested.
Shapes: counts are {verdict: number} over the states of a state run; {} for any other return.
"""

from __future__ import annotations

import collections
from collections.abc import Mapping
from typing import Any, NamedTuple

from salt_g.report.job_report import VERDICTS, is_state_run, verdict_of


class RunVerdict(NamedTuple):
    """Verdict and counts of a return."""

    verdict: str
    counts: dict[str, int] = {}

    @property
    def is_state_run(self) -> bool:
        """Whether the return is of a state run."""
        return bool(self.counts)


def run_verdict(result: Mapping[str, Any]) -> RunVerdict:
    """Return the verdict on a result {return, retcode, success}."""
    went_wrong = result.get("success") is False or bool(result.get("retcode"))
    returned = result.get("return")
    if not is_state_run(returned):
        return RunVerdict("failed" if went_wrong else "ok")
    assert isinstance(returned, dict)
    counts = dict(collections.Counter(map(verdict_of, returned.values())))
    worst = min([*counts, *(["failed"] if went_wrong else [])], key=VERDICTS.index)
    return RunVerdict(worst, counts)


def succeeded(running: Any, *, nested: bool = False) -> bool:
    """Return whether a running dict, or several by minion, is not empty and has no failed state.

    At the top level, a value other than a mapping or the list `__extend__` is a failure, for example a list
    of compile errors. Below it, or with `nested`, such values are ignored.
    """
    if not isinstance(running, dict) or not running:
        return False
    return all(_entry_succeeded(key, entry, nested=nested) for key, entry in running.items())


def _entry_succeeded(key: Any, entry: Any, *, nested: bool) -> bool:
    if not isinstance(entry, dict):
        return nested or (key == "__extend__" and isinstance(entry, list))
    if "result" in entry:
        return entry["result"] is not False
    return succeeded(entry, nested=True)
