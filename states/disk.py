"""Disk usage limits for monitoring."""

from __future__ import annotations

import os
from typing import Any

from salt_g.api import call
from salt_g.shapes import StateReturn
from salt_g.states._outcome import outcome

__monitor__ = ["status"]


def status(
    name: str, maximum: Any = None, minimum: Any = None, absolute: bool = False, free: bool = False
) -> StateReturn:
    """Check that the usage of a file system is within limits.

    name
        A mount point, or a directory on the file system.
    maximum, minimum
        In percent, or with `absolute` in KB (for a directory that is not a mount point: in bytes).
    free
        Compare the free space instead of the used space.

    Example::

        salt-g state.single disk.status / maximum=90
    """
    limits, problems = {}, ""
    for word, value in (("maximum", maximum), ("minimum", minimum)):
        if value is not None:
            limits[word], problem = _bound(word, value, absolute)
            problems += problem
    low, high = limits.get("minimum"), limits.get("maximum")
    if not problems and low is not None and high is not None and low >= high:
        problems = "minimum must be less than maximum "
    if problems:
        return outcome(name, False, problems, data={})
    known = call("disk.usage")
    if name in known:
        used, available = _of_mount(known[name], absolute)
        return _state_return(name, "", known[name], used, available, low, high, absolute, free)
    comment = f"Disk mount {name} not present. "
    if not os.path.isdir(name):
        what = f"Directory {name} does not exist or is not a directory"
        return outcome(name, False, comment + what, data={})
    data = call("status.diskusage", name)
    used, available = _of_directory(data[name], absolute)
    return _state_return(name, comment, data, used, available, low, high, absolute, free)


def _bound(word: str, value: Any, absolute: bool) -> tuple[Any, str]:
    """Return a limit as a number, and the problem with it."""
    try:
        number = int(value.strip(" KB" if absolute else " %") if isinstance(value, str) else value)
    except (TypeError, ValueError):
        return value, f"{word} must be an integer "
    if not absolute and not 0 <= number <= 100:
        return number, f"{word} must be in the range [0, 100] "
    return number, ""


def _of_mount(row: dict[str, Any], absolute: bool) -> tuple[float, float]:
    if absolute:
        return int(row["used"]), int(row["available"])
    used = int(row["capacity"].strip("%"))
    return used, 100 - used


def _of_directory(row: dict[str, Any], absolute: bool) -> tuple[float, float]:
    total, available = int(row["total"]), int(row["available"])
    if absolute:
        return total - available, available
    if not total:
        return 0, 0
    return round((total - available) / total * 100, 1), round(available / total * 100, 1)


def _state_return(
    name: str,
    comment: str,
    data: Any,
    used: float,
    available: float,
    low: Any,
    high: Any,
    absolute: bool,
    free: bool,
) -> StateReturn:
    unit = "KB" if absolute else "%"
    what, value = ("available", available) if free else ("used", used)
    for word, bound, is_broken in (
        ("below minimum", low, low is not None and value < low),
        ("above maximum", high, high is not None and value > high),
    ):
        if is_broken:
            returned = f"Disk {what} space is {word} of {bound} {unit} at {value} {unit}"
            return outcome(name, False, returned, data=data)
    return outcome(name, True, "Disk used space in acceptable range", data=data)
