"""Job cache of this master, through the functions of a returner."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from salt_g import api

#: Time limit for the commit of a write (s).
_TIMEOUT = 20.0


def __virtual__() -> Any:
    """Return whether this runs on a master."""
    is_master = api.opts.get("__role") == "master"
    return True if is_master else (False, "only a master has a job cache of its own")


def prep_jid(nocache: bool = False, passed_jid: str | None = None) -> str:
    """Return the jid of a new job.

    Example::

        salt-g run jobs.list_jobs
    """
    return str(_jobs().new_jid()) if passed_jid is None else passed_jid


def returner(load: dict[str, Any]) -> None:
    """Store a return.

    Example::

        salt-g run jobs.list_jobs
    """
    _jobs().save_return(load).result(_TIMEOUT)


def save_load(jid: str, clear_load: dict[str, Any], minions: Iterable[str] | None = None) -> None:
    """Store the load of a job, with its expected minions.

    Example::

        salt-g run jobs.list_jobs
    """
    _jobs().save_load(jid, clear_load, minions).result(_TIMEOUT)


def save_minions(jid: str, minions: Iterable[str], syndic_id: str | None = None) -> None:
    """Add to the expected minions of a job.

    Example::

        salt-g run jobs.list_jobs
    """
    _jobs().save_minions(jid, minions, syndic_id or "").result(_TIMEOUT)


def get_load(jid: str) -> dict[str, Any]:
    """Return the load of a job.

    Example::

        salt-g run jobs.list_job 20260102030405678901
    """
    found: dict[str, Any] = _jobs().get_load(jid)
    return found


def get_jid(jid: str) -> dict[str, Any]:
    """Return the returns of a job, by minion.

    Example::

        salt-g run jobs.lookup_jid 20260102030405678901
    """
    found: dict[str, Any] = _jobs().get_jid(jid)
    return found


def get_jids() -> dict[str, Any]:
    """Return all jobs.

    Example::

        salt-g run jobs.list_jobs
    """
    found: dict[str, Any] = _jobs().get_jids()
    return found


def get_jids_filter(count: int, filter_find_job: bool = True) -> list[dict[str, Any]]:
    """Return the newest jobs, oldest first.

    Example::

        salt-g run jobs.last_run
    """
    found: list[dict[str, Any]] = _jobs().get_jids_filter(count, filter_find_job)
    return found


def _jobs() -> Any:
    return api.services().job_cache
