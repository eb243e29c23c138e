"""Counts of the verdicts on jobs: the number of minions by verdict.

Returns are counted as they arrive; older jobs are counted from the store, once.
Bounds: the `REMEMBERED` jobs used last.
"""

from __future__ import annotations

import collections

from salt_g.cache.jobs import Jobs
from salt_g.report.run_verdict import RunVerdict, run_verdict

#: Maximum number of jobs whose verdicts are remembered.
REMEMBERED = 5_000


class JobVerdicts:
    """Counts of verdicts, by job."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._known: collections.OrderedDict[str, collections.Counter[str]] = collections.OrderedDict()

    def note(self, jid: str, found: RunVerdict) -> None:
        """Count a return that was stored for the first time."""
        self._remembered(jid)[found.verdict] += 1

    def of(self, jid: str) -> dict[str, int]:
        """Return {verdict: minions} of a job; may yield to the hub."""
        counts = self._remembered(jid)
        if counts.total() != self._jobs.count_returned(jid):
            counts = collections.Counter(
                run_verdict(one).verdict for one in self._jobs.get_returns(jid).values()
            )
            self._known[jid] = counts
        return dict(counts)

    def _remembered(self, jid: str) -> collections.Counter[str]:
        counts = self._known.setdefault(jid, collections.Counter())
        self._known.move_to_end(jid)
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return counts
