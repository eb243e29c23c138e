"""`service.enabled` and `service.disabled`: services enabled or disabled at boot."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, functions, opts, scratch
from salt_g.errors import CommandExecutionError
from salt_g.safe_files.recording import before_service
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, failed, outcome
from salt_g.states.service._platform import is_available

#: Comment about the service itself: running, as wanted, dead.
_ALSO = {True: "running", None: "in the desired state", False: "dead"}


def enabled(name: str, **kwargs: Any) -> StateReturn:
    """Ensure that a service is started at boot.

    Example::

        salt-g state.single service.enabled cron
    """
    scratch["service.state"] = "enabled"
    returned = set_enabled(name, None, **kwargs)
    if opts["test"] and returned["comment"] == not_available(name):
        missing = f"Service {name} not present; if created in this state run, it would have been enabled"
        return outcome(name, None, missing)
    return returned


def disabled(name: str, **kwargs: Any) -> StateReturn:
    """Ensure that a service is not started at boot.

    Example::

        salt-g state.single service.disabled cron
    """
    scratch["service.state"] = "disabled"
    return set_disabled(name, None, **kwargs)


def not_available(name: str) -> str:
    """Return the comment for a service that does not exist."""
    return f"The named service {name} is not available"


def set_enabled(name: str, started: bool | None, *, result: bool = True, **kwargs: Any) -> StateReturn:
    """Enable a service; `started` is whether it runs after this state (None: it was left as it was)."""
    try:
        if not is_available(name):
            return failed(name, not_available(name))
    except CommandExecutionError as exc:
        return failed(name, str(exc))
    if not {"service.enable", "service.enabled"} <= _known():
        return outcome(name, result, _not_possible("Enable", name, started))
    before = call("service.enabled", name, **kwargs)
    if before:
        return outcome(name, result, f"Service {name} is already enabled, and is {_ALSO[started]}")
    if opts["test"]:
        return outcome(name, None, f"Service {name} set to be enabled")
    problem = ""
    try:
        before_service(name, is_enabled=bool(before))
        if call("service.enable", name, **kwargs):
            changes = {name: True} if call("service.enabled", name, **kwargs) != before else {}
            return outcome(name, result, f"Service {name} has been enabled, and is {_ALSO[started]}", changes)
    except CommandExecutionError as exc:
        problem = f". Additional information follows:\n\n{exc}"
    also = {True: "but the service is running", None: "but the service was already running"}
    what = also.get(started, "and the service is dead")
    return failed(name, f"Failed when setting service {name} to start at boot, {what}{problem}")


def set_disabled(name: str, started: bool | None, *, result: bool = True, **kwargs: Any) -> StateReturn:
    """Disable a service; `started` as in `set_enabled`. A missing service counts as disabled."""
    try:
        if not is_available(name):
            return as_wanted(name, not_available(name))
    except CommandExecutionError as exc:
        return failed(name, str(exc))
    if not {"service.disable", "service.disabled"} <= _known():
        return outcome(name, result, _not_possible("Disable", name, started))
    before = call("service.disabled", name)
    if before:
        return outcome(name, result, f"Service {name} is already disabled, and is {_ALSO[started]}")
    if opts["test"]:
        return outcome(name, None, f"Service {name} set to be disabled")
    before_service(name, is_enabled=not before)
    if call("service.disable", name, **kwargs):
        changes = {name: True} if call("service.disabled", name) != before else {}
        return outcome(name, result, f"Service {name} has been disabled, and is {_ALSO[started]}", changes)
    also = {True: "and is running", None: "but the service was already running"}
    what = also.get(started, "and the service is dead")
    return failed(name, f"Failed when setting service {name} to not start at boot, {what}")


def _known() -> set[str]:
    names = ("enable", "enabled", "disable", "disabled")
    return {f"service.{name}" for name in names if f"service.{name}" in functions}


def _not_possible(what: str, name: str, started: bool | None) -> str:
    also = {True: "started", None: "is in the desired state", False: "is dead"}[started]
    return f"{what} is not available on this minion, service {name} {also}"
