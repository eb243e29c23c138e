"""Conditions on a due job: ranges, start and end times, and runs skipped by users.

Each condition checks one setting against the clock; all must hold.
Shapes: a condition returns the reason why a job must not run, in stock's words, '' if it may.
Errors: ScheduleProblem for a malformed setting.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, NamedTuple

import salt_g.schedule.dates as dates
from salt_g.schedule.timing import ISO, ScheduleProblem
from salt_g.shapes import ScheduleSettings

#: Reasons for which the function in `skip_function` runs instead.
WITH_SUBSTITUTE = frozenset(("not_in_range", "in_skip_range", "skip_explicit"))


class Moment(NamedTuple):
    """Input of a condition: job name, clock, due time, and the time between two checks of the clock."""

    name: str
    now: datetime.datetime
    due: datetime.datetime
    loop: datetime.timedelta


def why_not(settings: ScheduleSettings, at: Moment) -> str:
    """Return the reason why a due job must not run now, or '' if it may."""
    for setting, gate in _GATES.items():
        if settings.get(setting):
            reason = gate(settings[setting], at)
            if reason:
                return reason
    return ""


def end_of_skipped_range(settings: ScheduleSettings, at: Moment) -> datetime.datetime:
    """Return the end of the range in which a job is skipped, plus the time between two checks."""
    return _ends(settings["skip_during_range"], at, "in skip_during_range. ")[1] + at.loop


def _range(value: Any, at: Moment) -> str:
    start, end = _ends(value, at, "")
    if value.get("invert"):
        return "in_skip_range" if start < at.now < end else ""
    return "" if start <= at.now <= end else "not_in_range"


def _skip_during_range(value: Any, at: Moment) -> str:
    start, end = _ends(value, at, "in skip_during_range. ")
    return "in_skip_range" if start <= at.now <= end else ""


def _skip_explicit(value: Any, at: Moment) -> str:
    skipped = (_explicit(one, at) for one in value)
    window = max(at.loop, datetime.timedelta(seconds=1))
    hit = any(when <= moment <= when + window for when in skipped for moment in (at.now, at.due))
    return "skip_explicit" if hit else ""


def _until(value: Any, at: Moment) -> str:
    return "until_passed" if _read(value, at, "until ") <= at.now else ""


def _after(value: Any, at: Moment) -> str:
    return "after_not_passed" if _read(value, at, "after ") >= at.now else ""


_GATES = {
    "range": _range,
    "skip_during_range": _skip_during_range,
    "skip_explicit": _skip_explicit,
    "until": _until,
    "after": _after,
}


def _ends(value: Any, at: Moment, where: str) -> tuple[datetime.datetime, datetime.datetime]:
    if not isinstance(value, Mapping) or not {"start", "end"} <= value.keys():
        raise ScheduleProblem(
            f"schedule.handle_func: Invalid, range must be specified as a dictionary. Ignoring job {at.name}."
        )
    start = _read(value["start"], at, f"start {where}")
    end = _read(value["end"], at, f"end {where}")
    if end <= start:
        raise ScheduleProblem(
            f"schedule.handle_func: Invalid range, end must be larger than start. Ignoring job {at.name}."
        )
    return start, end


def _read(value: Any, at: Moment, what: str) -> datetime.datetime:
    try:
        return dates.moment(value, at.now)
    except ValueError as exc:
        words = f"Invalid date string for {what.strip().rstrip('.')}. Ignoring job {at.name}."
        raise ScheduleProblem(f"{words} ({exc})") from exc


def _explicit(value: Any, at: Moment) -> datetime.datetime:
    return explicit_moment(value, at.name)


def explicit_moment(value: Any, name: str) -> datetime.datetime:
    """Return the time in an entry of `skip_job` or `postpone_job`: {time, time_fmt}."""
    if isinstance(value, datetime.datetime):
        return dates.local(value)
    try:
        return dates.local(datetime.datetime.strptime(value["time"], value.get("time_fmt") or ISO))
    except (TypeError, KeyError, AttributeError, ValueError):
        raise ScheduleProblem(f"Date string could not be parsed: {value}. Ignoring job {name}.") from None
