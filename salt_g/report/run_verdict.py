"""Verdict on one return: the number of states by verdict, and the worst verdict.

Lists of jobs and minions show the verdict; `job_report.py` makes the whole report.
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
