"""States of the system's time zone."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, functions, opts
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, failed, outcome, would_change


def __virtual__() -> bool | tuple[bool, str]:
    return True if "timezone.get_zone" in functions else (False, "timezone module could not be loaded")


def system(name: str, utc: bool = True) -> StateReturn:
    """Ensure that the system has a time zone, and (`utc`) its hardware clock is in UTC.

    Example::

        salt-g state.single timezone.system Europe/Berlin
    """
    try:
        is_zone = call("timezone.zone_compare", name)
        is_utc = call("timezone.get_hwclock") != "localtime"
    except (CommandExecutionError, InvocationError) as exc:
        problem = f"Unable to compare desired timezone '{name}' to system timezone: {exc}"
        return failed(name, problem)
    sets_utc = utc and not is_utc
    if is_zone and not sets_utc:
        comments = [f"Timezone {name} already set", *([f"UTC already set to {name}"] if utc else [])]
        return as_wanted(name, ", ".join(comments))
    if opts["test"]:
        needs = [] if is_zone else [f"Timezone {name} needs to be set"]
        needs += [f"UTC needs to be set to {utc}"] if sets_utc else []
        return would_change(name, ", ".join(needs))
    return _set(name, utc, not is_zone, sets_utc)


def _set(name: str, utc: bool, sets_zone: bool, sets_utc: bool) -> StateReturn:
    comments: list[str] = []
    changes: dict[str, Any] = {}
    result = True
    try:
        if sets_zone:
            call("timezone.set_zone", name)
            changes["timezone"] = name
            comments.append(f"Set timezone {name}")
    except CommandExecutionError:
        result = False
        comments.append("Failed to set timezone")
    if sets_utc and call("timezone.set_hwclock", "UTC"):
        changes["utc"] = utc
        comments.append(f"Set UTC to {utc}")
    elif sets_utc:
        result = False
        comments.append(f"Failed to set UTC to {utc}")
    return outcome(name, result, ", ".join(comments), changes)
