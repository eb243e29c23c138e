"""Adding, modifying and deleting jobs; saving and reloading the schedule."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from salt_g import api
from salt_g.api import opts, pillar
from salt_g.errors import ConfigError
from salt_g.modules._minion_bus import fire
from salt_g.modules.schedule._minion_request import (
    NOT_JOBS,
    Result,
    ask_minion,
    change,
    home_of,
    is_test,
    notify_minion,
    save_jobs,
    source_of,
)
from salt_g.modules.schedule.items import build_schedule_item, conflict
from salt_g.modules.schedule.listing import list_


def add(name: str, **kwargs: Any) -> Result:
    """Add a job. For its settings see `build_schedule_item`.

    persist
        Save the schedule, so that the job survives a restart (default: True).
    offline
        Write the saved schedule of a minion that is not running.

    Example::

        salt-g schedule.add job1 function='test.ping' seconds=3600
    """
    result = {"comment": f"Failed to add job {name} to schedule.", "result": False, "changes": {}}
    if name in NOT_JOBS:
        return {**result, "comment": f"{name} is a setting of all jobs and cannot be the name of a job."}
    jobs = list_(show_all=True, return_yaml=False, offline=bool(kwargs.get("offline")))
    if name in jobs:
        return {**result, "comment": f"Job {name} already exists in schedule."}
    elements = 'Unable to use "seconds", "minutes", "hours", or "days" with "when" or "cron" options.'
    problem = conflict(kwargs, elements=f"Error: {elements}")
    if problem:
        return {**result, "comment": problem}
    item = build_schedule_item(name, **kwargs)
    if item.get("result") is False:
        return item
    _advise_about_function(name, item)
    if is_test(kwargs):
        return {**result, "comment": f"Job: {name} would be added to schedule.", "result": True}
    if kwargs.get("offline"):
        save_jobs({**jobs, name: item})
        is_done = True
    else:
        question = {"schedule": {name: item}, "func": "add"}
        is_done = name in change("add_complete", name, "opts", kwargs.get("persist", True), **question)
    if not is_done:
        return result
    return {"comment": f"Added job: {name} to schedule.", "result": True, "changes": {name: "added"}}


def _advise_about_function(name: str, item: Mapping[str, Any]) -> None:
    """Report that a job's function is not available; the job is added anyway, as a sync may bring it."""
    function = item.get("function")
    if isinstance(function, str) and function not in api.current().table("modules"):
        api.advise(f"job {name} of the schedule: the function {function!r} is not available on this minion")


def modify(name: str, **kwargs: Any) -> Result:
    """Replace the settings of a job, see `build_schedule_item`. For the other arguments see `add`.

    Jobs from pillar can be changed only there.

    Example::

        salt-g schedule.modify job1 function='test.ping' seconds=3600
    """
    problem = conflict(
        kwargs, elements='Error: Unable to use "seconds", "minutes", "hours", or "days" with "when" option.'
    )
    if problem:
        return {"comment": problem, "changes": {}, "result": False}
    jobs = list_(show_all=True, return_yaml=False, offline=bool(kwargs.get("offline")))
    if name not in jobs or name in NOT_JOBS:
        return {"comment": f"Job {name} does not exist in schedule.", "changes": {}, "result": False}
    before = jobs[name]
    item = build_schedule_item(name, **{"function": before.get("function"), **kwargs})
    if item.get("result") is False:
        return item
    if item == before:
        return {"comment": f"Job {name} in correct state", "changes": {}, "result": True}
    failure: Result = {"comment": f"Failed to modify job {name} in schedule.", "changes": {}, "result": False}
    if not kwargs.get("offline") and home_of(name) == "pillar":
        return {**failure, "comment": f"Failed to modify job {name} in schedule: it is in the pillar."}
    result: Result = {"comment": "", "changes": {name: {"old": before, "new": item}}, "result": True}
    if is_test(kwargs):
        return {**result, "comment": f"Job: {name} would be modified in schedule."}
    if kwargs.get("offline"):
        save_jobs({**jobs, name: {**before, **item}})
    else:
        question = {"schedule": item, "func": "modify"}
        if name not in change("delete_complete", name, "opts", kwargs.get("persist", True), **question):
            return failure
    return {**result, "comment": f"Modified job: {name} in schedule."}


def delete(name: str, **kwargs: Any) -> Result:
    """Delete a job. For `persist` and `offline` see `add`.

    Example::

        salt-g schedule.delete job1
    """
    result = {"comment": f"Failed to delete job {name} from schedule.", "result": False, "changes": {}}
    if not name:
        return {**result, "comment": "Job name is required."}
    if is_test(kwargs):
        return {**result, "comment": f"Job: {name} would be deleted from schedule.", "result": True}
    done = {"comment": f"Deleted Job {name} from schedule.", "result": True, "changes": {name: "removed"}}
    if kwargs.get("offline"):
        jobs = list_(show_all=True, return_yaml=False, offline=True)
        if name not in jobs:
            return {**result, "comment": f"Job {name} does not exist."}
        save_jobs({other: job for other, job in jobs.items() if other != name})
        return done
    where = source_of(name)
    if not where:
        return {**result, "comment": f"Job {name} does not exist."}
    after = change("delete_complete", name, where, kwargs.get("persist", True), func="delete")
    return result if name in after else done


def purge(**kwargs: Any) -> Result:
    """Delete all jobs, except those that the minion schedules itself; settings of all jobs stay.

    Example::

        salt-g schedule.purge
    """
    offline = bool(kwargs.get("offline"))
    jobs = list_(show_all=True, return_yaml=False, offline=offline)
    result: Result = {"comment": [], "changes": {}, "result": True}
    kept = {name: job for name, job in jobs.items() if name in NOT_JOBS or name.startswith("__")}
    for name in [name for name in jobs if name not in kept]:
        _purge(name, result, kwargs)
    if offline and not is_test(kwargs):
        save_jobs(kept)
    return result


def save(**kwargs: Any) -> Result:
    """Save the schedule of the running minion, so that it survives a restart.

    Example::

        salt-g schedule.save
    """
    if is_test(kwargs):
        return {"comment": "Schedule would be saved.", "result": True}
    if ask_minion("saved", func="save_schedule").get("complete"):
        return {"comment": "Schedule (non-pillar items) saved.", "result": True}
    return {"comment": "Failed to save schedule.", "result": False}


def reload_() -> Result:
    """Make the minion reload the saved schedule and the one in pillar.

    Example::

        salt-g schedule.reload
    """
    result: Result = {"comment": [], "result": True}
    if "schedule" in pillar:
        _note(result, fire({}, "pillar_refresh"), "reload schedule from pillar on minion.")
    paths = [path for path in _saved_files() if os.path.isfile(path)]
    for path in paths:
        schedule = _read(path, result)
        if schedule:
            done = notify_minion(func="reload", schedule={"schedule": schedule})
            _note(result, done, "reload schedule on minion from schedule.conf.")
        else:
            comment = "Failed to reload schedule on minion.  Saved file is empty or invalid."
            result.update(comment=[*result["comment"], comment], result=False)
    return result


def _purge(name: str, result: Result, kwargs: dict[str, Any]) -> None:
    if is_test(kwargs):
        result["comment"].append(f"Job: {name} would be deleted from schedule.")
        return
    if not kwargs.get("offline"):
        after = change("delete_complete", name, "opts", kwargs.get("persist", True), func="delete")
        if (not after and not ask_minion("list_complete", func="list")) or name in after:
            result["comment"].append(f"Failed to delete job {name} from schedule.")
            return
    result["changes"][name] = "removed"
    result["comment"].append(f"Deleted job: {name} from schedule.")


def _saved_files() -> list[str]:
    """Return the files of a saved schedule: our own, and the one that stock users write by hand."""
    from salt_g.config.daemon_written import SCHEDULE, own_file

    return [own_file(opts, name) for name in ("schedule.conf", SCHEDULE)]


def _read(path: str, result: Result) -> dict[str, Any]:
    from salt_g.config.daemon_written import read_own

    try:
        return read_own(path, "schedule")
    except ConfigError as exc:
        result["comment"].append(f"Unable to read existing schedule file: {exc}")
        return {}


def _note(result: Result, is_done: bool, words: str) -> None:
    result["comment"].append(words.replace("reload", "Reloaded", 1) if is_done else f"Failed to {words}")
    result["result"] = result["result"] and is_done
