"""Enabling and disabling of jobs, and of the whole schedule."""

from __future__ import annotations

from typing import Any

from salt_g.modules.schedule._minion_request import Result, ask_minion, change, home_of, is_test


def enable(**kwargs: Any) -> Result:
    """Enable the schedule.

    Example::

        salt-g schedule.enable
    """
    return _switch("enable", True, kwargs)


def disable(**kwargs: Any) -> Result:
    """Disable the schedule: none of its jobs runs.

    Example::

        salt-g schedule.disable
    """
    return _switch("disable", False, kwargs)


def enable_job(name: str, **kwargs: Any) -> Result:
    """Enable a job.

    Example::

        salt-g schedule.enable_job job1
    """
    return _switch_job("enable", name, True, kwargs)


def disable_job(name: str, **kwargs: Any) -> Result:
    """Disable a job.

    Example::

        salt-g schedule.disable_job job1
    """
    return _switch_job("disable", name, False, kwargs)


def _switch(func: str, wanted: bool, kwargs: dict[str, Any]) -> Result:
    if is_test(kwargs):
        return {"comment": f"Schedule would be {func}d.", "changes": {}, "result": True}
    answer = ask_minion(f"{func}d_complete", func=func, persist=kwargs.get("persist", True))
    if (answer.get("schedule") or {}).get("enabled") is wanted:
        comment = f"{func.capitalize()}d schedule on minion."
        return {"comment": comment, "changes": {"schedule": f"{func}d"}, "result": True}
    return {"comment": f"Failed to {func} schedule on minion.", "changes": {}, "result": False}


def _switch_job(func: str, name: str, wanted: bool, kwargs: dict[str, Any]) -> Result:
    result: Result = {"comment": [], "result": True, "changes": {}}
    if not name:
        return {**result, "comment": "Job name is required.", "result": False}
    if is_test(kwargs):
        return {**result, "comment": f"Job: {name} would be {func}d in schedule."}
    where = home_of(name)
    if not where:
        return {**result, "comment": f"Job {name} does not exist.", "result": False}
    after = change(f"{func}d_job_complete", name, where, kwargs.get("persist", True), func=f"{func}_job")
    if name in after and bool(after[name].get("enabled", True)) is wanted:
        done = f"{func.capitalize()}d Job {name} in schedule."
        return {"comment": done, "result": True, "changes": {name: f"{func}d"}}
    return {**result, "comment": f"Failed to {func} job {name} in schedule.", "result": False}
