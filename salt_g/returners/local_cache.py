"""Returner functions that use the job cache of this master."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from salt_g import api
from salt_g.services.daemons import JobCache, MasterServices
from salt_g.shapes.loads import JobLoad, JobSummary, ReturnLoad


def __virtual__() -> Any:
    """Return whether this runs on a master."""
    is_master = api.opts.get("__role") == "master"
    return True if is_master else (False, "only a master has a job cache of its own")


def prep_jid(nocache: bool = False, passed_jid: str | None = None) -> str:
    """Return the jid of a new job.

    Example::

        salt-g '*' test.ping
    """
    return str(_jobs().new_jid()) if passed_jid is None else passed_jid


def returner(load: ReturnLoad) -> None:
    """Store a return.

    Example::

        salt-g '*' test.ping
    """
    _jobs().save_return(load).result()


def save_load(jid: str, clear_load: JobLoad, minions: Iterable[str] | None = None) -> None:
    """Store the load of a job, with its expected minions.

    Example::

        salt-g '*' test.ping
    """
    _jobs().save_load(jid, clear_load, minions).result()


def save_minions(jid: str, minions: Iterable[str], syndic_id: str | None = None) -> None:
    """Add minions to the expected minions of a job.

    Example::

        salt-g '*' test.ping
    """
    _jobs().save_minions(jid, minions, syndic_id or "").result()


def get_load(jid: str) -> JobLoad:
    """Return the load of a job.

    Example::

        salt-g run jobs.list_job 20260102030405678901
    """
    return _jobs().get_load(jid)


def get_jid(jid: str) -> Mapping[str, ReturnLoad]:
    """Return the returns of a job, by minion.

    Example::

        salt-g run jobs.lookup_jid 20260102030405678901
    """
    return _jobs().get_jid(jid)


def get_jids() -> Mapping[str, JobSummary]:
    """Return all jobs.

    Example::

        salt-g run jobs.list_jobs
    """
    return _jobs().get_jids()


def get_jids_filter(count: int, filter_find_job: bool = True) -> list[JobSummary]:
    """Return the `count` newest jobs, oldest first.

    Example::

        salt-g run jobs.last_run
    """
    return _jobs().get_jids_filter(count, filter_find_job)


def _jobs() -> JobCache:
    return api.services(MasterServices).job_cache
