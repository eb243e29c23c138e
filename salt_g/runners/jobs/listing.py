"""Jobs: the running ones, and those in the job cache."""

from __future__ import annotations

import fnmatch
import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.api import current, opts, services
from salt_g.data import jid as jids
from salt_g.errors import InvocationError
from salt_g.report import job_report
from salt_g.report.job_summary import summary
from salt_g.runners._wordlist import split
from salt_g.runners.jobs.job_source import OWN, name_of, source
from salt_g.runners.jobs.moments import read_moment
from salt_g.services.daemons import MasterServices
from salt_g.shapes.loads import CallEvent, JobLoad, JobSummary

#: Maximum number of jobs that `jobs.list_jobs` returns.
MOST_LISTED = 10_000
_UNKNOWN: JobSummary = {"Error": "Cannot contact returner or no job with this jid"}


def master() -> list[CallEvent]:
    """Return the runner and wheel functions running on the master.

    Example::

        salt-g run jobs.master
    """
    return list(services(MasterServices).calls.running())


def active(display_progress: bool = False) -> dict[str, dict[str, Any]]:
    """Return {jid: job} of the jobs on the minions, with `Running` ([{id: pid}]) and `Returned` ([id]).

    Example::

        salt-g run jobs.active
    """
    answers = services(MasterServices).client.cmd("*", "saltutil.running", timeout=opts["timeout"])
    if display_progress:
        _print_progress(f"Attempting to contact minions: {list(answers)}")
    found: dict[str, dict[str, Any]] = {}
    for id, running in answers.items():
        if display_progress:
            _print_progress(f"Received reply from minion {id}")
        for job in running if isinstance(running, list) else ():
            entry = found.setdefault(
                job["jid"], {**_described(job["jid"], job), "Running": [], "Returned": []}
            )
            entry["Running"].append({id: job.get("pid")})
    kept = source()
    for jid, entry in found.items():
        entry["Returned"] = list(kept.get_jid(jid))
    return found


def lookup_jid(
    jid: str,
    ext_source: str | None = None,
    returned: bool = True,
    missing: bool = False,
    display_progress: bool = False,
) -> dict[str, Any]:
    """Return {id: return} of a job; with `missing` also the minions that did not return.

    `returned=False` omits those that did; `ext_source` is a returner that stores jobs. For a job that is not
    in the cache, the call returns nothing and fails.

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
            _print_progress(id)
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
        _print_progress(f"Querying returner: {name_of(ext_source)}")
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

    `minions` has a verdict for each (failed, silent, would change, changed, ok), and its states in the order
    in which they ran; `--out html` formats it as a page. For a job that is not in the cache, the call returns
    nothing and fails.

    Example::

        salt-g run jobs.report 20260101120000000000 --out html --out-file report.html
    """
    jid, kept = str(jid), source(ext_source)
    load, results = kept.get_load(jid), kept.get_jid(jid)
    if not load and not results:
        _fail_unknown(jid, ext_source)
        return {}
    return job_report.report(jid, load, results, load.get("Minions") or ())


def list_jobs(
    ext_source: str | None = None,
    outputter: str | None = None,
    search_metadata: Any = None,
    search_function: Any = None,
    search_target: Any = None,
    start_time: Any = None,
    end_time: Any = None,
    display_progress: bool = False,
) -> dict[str, Any]:
    """Return {jid: job} of the cached jobs that match all search criteria.

    `search_function` and `search_target` are globs, or several as a list or comma-separated text;
    `search_metadata` is a mapping of which one item must be in the job's metadata; `start_time` and
    `end_time` are times (UTC), both included. At most 10,000 jobs are returned, the newest ones.

    Example::

        salt-g run jobs.list_jobs search_function='test.*,pkg.install' start_time='2026-03-16 19:00'
    """
    if display_progress:
        _print_progress(f"Querying returner {name_of(ext_source)} for jobs.")
    if search_metadata and not isinstance(search_metadata, Mapping):
        raise InvocationError("The search_metadata parameter must be specified as a dictionary.")
    meant = source(ext_source).newest(
        first=_jid_at(start_time),
        last=_jid_at(end_time),
        with_end=bool(opts.get("job_cache_store_endtime")),
    )
    searched = (
        (jid, job)
        for jid, job in meant
        if _has_metadata(job, search_metadata)
        and (not search_target or _fits(_targets(job), search_target))
        and (not search_function or _fits(_functions(job), search_function))
    )
    newest = list(itertools.islice(searched, MOST_LISTED))
    if len(newest) == MOST_LISTED:
        _print_progress(f"Only the newest {MOST_LISTED} jobs are listed; start_time and end_time show others")
    found = dict(reversed(newest))
    return {"outputter": outputter, "data": found} if outputter else found


def list_jobs_filter(
    count: int,
    filter_find_job: bool = True,
    ext_source: str | None = None,
    outputter: str | None = None,
    display_progress: bool = False,
) -> Any:
    """Return the newest `count` jobs, oldest first, without queries for running jobs.

    Example::

        salt-g run jobs.list_jobs_filter 50
    """
    if display_progress:
        _print_progress(f"Querying returner {name_of(ext_source)} for jobs.")
    found = source(ext_source).get_jids_filter(int(count), filter_find_job)
    return {"outputter": outputter, "data": found} if outputter else found


def exit_success(jid: str, ext_source: str | None = None) -> dict[str, bool]:
    """Return {id: whether its return is true} for the minions expected by a job.

    Example::

        salt-g run jobs.exit_success 20260101120000000000
    """
    job = list_job(jid, ext_source=ext_source)
    results = job.get("Result") or {}
    expected = dict.fromkeys(job.get("Minions", []), False)
    returned = {id: bool(result.get("return")) for id, result in results.items()}
    return {**expected, **{id: value for id, value in returned.items() if value or id in expected}}


def last_run(
    ext_source: str | None = None,
    outputter: str | None = None,
    metadata: Any = None,
    function: Any = None,
    target: Any = None,
    display_progress: bool = False,
) -> Any:
    """Return the newest job that matches the criteria of `jobs.list_jobs`, False when there is none.

    Example::

        salt-g run jobs.last_run function=cmd.run target='web*'
    """
    if metadata and not isinstance(metadata, Mapping):
        return False
    found = list_jobs(
        ext_source=ext_source,
        search_metadata=metadata,
        search_function=function,
        search_target=target,
        display_progress=display_progress,
    )
    if not found:
        return False
    job = print_job(max(found), ext_source)
    return {"outputter": outputter, "data": job} if outputter else job


def _whole(jid: str, ext_source: str | None) -> JobSummary:
    """Return a job with its results."""
    kept = source(ext_source)
    job: JobSummary = {**_described(jid, kept.get_load(jid)), "Result": kept.get_jid(jid)}
    if opts.get("job_cache_store_endtime") and name_of(ext_source) == OWN:
        ended = kept.get_end(jid)
        if ended:
            job["EndTime"] = ended
    return job


def _described(jid: str, load: JobLoad) -> JobSummary:
    """Return a load in the format of job lists."""
    shown = summary(load) if load else _UNKNOWN.copy()
    if load and "Minions" in load:
        shown["Minions"] = load["Minions"]
    shown["StartTime"] = jids.started_at(jid) if jids.is_jid(jid[: jids.LENGTH]) else ""
    return shown


def _jid_at(moment: Any) -> str:
    """Return the jid of a job that starts at a time typed by a user, '' for none."""
    return read_moment(moment).strftime("%Y%m%d%H%M%S%f") if moment else ""


def _has_metadata(job: Mapping[str, Any], wanted: Mapping[str, Any] | None) -> bool:
    if not wanted:
        return True
    given = job.get("Metadata")
    return isinstance(given, Mapping) and any(
        key in given and given[key] == value for key, value in wanted.items()
    )


def _targets(job: Mapping[str, Any]) -> Iterator[str]:
    target = job.get("Target")
    yield from map(str, target if isinstance(target, (list, tuple)) else [target])


def _functions(job: Mapping[str, Any]) -> Iterator[str]:
    function = job.get("Function")
    yield from map(str, function if isinstance(function, (list, tuple)) else [function])


def _fits(names: Iterator[str], globs: Any) -> bool:
    wanted = split(globs)
    return any(fnmatch.fnmatch(name, str(glob)) for name in names for glob in wanted)


def _fail_unknown(jid: str, ext_source: str | None) -> None:
    where = f"job {jid} is not in the job cache ({name_of(ext_source)})"
    _fail(f"{where}; `salt-g run jobs.list_jobs` lists those that are")


def _fail(why: str) -> None:
    """Log an error and mark the call as failed; the shape of its return does not change."""
    services(MasterServices).progress.fire({"text": why}, "warning")
    current().scratch["retcode"] = 1


def _print_progress(message: str) -> None:
    services(MasterServices).progress.fire({"message": message})
