"""`service.running` and `service.dead`: running and stopped services, optionally enabled at boot."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, functions, opts, scratch
from salt_g.errors import CommandExecutionError
from salt_g.safe_files.recording import before_service, is_recording
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, failed, outcome
from salt_g.states.service._platform import (
    as_bool,
    is_available,
    is_enabled,
    is_offline,
    systemd_arguments,
    wait,
)
from salt_g.states.service.boot import not_available, set_disabled, set_enabled
from salt_g.states.service.mask import unmasked

_OFFLINE = "Running in OFFLINE mode. Nothing to do"


def running(
    name: str,
    enable: bool | None = None,
    sig: str | None = None,
    init_delay: float | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that a service runs.

    `enable` True or False also sets whether it is started at boot; `sig`, a regular expression, finds its
    process in the process list instead of querying its status (ignored with systemd); `init_delay` is the
    number of seconds to wait before its status is checked again. With systemd, `unmask` first removes a mask
    of the unit, `unmask_runtime` one that lasts until the next boot, and `no_block` does not wait until the
    service has started.

    Example::

        salt-g state.single service.running cron enable=True
    """
    refusal = _refused(name, "running", "started", kwargs)
    if refusal:
        return refusal
    enable = as_bool(enable)
    status_arguments, warnings = systemd_arguments("service.status", kwargs)
    before = call("service.status", name, sig, **status_arguments)
    was_enabled = is_enabled(name)
    unmask_comment = ""
    if kwargs.get("unmask"):
        _record_mask(name)
        unmask_comment = unmasked(name, kwargs.get("unmask_runtime", False))["comment"]
    if before:
        comment = _joined(f"The service {name} is already running", unmask_comment)
        return _with_boot(as_wanted(name, comment), None, enable, was_enabled, warnings, kwargs)
    if opts["test"]:
        comment = _joined(f"Service {name} is set to start", unmask_comment)
        return _warned(outcome(name, None, comment), warnings)
    start_arguments, more_warnings = systemd_arguments("service.start", kwargs)
    warnings = list(dict.fromkeys([*warnings, *more_warnings]))
    before_service(name, is_running=False)
    try:
        is_started = call("service.start", name, **start_arguments)
    except CommandExecutionError as exc:
        return _warned(failed(name, str(exc)), warnings)
    if not is_started:
        returned = failed(name, f"Service {name} failed to start")
        return _with_boot(returned, False, enable, None, warnings, kwargs, result=False)
    wait(init_delay)
    after = call("service.status", name, sig, **status_arguments)
    changes = {name: after} if after != before or is_enabled(name) != was_enabled else {}
    comment = f"Started service {name}" if after else f"Service {name} failed to start"
    returned = outcome(name, bool(after), comment, changes)
    returned = _with_boot(returned, after, enable, None, warnings, kwargs, result=after)
    returned["comment"] = _delayed(returned["comment"], init_delay)
    if kwargs.get("unmask"):
        returned["comment"] = f"{returned['comment']}\n{unmask_comment}"
    return returned


def dead(
    name: str,
    enable: bool | None = None,
    sig: str | None = None,
    init_delay: float | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that a service does not run; a missing one counts as dead.

    The arguments are those of `service.running`.

    Example::

        salt-g state.single service.dead cron enable=False
    """
    refusal = _refused(name, "dead", "stopped", kwargs)
    if refusal:
        return refusal
    enable = as_bool(enable)
    status_arguments, warnings = systemd_arguments("service.status", kwargs)
    before = call("service.status", name, sig, **status_arguments)
    was_enabled = is_enabled(name)
    if not before:
        returned = as_wanted(name, f"The service {name} is already dead")
        return _with_boot(returned, None, enable, was_enabled, warnings, kwargs)
    if opts["test"]:
        return _warned(outcome(name, None, f"Service {name} is set to be killed"), warnings)
    stop_arguments, more_warnings = systemd_arguments("service.stop", kwargs)
    warnings = list(dict.fromkeys([*warnings, *more_warnings]))
    before_service(name, is_running=True)
    if not call("service.stop", name, **stop_arguments):
        returned = failed(name, f"Service {name} failed to die")
        return _with_boot(returned, True, enable, None, warnings, kwargs, result=False)
    wait(init_delay)
    after = call("service.status", name, **status_arguments)
    changes = {name: after} if after != before or is_enabled(name) != was_enabled else {}
    comment = f"Service {name} failed to die" if after else f"Service {name} was killed"
    returned = outcome(name, not after, comment, changes)
    returned = _with_boot(returned, after, enable, None, warnings, kwargs, result=not after)
    returned["comment"] = _delayed(returned["comment"], init_delay)
    return returned


def _record_mask(name: str) -> None:
    """Record whether a unit is masked, because starting the service can remove this mask."""
    if is_recording() and "service.masked" in functions:
        before_service(name, is_masked=bool(call("service.masked", name)))


def _refused(name: str, state: str, done: str, kwargs: dict[str, Any]) -> StateReturn | None:
    """Return the state return if nothing needs to be done or nothing can be done."""
    scratch["service.state"] = state
    if "enabled" in kwargs:
        text = 'uses non-existent option "enabled".  Perhaps "enable" option was intended?'
        return failed(name, f"Service {name} {text}")
    if is_offline():
        return as_wanted(name, _OFFLINE)
    try:
        if is_available(name):
            return None
    except CommandExecutionError as exc:
        return failed(name, str(exc))
    if opts["test"]:
        missing = f"Service {name} not present; if created in this state run, it would have been {done}"
        return outcome(name, None, missing)
    return outcome(name, state == "dead", not_available(name))


def _with_boot(
    returned: StateReturn,
    started: bool | None,
    enable: bool | None,
    was_enabled: bool | None,
    warnings: list[str],
    kwargs: dict[str, Any],
    *,
    result: bool = True,
) -> StateReturn:
    """Return the result so far, or that of enabling or disabling if requested.

    `was_enabled` None means that it does not matter; earlier changes are kept if the later step has none.
    """
    is_asked = enable is not None and (was_enabled is None or was_enabled is not enable)
    if is_asked:
        step = set_enabled if enable else set_disabled
        later = step(returned["name"], started, result=result, **kwargs)
        returned = {**returned, **later, "changes": later["changes"] or returned["changes"]}
    return _warned(returned, warnings)


def _warned(returned: StateReturn, warnings: list[str]) -> StateReturn:
    if warnings:
        returned["warnings"] = warnings
    return returned


def _joined(*comments: str) -> str:
    return "\n".join(comment for comment in comments if comment)


def _delayed(comment: str, seconds: float | None) -> str:
    return f"{comment}\nDelayed return for {seconds} seconds" if seconds else comment
