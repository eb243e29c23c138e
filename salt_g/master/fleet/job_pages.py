"""Views of jobs for front ends: pages of jobs and returns, one job, its live steps.

Shapes: a row is {jid, fun, arg, tgt, tgt_type, user, began, expected, returned, counts, verdict}; `counts` is
{verdict: minions} with `silent` for those that have not returned. Views: `jobs` {after, fun, by, verdict,
limit} -> {rows, next}; `job_row` {jid} -> {row, minions, missing}; `job_returns` {jid, after, limit} ->
{rows, next}; `job_steps` {jid} -> {steps}. A job that the user may not see is treated as one that does not
exist.
Bounds: jobs examined for one page; bytes of returns in one page, not counting the last.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.auth.sight import Sight
from salt_g.cache.jobs import FIND_JOB, Jobs
from salt_g.data import jid as jids
from salt_g.master.fleet.job_verdicts import JobVerdicts
from salt_g.process.offload import yield_to_hub
from salt_g.report.job_report import VERDICTS
from salt_g.report.run_verdict import run_verdict
from salt_g.shapes.loads import JobLoad, LoadFields
from salt_g.wire.packing import pack_bus

#: Answer of a view to a user.
View = Callable[[LoadFields, Sight], Any]
#: Maximum number of jobs examined for a page, of entries on a page, and of bytes in a page of returns.
MOST_EXAMINED, MOST_ENTRIES, MOST_BYTES = 1000, 1000, 8 * 1024 * 1024
_UNKNOWN = {"row": None}


class JobPages:
    """Views of jobs; `steps(jid)` returns the live steps of a job by minion."""

    def __init__(
        self, jobs: Jobs, verdicts: JobVerdicts, *, steps: Callable[[str], Mapping[str, Any]]
    ) -> None:
        self._jobs = jobs
        self._verdicts = verdicts
        self._steps = steps

    def views(self) -> dict[str, View]:
        """Return the views by name."""
        return {
            "jobs": self._page,
            "job_row": self._one,
            "job_returns": self._returns,
            "job_steps": self._live,
        }

    def _page(self, load: LoadFields, sight: Sight) -> Any:
        limit, verdict = _number(load.get("limit")), load.get("verdict")
        rows: list[dict[str, Any]] = []
        last = None
        for examined, (jid, job) in enumerate(self._jobs.newest_loads(str(load.get("after") or "")), 1):
            if _is_wanted(job, load):
                row, _ = self._row(jid, job, sight)
                if row is not None and verdict in (None, "", row["verdict"]):
                    rows.append(row)
            if len(rows) == limit or examined == MOST_EXAMINED:
                last = jid
                break
            yield_to_hub()
        return {"rows": rows, "next": last}

    def _one(self, load: LoadFields, sight: Sight) -> Any:
        jid = str(load.get("jid"))
        job = self._jobs.get_load(jid)
        row, expected = self._row(jid, job, sight) if job else (None, [])
        if row is None:
            return _UNKNOWN
        missing = sorted(set(expected).difference(self._jobs.get_returned(jid)))
        return {"row": row, "minions": expected, "missing": missing}

    def _returns(self, load: LoadFields, sight: Sight) -> Any:
        if not self._may_see(load, sight):
            return _UNKNOWN
        limit, size, last = _number(load.get("limit")), 0, None
        rows: list[dict[str, Any]] = []
        page = self._jobs.get_returns_page(str(load["jid"]), str(load.get("after") or ""), limit + 1)
        for id, found in page:
            if len(rows) == limit or size > MOST_BYTES:
                last = rows[-1]["id"]
                break
            judged = run_verdict(found)
            rows.append(
                {
                    **{"id": id, "verdict": judged.verdict, "counts": judged.counts},
                    **{"return": found.get("return"), "retcode": found.get("retcode", 0)},
                    "success": found.get("success") is not False,
                }
            )
            size += len(pack_bus(found))
        return {"row": True, "rows": rows, "next": last}

    def _live(self, load: LoadFields, sight: Sight) -> Any:
        if not self._may_see(load, sight):
            return _UNKNOWN
        return {"row": True, "steps": dict(self._steps(str(load["jid"])))}

    def _may_see(self, load: LoadFields, sight: Sight) -> bool:
        jid = str(load.get("jid"))
        job = self._jobs.get_load(jid)
        return bool(job) and _may_see(job, self._jobs.get_expected(jid), sight)

    def _row(self, jid: str, job: JobLoad, sight: Sight) -> tuple[dict[str, Any] | None, list[str]]:
        """Return the row of a job and its expected minions; (None, []) for a user who may not see it."""
        expected = self._jobs.get_expected(jid)
        if not _may_see(job, expected, sight):
            return None, []
        counts = self._verdicts.of(jid)
        returned = sum(counts.values())
        if len(expected) > returned:
            counts["silent"] = len(expected) - returned
        row = {
            "jid": jid,
            "fun": _text(job.get("fun")),
            "arg": list(job.get("arg") or []),
            "tgt": job.get("tgt", ""),
            "tgt_type": str(job.get("tgt_type") or "glob"),
            "user": str(job.get("user") or ""),
            "began": jids.started_at(jid),
            "expected": len(expected),
            "returned": returned,
            "counts": counts,
            "verdict": min(counts, key=VERDICTS.index, default="ok"),
        }
        return row, expected


def _may_see(job: JobLoad, expected: list[str], sight: Sight) -> bool:
    return sight.may_see_job(str(job.get("user") or ""), job.get("fun"), job.get("arg") or [], expected)


def _is_wanted(job: JobLoad, load: LoadFields) -> bool:
    fun, user = _text(job.get("fun")), str(job.get("user") or "")
    wanted = str(load.get("fun") or "")
    if wanted:
        return fnmatch.fnmatchcase(fun, wanted) and load.get("by") in (None, "", user)
    return fun != FIND_JOB and load.get("by") in (None, "", user)


def _text(fun: Any) -> str:
    return ",".join(map(str, fun)) if isinstance(fun, (list, tuple)) else str(fun or "")


def _number(limit: Any) -> int:
    return min(MOST_ENTRIES, max(1, limit)) if isinstance(limit, int) else 50
