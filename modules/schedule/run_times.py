"""Running a job now, skipping a run, or postponing it."""

from __future__ import annotations

import datetime
from typing import Any

from salt_g.modules.schedule._minion_request import NOT_JOBS, Result, change, home_of, is_test, notify_minion
from salt_g.modules.schedule.listing import list_

_ISO = "%Y-%m-%dT%H:%M:%S"


def run_job(name: str, force: bool = False) -> Result:
    """Run a job at once; with `force` even if it is disabled.

    Example::

        salt-g schedule.run_job job1
    """
    if not name:
        return {"comment": "Job name is required.", "result": False}
    jobs = list_(show_all=True, return_yaml=False)
    if name not in jobs or name in NOT_JOBS:
        return {"comment": f"Job {name} does not exist.", "result": False}
    if not jobs[name].get("enabled", True) and not force:
        return {"comment": f"Job {name} is disabled.", "result": True}
    if notify_minion(name=name, func="run_job"):
        return {"comment": f"Scheduling Job {name} on minion.", "result": True}
    return {"comment": f"Failed to run job {name} on minion.", "result": False}


def skip_job(name: str, current_time: str, **kwargs: Any) -> Result:
    """Skip one scheduled run of a job.

    current_time
        The time of the run, in the format `time_fmt` (default: `%Y-%m-%dT%H:%M:%S`).

    Example::

        salt-g schedule.skip_job job1 2026-12-24T18:00:00
    """
    time_fmt = kwargs.get("time_fmt") or _ISO
    problem = _problem(name, {"time": current_time}, time_fmt)
    if problem:
        return {"comment": problem, "result": False}
    texts = ("skipped", "Added Skip Job {} in schedule.", "Failed to skip job {} in schedule.")
    return _note("skip_job", name, texts, kwargs, time=current_time, time_fmt=time_fmt)


def postpone_job(name: str, current_time: str, new_time: str, **kwargs: Any) -> Result:
    """Postpone one scheduled run of a job.

    current_time, new_time
        The old and the new time, in the format `time_fmt` (default: `%Y-%m-%dT%H:%M:%S`).

    Example::

        salt-g schedule.postpone_job job1 2026-12-24T18:00:00 2026-12-24T20:00:00
    """
    time_fmt = kwargs.get("time_fmt") or _ISO
    problem = _problem(name, {"current time": current_time, "new_time": new_time}, time_fmt)
    if problem:
        return {"comment": problem, "result": False}
    texts = ("postponed", "Postponed Job {} in schedule.", "Failed to postpone job {} in schedule.")
    moments = {"time": current_time, "new_time": new_time, "time_fmt": time_fmt}
    return _note("postpone_job", name, texts, kwargs, **moments)


def _problem(name: str, moments: dict[str, str], time_fmt: str) -> str:
    if not name:
        return "Job name is required."
    for word, moment in moments.items():
        if not moment:
            return f"Job {word} is required."
        try:
            datetime.datetime.strptime(moment, time_fmt)
        except (TypeError, ValueError):
            return "Date string could not be parsed."
    return ""


def _note(
    func: str, name: str, texts: tuple[str, str, str], kwargs: dict[str, Any], **moments: str
) -> Result:
    if is_test(kwargs):
        return {"comment": f"Job: {name} would be {texts[0]} in schedule.", "result": True}
    where = home_of(name)
    if not where:
        return {"comment": f"Job {name} does not exist.", "result": False}
    if where == "pillar":
        return {"comment": f"{texts[2].format(name)[:-1]}: it is in the pillar.", "result": False}
    after = change(f"{func}_complete", name, where, False, func=func, **moments)
    is_done = bool(after.get(name, {}).get("enabled", True)) if name in after else False
    return {"comment": texts[1 if is_done else 2].format(name), "result": is_done}
