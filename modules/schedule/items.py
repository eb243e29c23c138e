"""Settings of a scheduled job, built from the keyword arguments of the `schedule` functions."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from salt_g.modules.schedule._minion_request import Result

#: Time elements, which exclude `when` and `cron`.
ELEMENTS = ("seconds", "minutes", "hours", "days")
_BEFORE = (*ELEMENTS, "return_job", "metadata")
_AFTER = (
    *("range", "when", "once", "once_fmt", "cron", "returner", "after", "return_config", "return_kwargs"),
    *("until", "run_on_start", "skip_during_range", "run_after_skip_range"),
)


def build_schedule_item(name: str, **kwargs: Any) -> Result:
    """Return the settings of a job, or {comment, result: False} if they conflict.

    name
        Name of the job.
    function, job_args, job_kwargs
        What to run.
    seconds, minutes, hours, days, when, once, once_fmt, cron
        When to run it.
    splay, range, skip_during_range, run_after_skip_range, after, until, run_on_start
        When to skip or delay it.
    maxrunning, jid_include, enabled, returner, return_job, return_config, return_kwargs, metadata
        How to run it, and where to send the return. `maxrunning` is 1 by default.

    Example::

        salt-g schedule.build_schedule_item job1 function='test.ping' seconds=3600
    """
    problem = _problem(name, kwargs) or conflict(
        kwargs,
        elements='Unable to use "seconds", "minutes", "hours", or "days" with "when" or "cron" options.',
    )
    if problem:
        return {"comment": problem, "result": False}
    item: Result = {"function": kwargs["function"]}
    item.update((key, kwargs[key]) for key in _BEFORE if key in kwargs)
    item.update((key[4:], kwargs[key]) for key in ("job_args", "job_kwargs") if key in kwargs)
    item["maxrunning"] = kwargs.get("maxrunning", 1)
    item["name"] = kwargs.get("name", name)
    item["enabled"] = kwargs.get("enabled", True)
    item["jid_include"] = kwargs.get("jid_include", True)
    if "splay" in kwargs:
        item["splay"] = _splay(kwargs["splay"])
    item.update((key, kwargs[key]) for key in _AFTER if key in kwargs)
    return item


def conflict(kwargs: Mapping[str, Any], *, elements: str) -> str:
    """Return the message for conflicting settings (`elements` for time elements), or '' if none conflict."""
    if any(key in kwargs for key in ELEMENTS) and ("when" in kwargs or "cron" in kwargs):
        return elements
    if "when" in kwargs and "cron" in kwargs:
        return 'Unable to use "when" and "cron" options together.  Ignoring.'
    return ""


def _problem(name: str, kwargs: Mapping[str, Any]) -> str:
    if not name:
        return "Job name is required."
    if not kwargs.get("function"):
        return "Job function is required."
    if not isinstance(kwargs.get("job_args", []), list):
        return "job_args is not a list. please correct and try again."
    if not isinstance(kwargs.get("job_kwargs", {}), Mapping):
        return "job_kwargs is not a dict. please correct and try again."
    when = kwargs.get("when", [])
    for one in when if isinstance(when, list) else [when]:
        if not isinstance(one, str | datetime.date):
            return f'Schedule item {one} for "when" in invalid.'
    return ""


def _splay(splay: Any) -> Any:
    return {"start": splay["start"], "end": splay["end"]} if isinstance(splay, Mapping) else splay
