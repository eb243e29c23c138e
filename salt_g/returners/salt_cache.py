"""Job cache in the banks of the cache driver chosen by the setting `cache`.

    master_job_cache: salt_cache
    cache: redis

Shapes: stock's banks. `jobs/loads` {jid: load}, `jobs/minions` {jid: [minion id, ...]}, `jobs/returns/<jid>`
{minion id: {return, retcode, success, out}}, `jobs/endtimes` {jid: s since 1970}, `jobs/nocache` {jid: True}.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from salt_g import api
from salt_g.api import opts
from salt_g.config.cache_driver import driver_name
from salt_g.data import jid as jids
from salt_g.returners._options import listed, prepared_jid
from salt_g.shapes.loads import JobLoad, JobSummary, is_job
from salt_g.stock_errors import SaltCacheError

_LOADS, _MINIONS, _ENDS, _NOCACHE = "jobs/loads", "jobs/minions", "jobs/endtimes", "jobs/nocache"
#: Fields of a return that are stored.
_RETURNED = ("return", "retcode", "success", "out")
_FIND_JOB = "saltutil.find_job"


def prep_jid(nocache: bool = False, passed_jid: str | None = None, recurse_count: int = 0) -> str:
    """Return the jid of a new job; with `nocache`, record that its returns must not be stored.

    Example::

        salt-g master    # with `master_job_cache: salt_cache`
    """
    jid = prepared_jid(passed_jid)
    if nocache:
        _ask("store", _NOCACHE, jid, True)
    return jid


def returner(load: Mapping[str, Any]) -> bool | None:
    """Store a return; return False, without storing it, if the minion has already returned.

    Example::

        salt-g '*' test.ping --return salt_cache
    """
    jid = prep_jid(nocache=bool(load.get("nocache"))) if load["jid"] == "req" else load["jid"]
    if _ask("contains", _NOCACHE, jid):
        return None
    bank, minion = _returns(jid), load["id"]
    if _ask("contains", bank, minion):
        return False
    _ask("store", bank, minion, {name: load[name] for name in _RETURNED if name in load})
    return None


def save_load(
    jid: str, clear_load: JobLoad, minions: Iterable[str] | None = None, recurse_count: int = 0
) -> None:
    """Store the load of a job, and its expected minions.

    Example::

        salt-g master    # with `master_job_cache: salt_cache`
    """
    _ask("store", _LOADS, jid, dict(clear_load))
    if minions is not None:
        save_minions(jid, minions)


def save_minions(jid: str, minions: Iterable[str], syndic_id: str | None = None) -> None:
    """Add minions to the expected minions of a job.

    Example::

        salt-g master    # with `master_job_cache: salt_cache`
    """
    _ask("store", _MINIONS, jid, sorted({*(_ask("fetch", _MINIONS, jid) or ()), *minions}))


def get_load(jid: str) -> JobLoad:
    """Return the load of a job with its expected minions, or {} for an unknown one.

    Example::

        salt-g run jobs.list_job 20260102030405678901
    """
    load = _ask("fetch", _LOADS, jid)
    if not load or not is_job(load):
        return {}
    if minions := _ask("fetch", _MINIONS, jid):
        load["Minions"] = sorted(minions)
    return load


def get_jid(jid: str) -> dict[str, Any]:
    """Return the returns of a job, by minion.

    Example::

        salt-g run jobs.lookup_jid 20260102030405678901
    """
    bank = _returns(jid)
    return {minion: _ask("fetch", bank, minion) for minion in _ask("list", bank)}


def get_jids() -> dict[str, JobSummary]:
    """Return all jobs; with `job_cache_store_endtime` including their end times.

    Example::

        salt-g run jobs.list_jobs
    """
    jobs = {jid: listed(jid, load) for jid, load in _loads(sorted(_ask("list", _LOADS)))}
    if opts.get("job_cache_store_endtime"):
        for jid, job in jobs.items():
            if (end := get_endtime(jid)) is not None:
                job["EndTime"] = end
    return jobs


def get_jids_filter(count: int, filter_find_job: bool = True) -> list[dict[str, Any]]:
    """Return the `count` newest jobs, oldest first; `filter_find_job` leaves out `saltutil.find_job`.

    Example::

        salt-g run jobs.last_run
    """
    found: list[dict[str, Any]] = []
    for jid, load in _loads(sorted(_ask("list", _LOADS), reverse=True)):
        if len(found) >= count:
            break
        if not (filter_find_job and load.get("fun") == _FIND_JOB):
            summary: dict[str, Any] = {**listed(jid, load)}
            start = summary.pop("StartTime")
            found.append({**summary, "JID": jid, "StartTime": start})
    return found[::-1]


def update_endtime(jid: str, the_time: Any) -> None:
    """Store the end time of a job (s since 1970).

    Example::

        salt-g master    # with `master_job_cache: salt_cache`
    """
    _ask("store", _ENDS, jid, the_time)


def get_endtime(jid: str) -> Any:
    """Return the end time of a job (s since 1970), or None if unknown.

    Example::

        salt-g master    # with `master_job_cache: salt_cache`
    """
    return _ask("fetch", _ENDS, jid) if _ask("contains", _ENDS, jid) else None


def clean_old_jobs() -> None:
    """Remove jobs older than `keep_jobs_seconds`.

    Example::

        salt-g master    # with `master_job_cache: salt_cache`
    """
    seconds = float(opts.get("keep_jobs_seconds") or 0)
    if not seconds:
        return
    oldest = time.time() - seconds
    for jid in _ask("list", _LOADS):
        # A jid contains the time of its job, so ask the cache only about jobs that may be old.
        if jid < jids.make(int(oldest * 1e9)) or not jids.is_job(jid):
            updated = _ask("updated", _LOADS, jid)
            if updated is not None and updated < oldest:
                _remove(jid)


def _remove(jid: str) -> None:
    _ask("flush", _returns(jid))
    for bank in (_MINIONS, _ENDS, _NOCACHE, _LOADS):
        _ask("flush", bank, jid)


def _loads(ids: Iterable[str]) -> Iterator[tuple[str, JobLoad]]:
    for jid in ids:
        load = _ask("fetch", _LOADS, jid)
        if load and is_job(load):
            yield jid, load


def _returns(jid: str) -> str:
    return f"jobs/returns/{jid}"


def _ask(function: str, *arguments: Any) -> Any:
    """Call a function of the cache's driver."""
    table, driver = api.current().table("cache"), driver_name(opts)
    if f"{driver}.{function}" not in table:
        raise SaltCacheError(f"`cache: {driver}`: there is no driver with the function {driver}.{function}")
    start = f"{driver}.init_kwargs"
    options = table[start]({}) if start in table else {}
    return table[f"{driver}.{function}"](*arguments, **options)
