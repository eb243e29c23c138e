"""Verdict on one return, without its content: how many states ended how, and the worst of them.

Lists of jobs and minions show it; `job_report.py` has the whole report.
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
        """Whether states were run."""
        return bool(self.counts)


def judge(result: Mapping[str, Any]) -> RunVerdict:
    """Return the verdict on {return, retcode, success}."""
    went_wrong = result.get("success") is False or bool(result.get("retcode"))
    returned = result.get("return")
    if not is_state_run(returned):
        return RunVerdict("failed" if went_wrong else "ok")
    assert isinstance(returned, dict)
    counts = dict(collections.Counter(map(verdict_of, returned.values())))
    worst = min([*counts, *(["failed"] if went_wrong else [])], key=VERDICTS.index)
    return RunVerdict(worst, counts)
