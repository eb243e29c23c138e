"""Scheduled jobs and their next run times."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from salt_g.modules.schedule._minion_request import NOT_JOBS, Result, ask_minion, jobs_now, saved_jobs

#: Keys of a job that are shown.
SHOWN = frozenset(
    (
        *("name", "maxrunning", "function", "splay", "range", "when", "once", "once_fmt", "returner"),
        *("jid_include", "args", "kwargs", "seconds", "minutes", "hours", "days", "enabled"),
        *("return_job", "metadata", "cron", "until", "after", "return_config", "return_kwargs"),
        *("run_on_start", "skip_during_range", "run_after_skip_range"),
    )
)
_WORDS = {"true": True, "false": False}


def list_(
    show_all: bool = False,
    show_disabled: bool = True,
    where: str | None = None,
    return_yaml: bool = True,
    offline: bool = False,
) -> Any:
    """Return the scheduled jobs, as YAML text.

    show_all
        Include internal jobs of the minion (their names begin with `__`).
    show_disabled
        Include disabled jobs (default: True).
    where
        `opts` or `pillar` for the jobs of one source.
    return_yaml
        False returns data instead of text.
    offline
        Read the saved schedule instead of asking a running minion.

    Example::

        salt-g schedule.list
    """
    jobs = saved_jobs() if offline else jobs_now(where)
    listed = {
        name: job if name in NOT_JOBS or not isinstance(job, Mapping) else _shown(job)
        for name, job in jobs.items()
        if show_all or not name.startswith("__")
    }
    if not show_disabled:
        listed = {name: job for name, job in listed.items() if name in NOT_JOBS or job["enabled"]}
    return _as_yaml(listed) if return_yaml else listed


def is_enabled(name: str | None = None) -> Any:
    """Return a job, or {} if it does not exist; without a name return whether the schedule is enabled.

    Example::

        salt-g schedule.is_enabled job1
    """
    jobs = list_(show_all=False, return_yaml=False)
    if not name:
        return jobs.get("enabled", True)
    return {} if name in NOT_JOBS else jobs.get(name, {})


def show_next_fire_time(name: str, **kwargs: Any) -> Result:
    """Return {"result", "next_fire_time"}: the next run time of a job (`%Y-%m-%dT%H:%M:%S`).

    It is None if the job does not run again or does not exist.

    Example::

        salt-g schedule.show_next_fire_time job1
    """
    if not name:
        return {"result": False, "comment": "Job name is required."}
    answer = ask_minion("next_fire_time_complete", func="get_next_fire_time", name=name)
    if "next_fire_time" in answer:
        return {"result": True, "next_fire_time": answer["next_fire_time"]}
    return {"result": True, "comment": "next fire time not available."}


def job_status(name: str, time_fmt: str = "%Y-%m-%dT%H:%M:%S") -> dict[str, Any]:
    """Return all facts about a job (last and next run, reason if skipped, ...), or {} if it does not exist.

    Example::

        salt-g schedule.job_status job1
    """
    answer = ask_minion("job_status_complete", func="job_status", name=name, fire_event=True)
    return {
        key: value.strftime(time_fmt) if isinstance(value, datetime.datetime) else value
        for key, value in (answer.get("data") or {}).items()
    }


def _shown(job: Mapping[str, Any]) -> dict[str, Any]:
    shown = {
        key: _WORDS.get(value, value) if isinstance(value, str) else value
        for key, value in job.items()
        if key in SHOWN and value is not None
    }
    shown.setdefault("enabled", True)
    return shown


def _as_yaml(jobs: Mapping[str, Any]) -> str:
    from salt_g.formats.yaml_dump import dump

    saved = saved_jobs()
    marked = {
        name: {**job, "saved": name in saved} if isinstance(job, Mapping) and name not in NOT_JOBS else job
        for name, job in jobs.items()
    }
    return dump({"schedule": marked}, default_flow_style=False)
