"""States of jobs in the minion's schedule.

Source: stock's `schedule` states.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._extra_keywords import takes
from salt_g.states._outcome import as_wanted, changed, failed, outcome


@takes("schedule.build_schedule_item")
def present(name: str, **kwargs: Any) -> StateReturn:
    """Ensure that a job is scheduled.

    name
        Name of the job.
    function, job_args, job_kwargs
        What to run.
    seconds, minutes, hours, days, when, once, once_fmt, cron
        When to run it.
    persist
        Save the schedule (True).
    offline
        Write the saved schedule of a minion that is not running.

    The other settings are those of `schedule.build_schedule_item`.

    Example::

        salt-g state.single schedule.present job1 function=test.ping seconds=3600
    """
    jobs = _jobs(kwargs)
    if name not in jobs:
        return _apply("add", name, kwargs, done=f"Adding new job {name} to schedule", changes={name: "added"})
    wanted = call("schedule.build_schedule_item", name, **kwargs)
    if wanted.get("result") is False:
        return failed(name, wanted["comment"])
    if wanted == jobs[name]:
        return as_wanted(name, f"Job {name} in correct state")
    return _apply("modify", name, kwargs, done=f"Modifying job {name} in schedule")


def absent(name: str, **kwargs: Any) -> StateReturn:
    """Ensure that a job is not scheduled. For `persist` and `offline` see `present`.

    Example::

        salt-g state.single schedule.absent job1
    """
    if name not in _jobs(kwargs):
        return as_wanted(name, f"Job {name} not present in schedule")
    return _apply("delete", name, kwargs, done=f"Removed job {name} from schedule")


def enabled(name: str, **kwargs: Any) -> StateReturn:
    """Ensure that a job is enabled. For `persist` see `present`.

    Example::

        salt-g state.single schedule.enabled job1
    """
    return _switched("enable", name, True, kwargs)


def disabled(name: str, **kwargs: Any) -> StateReturn:
    """Ensure that a job is disabled. For `persist` see `present`.

    Example::

        salt-g state.single schedule.disabled job1
    """
    return _switched("disable", name, False, kwargs)


def _jobs(kwargs: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = call(
        "schedule.list", show_all=True, return_yaml=False, offline=bool(kwargs.get("offline"))
    )
    return found


def _apply(
    function: str, name: str, kwargs: dict[str, Any], *, done: str, changes: dict[str, Any] | None = None
) -> StateReturn:
    if opts.get("test"):
        would = call(f"schedule.{function}", name, **{**kwargs, "test": True})
        if would["result"] is False:
            return failed(name, would["comment"])
        return outcome(name, None, would["comment"], would.get("changes") or changes)
    result = call(f"schedule.{function}", name, **kwargs)
    if not result["result"]:
        return failed(name, result["comment"], result.get("changes"))
    return changed(name, done, result["changes"])


def _switched(word: str, name: str, wanted: bool, kwargs: dict[str, Any]) -> StateReturn:
    job = _jobs(kwargs).get(name)
    # The settings of all jobs are no jobs.
    if not isinstance(job, Mapping):
        return as_wanted(name, f"Job {name} not present in schedule")
    if bool(job.get("enabled", True)) is wanted:
        return as_wanted(name, f"{word.capitalize()}d job {name} from schedule")
    return _apply(f"{word}_job", name, kwargs, done=f"{word.capitalize()}d job {name} from schedule")
