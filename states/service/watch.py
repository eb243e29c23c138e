"""Hooks of the service states called by the state engine: mod_watch, mod_beacon."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, current, functions, opts
from salt_g.errors import CommandExecutionError
from salt_g.safe_files.recording import before_restart, before_service
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, failed, outcome, would_change
from salt_g.states.service._platform import systemd_arguments, wait

#: {verb: its past form in comments}
_DONE = {
    "stop": "stopped",
    "start": "started",
    "restart": "restarted",
    "reload": "reloaded",
    "forcefully reload": "forcefully reloaded",
    "fully restart": "fully restarted",
}


def mod_watch(
    name: str,
    sfun: str | None = None,
    sig: str | None = None,
    reload: bool = False,
    full_restart: bool = False,
    init_delay: float | None = None,
    force: bool = False,
    **kwargs: Any,
) -> StateReturn:
    """Restart (or stop) a service because a watched state has changed.

    `reload` reloads the configuration instead (with `force`, forcibly); `full_restart` restarts the service
    completely.

    Example::

        salt-g state.single service.mod_watch cron sfun=running
    """
    status_arguments, warnings = systemd_arguments("service.status", kwargs)
    if sfun not in ("dead", "running"):
        return failed(name, f"Unable to trigger watch for service.{sfun}")
    is_running = call("service.status", name, sig, **status_arguments)
    if sfun == "dead":
        if not is_running:
            return as_wanted(name, "Service is already stopped")
        function, verb = "service.stop", "stop"
    elif is_running:
        function, verb = _again(reload, full_restart, force)
    else:
        function, verb = "service.start", "start"
    done = _DONE[verb]
    if opts["test"]:
        return would_change(name, f"Service is set to be {done}")
    if verb in ("start", "stop"):
        before_service(name, is_running=verb == "stop")
    else:
        before_restart(name, function.removeprefix("service."))
    if verb == "start" and "service.stop" in functions:
        # Remains of a half-dead service would keep it from starting.
        call("service.stop", name)
    arguments, more_warnings = systemd_arguments(function, kwargs)
    returned = [*dict.fromkeys([*warnings, *more_warnings])]
    extra: dict[str, Any] = {"warnings": returned} if returned else {}
    try:
        result = call(function, name, **arguments)
    except CommandExecutionError as exc:
        return failed(name, str(exc), **extra)
    wait(init_delay)
    comment = f"Service {done}" if result else f"Failed to {verb} the service"
    return outcome(name, result, comment, {name: result}, **extra)


def mod_beacon(name: str, **kwargs: Any) -> StateReturn:
    """Watch a service with a beacon, if the state asks for it.

    Example::

        salt-g state.single service.mod_beacon cron sfun=running
    """
    watching = kwargs.pop("sfun", None)
    if watching not in ("running", "dead"):
        return failed(name, f"service.{watching} does not work with the beacon state function")
    if not kwargs.get("beacon"):
        return as_wanted(name, "Not adding beacon.")
    given = kwargs.get("beacon_data", {})
    data = {
        "onchangeonly": given.get("onchangeonly", True),
        "delay": given.get("delay", 0),
        "emitatstartup": given.get("emitatstartup", False),
        "uncleanshutdown": given.get("uncleanshutdown"),
    }
    add = current().table("states")["beacon.present"]
    returned: StateReturn = add(
        name=f"beacon_service_{name}",
        services={name: data},
        interval=given.get("interval", 60),
        beacon_module="service",
    )
    return returned


def _again(reload: bool, full_restart: bool, force: bool) -> tuple[str, str]:
    """Return the function that restarts a running service, and its verb."""
    if reload and "service.reload" in functions:
        if force and "service.force_reload" in functions:
            return "service.force_reload", "forcefully reload"
        return "service.reload", "reload"
    if full_restart and "service.full_restart" in functions:
        return "service.full_restart", "fully restart"
    return "service.restart", "restart"
