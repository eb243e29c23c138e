"""Results of one job in the job cache."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.api import current, opts, services
from salt_g.report import job_report
from salt_g.runners.jobs.job_source import OWN, name_of, source
from salt_g.runners.jobs.shown import described, print_progress
from salt_g.services.daemons import MasterServices
from salt_g.shapes.loads import JobSummary


def lookup_jid(
    jid: str,
    ext_source: str | None = None,
    returned: bool = True,
    missing: bool = False,
    display_progress: bool = False,
) -> dict[str, Any]:
    """Return {id: return} of a job; with `missing` also the minions that did not return.

    `returned=False` omits the minions that did; `ext_source` is a returner that stores jobs. For a job that
    is not in the cache, the call returns nothing and fails.

    Example::

        salt-g run jobs.lookup_jid 20260101120000000000
    """
    job = list_job(jid, ext_source=ext_source, display_progress=display_progress)
    results = job.get("Result") or {}
    if job.get("Error") and not results:
        _fail_unknown(jid, ext_source)
    found: dict[str, Any] = {}
    for id, result in results.items():
        if display_progress:
            print_progress(id)
        if returned:
            found[id] = result.get("return")
    if missing:
        absent = (id for id in job.get("Minions", []) if id not in results)
        found.update(dict.fromkeys(absent, "Minion did not return"))
    outputter = next(iter(results.values())).get("out") if results else None
    return {"outputter": outputter, "data": found} if outputter else found


def list_job(jid: str, ext_source: str | None = None, display_progress: bool = False) -> dict[str, Any]:
    """Return a job: function, target, start time and `Result` ({id: {return, retcode, success}}).

    Example::

        salt-g run jobs.list_job 20260101120000000000
    """
    jid = str(jid)
    if display_progress:
        print_progress(f"Querying returner: {name_of(ext_source)}")
    return {"jid": jid, **_whole(jid, ext_source)}


def print_job(jid: str, ext_source: str | None = None) -> dict[str, Any]:
    """Return {jid: job}, see `jobs.list_job`.

    Example::

        salt-g run jobs.print_job 20260101120000000000
    """
    jid = str(jid)
    return {jid: _whole(jid, ext_source)}


def report(jid: str, ext_source: str | None = None) -> dict[str, Any]:
    """Return the outcome of a job, by minion and state.

    `minions` has a verdict for each minion (failed, silent, would change, changed, ok), and its states in the
    order in which they ran; for a silent minion, when it was last heard, whether it received the job, and the
    state that it was in. `--out html` formats it as a page. For a job that is not in the cache, the call
    returns nothing and fails.

    Example::

        salt-g run jobs.report 20260101120000000000 --out html --out-file report.html
    """
    jid, kept = str(jid), source(ext_source)
    load, results = kept.get_load(jid), kept.get_jid(jid)
    if not load and not results:
        _fail_unknown(jid, ext_source)
        return {}
    expected = load.get("Minions") or ()
    known = services(MasterServices).absences.of(jid, set(expected) - results.keys())
    return job_report.report(jid, load, results, expected, known)


def exit_success(jid: str, ext_source: str | None = None) -> dict[str, bool]:
    """Return {id: whether the job succeeded} for the minions expected by a job.

    A minion whose job failed or was killed is False, whatever it returned. Jobs of other stores, which have
    no verdict, are judged by their return.

    Example::

        salt-g run jobs.exit_success 20260101120000000000
    """
    job = list_job(jid, ext_source=ext_source)
    results = job.get("Result") or {}
    expected = dict.fromkeys(job.get("Minions", []), False)
    returned = {id: _is_success(result) for id, result in results.items()}
    return {**expected, **{id: value for id, value in returned.items() if value or id in expected}}


def _is_success(result: Mapping[str, Any]) -> bool:
    if "success" not in result and "retcode" not in result:
        return bool(result.get("return"))
    return bool(result.get("success", True)) and not result.get("retcode")


def _whole(jid: str, ext_source: str | None) -> JobSummary:
    """Return a job with its results."""
    kept = source(ext_source)
    job: JobSummary = {**described(jid, kept.get_load(jid)), "Result": kept.get_jid(jid)}
    if opts.get("job_cache_store_endtime") and name_of(ext_source) == OWN:
        ended = kept.get_end(jid)
        if ended:
            job["EndTime"] = ended
    return job


def _fail_unknown(jid: str, ext_source: str | None) -> None:
    where = f"job {jid} is not in the job cache ({name_of(ext_source)})"
    _fail(f"{where}; `salt-g run jobs.list_jobs` lists those that are")


def _fail(why: str) -> None:
    """Show the client a warning and mark the call as failed; the shape of its return does not change."""
    services(MasterServices).progress.fire({"text": why}, "warning")
    current().scratch["retcode"] = 1
