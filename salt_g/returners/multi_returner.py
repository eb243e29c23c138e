"""Returner that passes everything to several returners.

multi_returner: [redis, rawfile_json]
master_job_cache: multi_returner
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from salt_g import api
from salt_g.returners._options import prepared_jid
from salt_g.shapes.loads import EventData, JobLoad, JobSummary, ReturnLoad

#: The setting with the names of the returners.
SETTING = "multi_returner"


def prep_jid(nocache: bool = False, passed_jid: str | None = None) -> str:
    """Return the jid of a new job.

    Example::

        salt-g master    # with `master_job_cache: multi_returner`
    """
    jid = prepared_jid(passed_jid)
    _each("prep_jid", nocache=nocache, passed_jid=jid)
    return jid


def returner(load: ReturnLoad) -> None:
    """Store a return.

    Example::

        salt-g '*' test.ping --return multi_returner
    """
    _each("returner", load)


def event_return(events: list[EventData]) -> None:
    """Store events.

    Example::

        salt-g master    # with `event_return: multi_returner`
    """
    _each("event_return", events)


def save_load(jid: str, clear_load: JobLoad, minions: Iterable[str] | None = None) -> None:
    """Store the load of a job.

    Example::

        salt-g master    # with `master_job_cache: multi_returner`
    """
    _each("save_load", jid, clear_load, minions)


def save_minions(jid: str, minions: Iterable[str], syndic_id: str | None = None) -> None:
    """Store the expected minions of a job.

    Example::

        salt-g master    # with `master_job_cache: multi_returner`
    """
    _each("save_minions", jid, minions, syndic_id)


def get_load(jid: str) -> JobLoad:
    """Return the load of a job, merged from all returners.

    Example::

        salt-g run jobs.list_job 20260102030405678901
    """
    found: JobLoad = _merged("get_load", jid)
    return found


def get_jid(jid: str) -> dict[str, ReturnLoad]:
    """Return the returns of a job by minion, merged from all returners.

    Example::

        salt-g run jobs.lookup_jid 20260102030405678901
    """
    found: dict[str, ReturnLoad] = _merged("get_jid", jid)
    return found


def get_jids() -> dict[str, JobSummary]:
    """Return all jobs, merged from all returners.

    Example::

        salt-g run jobs.list_jobs
    """
    found: dict[str, JobSummary] = _merged("get_jids")
    return found


def clean_old_jobs() -> None:
    """Remove expired jobs from all returners.

    Example::

        salt-g master    # with `master_job_cache: multi_returner`
    """
    _each("clean_old_jobs")


def _functions(function: str) -> Iterator[Any]:
    """Yield the function of this name of each returner that has it."""
    table = api.current().table("returners")
    for name in api.opts.get(SETTING) or ():
        found = table.get(f"{name}.{function}")
        if found is not None:
            yield found


def _each(function: str, *args: Any, **kwargs: Any) -> None:
    for call in list(_functions(function)):
        call(*args, **kwargs)


def _merged(function: str, *args: Any) -> Any:
    merged: dict[str, Any] = {}
    for call in list(_functions(function)):
        merged.update(call(*args))
    return merged
