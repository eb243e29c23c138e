"""Lists of jobs in the job cache, and search for jobs."""

from __future__ import annotations

import datetime
import fnmatch
import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.api import opts
from salt_g.data.word_list import split
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.runners.jobs.job_source import name_of, source
from salt_g.runners.jobs.results import print_job
from salt_g.runners.jobs.shown import print_progress

#: Maximum number of jobs that `jobs.list_jobs` returns.
MOST_LISTED = 10_000
#: Forms of dates and times as users type them: `2015, Mar 16 19:00`, `2015-03-16T19:00:01`, `2015/03/16`.
_DATES = ("%Y, %b %d", "%Y %b %d", "%b %d %Y", "%b %d, %Y", "%d %b %Y", "%Y/%m/%d", "%m/%d/%Y", "%Y%m%d")
_TIMES = ("", " %H:%M", " %H:%M:%S", " %H:%M:%S.%f")


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
    `search_metadata` is a mapping, at least one item of which must be in the job's metadata; `start_time` and
    `end_time` are times (UTC), both included. At most 10,000 jobs are returned, the newest ones.

    Example::

        salt-g run jobs.list_jobs search_function='test.*,pkg.install' start_time='2026-03-16 19:00'
    """
    if display_progress:
        print_progress(f"Querying returner {name_of(ext_source)} for jobs.")
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
        print_progress(f"Only the newest {MOST_LISTED} jobs are listed; set end_time for earlier ones")
    found = dict(reversed(newest))
    return {"outputter": outputter, "data": found} if outputter else found


def list_jobs_filter(
    count: int,
    filter_find_job: bool = True,
    ext_source: str | None = None,
    outputter: str | None = None,
    display_progress: bool = False,
) -> Any:
    """Return the newest `count` jobs, oldest first.

    Queries for running jobs are left out unless `filter_find_job` is False.

    Example::

        salt-g run jobs.list_jobs_filter 50
    """
    if not str(count).isdecimal():
        raise CommandExecutionError(f"{count!r} is not a number of jobs")
    if display_progress:
        print_progress(f"Querying returner {name_of(ext_source)} for jobs.")
    found = source(ext_source).get_jids_filter(int(count), filter_find_job)
    return {"outputter": outputter, "data": found} if outputter else found


def last_run(
    ext_source: str | None = None,
    outputter: str | None = None,
    metadata: Any = None,
    function: Any = None,
    target: Any = None,
    display_progress: bool = False,
) -> Any:
    """Return the newest job that matches the criteria of `jobs.list_jobs`, or False when there is none.

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


def _jid_at(moment: Any) -> str:
    """Return the jid of a job that starts at a time typed by a user, or '' if none is given."""
    return _read_moment(moment).strftime("%Y%m%d%H%M%S%f") if moment else ""


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


def _read_moment(text: object) -> datetime.datetime:
    """Return a date and time without zone; raises InvocationError with the accepted formats."""
    written = " ".join(str(text).split())
    try:
        return datetime.datetime.fromisoformat(written.replace("Z", "+00:00")).replace(tzinfo=None)
    except ValueError:
        pass
    for date in _DATES:
        for time in _TIMES:
            try:
                return datetime.datetime.strptime(written, date + time)
            except ValueError:
                continue
    raise InvocationError(
        f"{written!r} is not a date and time; write one like '2026-03-16 19:00' or '2026, Mar 16 19:00:00'"
    )
