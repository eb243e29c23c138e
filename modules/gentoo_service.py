"""`service` on systems with OpenRC: Alpine, and Gentoo without systemd.

Runlevels are named (`default`, `boot`), and a service can be in several of them.

Shapes: {service: [runlevels]}. Source: rc-update(8), openrc-run(8); tested with recorded transcripts.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import grains
from salt_g.modules import _systemd
from salt_g.modules._programs import acts, output
from salt_g.modules._scripted_services import (
    available,
    disabled,
    missing,
    reload_,
    restart,
    run_action,
    start,
    status,
    stop,
)

__virtualname__ = "service"
__func_alias__ = {"reload_": "reload"}

__all__ = [
    "available",
    "disable",
    "disabled",
    "enable",
    "enabled",
    "get_all",
    "get_disabled",
    "get_enabled",
    "missing",
    "reload_",
    "restart",
    "start",
    "status",
    "stop",
    "zap",
]


def __virtual__() -> str | tuple[bool, str]:
    if grains.get("os") == "Alpine" or (grains.get("os") == "Gentoo" and not _systemd.is_booted()):
        return __virtualname__
    return (
        False,
        "The gentoo_service execution module cannot be loaded: only available on Gentoo/Open-RC systems.",
    )


def get_all() -> dict[str, list[str]]:
    """Return {service: [runlevels that start it]} of all services.

    Example::

        salt-g service.get_all
    """
    rows = (line.split("|") for line in output(["rc-update", "-v", "show"]).splitlines() if "|" in line)
    return {name.strip(): sorted(levels.split()) for name, levels, *_ in rows}


def get_enabled() -> dict[str, list[str]]:
    """Return {service: [runlevels that start it]} of the services that some runlevel starts.

    Example::

        salt-g service.get_enabled
    """
    return {name: levels for name, levels in get_all().items() if levels}


def get_disabled() -> list[str]:
    """Return the names of the services that no runlevel starts.

    Example::

        salt-g service.get_disabled
    """
    return sorted(name for name, levels in get_all().items() if not levels)


def zap(name: str) -> bool:
    """Reset the recorded state of a service to stopped; return whether that succeeded.

    Example::

        salt-g service.zap sshd
    """
    return run_action(name, "zap")


def enable(name: str, **kwargs: Any) -> bool:
    """Enable a service in the current runlevel; return whether that succeeded.

    `runlevels` (one or a list), if given, replace all runlevels of the service instead.

    Example::

        salt-g service.enable sshd runlevels=default
    """
    if "runlevels" not in kwargs:
        return _update("add", name)
    wanted, current = _levels(kwargs), set(get_all().get(name, []))
    changes = (("delete", current - wanted), ("add", wanted - current))
    return all(_update(verb, name, levels) for verb, levels in changes if levels)


def disable(name: str, **kwargs: Any) -> bool:
    """Disable a service in all runlevels, or only in `runlevels`; return whether that succeeded.

    Example::

        salt-g service.disable sshd runlevels=default
    """
    services = get_all()
    if name not in services:
        return _update("delete", name)
    current = set(services[name])
    levels = _levels(kwargs) & current if "runlevels" in kwargs else current
    return _update("delete", name, levels) if levels else True


def enabled(name: str, **kwargs: Any) -> bool:
    """Return whether some runlevel (or each of `runlevels`) starts a service.

    Example::

        salt-g service.enabled sshd runlevels=default
    """
    levels = get_enabled().get(name)
    return levels is not None and ("runlevels" not in kwargs or _levels(kwargs) <= set(levels))


def _levels(kwargs: dict[str, Any]) -> set[str]:
    given = kwargs["runlevels"]
    return {given} if isinstance(given, str) else set(given)


def _update(verb: str, name: str, levels: set[str] | None = None) -> bool:
    return acts(["rc-update", verb, name, *sorted(levels or ())])
