"""States of network interfaces, routes and settings (`ip.*`)."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any, NamedTuple

from salt_g.api import call, functions, opts, own_arguments
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._extra_keywords import takes
from salt_g.states._outcome import as_wanted, changed, failed, outcome, would_change


def __virtual__() -> bool | tuple[bool, str]:
    if "ip.get_interface" in functions:
        return True
    return False, "ip module could not be loaded"


@takes("ip.build_interface")
def managed(name: str, enabled: bool = True, **kwargs: Any) -> StateReturn:
    """Ensure that an interface has this configuration and is up, or down if `enabled` is False.

    type
        `eth` (default), `bond`, `bridge`, `slave`, `vlan`, …; see `ip.build_interface`.
    noifupdown
        Write the files, but do not bring the interface up or down.

    The other arguments are the settings of `ip.build_interface`.

    Example::

        salt-g state.single network.managed eth0 type=eth proto=dhcp noifupdown=True
    """
    settings = {"test": opts["test"], **own_arguments(kwargs)}
    kind = str(settings.pop("type", "eth"))
    extra = _renamed(settings)
    try:
        written = _written(name, kind, enabled, settings)
    except (AttributeError, CommandExecutionError) as exc:
        return failed(name, str(exc), **extra)
    changes: dict[str, Any] = {}
    comment = f"Interface {name} is up to date."
    differing = [each for each in written if each.old != each.new]
    if differing and settings["test"]:
        last = differing[-1]
        return would_change(name, _would(f"{last.noun} {name} is set to be", last.old, last.new), **extra)
    for what in differing:
        comment = f"{what.noun} {name} {'updated' if what.old else 'added'}."
        changes[what.key] = _difference(what.old, what.new) if what.old else what.added
    if settings["test"] or kind == "source" or "noifupdown" in settings:
        return outcome(name, True, comment, changes, **extra)
    status = _switch(name, kind, enabled, bool(changes))
    if status:
        changes["status"] = status
        call("saltutil.refresh_grains")
    return outcome(name, True, comment, changes, **extra)


@takes("ip.build_routes")
def routes(name: str, **kwargs: Any) -> StateReturn:
    """Ensure that an interface has these `routes` whenever it is up; see `ip.build_routes`.

    Example::

        salt-g state.single network.routes eth0 routes='[{ipaddr: 10.2.0.0, netmask: 16, gateway: 10.1.0.1}]'
    """
    settings = {"test": opts["test"], **own_arguments(kwargs)}
    try:
        old = call("ip.get_routes", name)
        new = call("ip.build_routes", name, **settings)
        if old == new:
            return as_wanted(name, f"Interface {name} routes are up to date.")
        if settings["test"]:
            return would_change(name, _would(f"Interface {name} routes are set to be", old, new))
        call("ip.apply_network_settings", **settings)
    except (AttributeError, CommandExecutionError) as exc:
        return failed(name, str(exc))
    what = _difference(old, new) if old else f"Added interface {name} routes."
    done = "updated" if old else "added"
    return changed(name, f"Interface {name} routes {done}.", {"network_routes": what})


@takes("ip.build_network_settings")
def system(name: str, **kwargs: Any) -> StateReturn:
    """Ensure the machine's network settings; see `ip.build_network_settings`.

    Example::

        salt-g state.single network.system system enabled=True require_reboot=True
    """
    settings = {**own_arguments(kwargs), "test": opts["test"]}
    try:
        old = call("ip.get_network_settings")
        new = call("ip.build_network_settings", **settings)
        if old == new:
            return as_wanted(name, "Global network settings are up to date.")
        if settings["test"]:
            return would_change(name, _would("Global network settings are set to be", old, new))
        call("ip.apply_network_settings", **settings)
    except (AttributeError, CommandExecutionError) as exc:
        return failed(name, str(exc))
    what = _difference(old, new) if old else "Added global network settings."
    return changed(name, "Global network settings are up to date.", {"network_settings": what})


class _Written(NamedTuple):
    """File content before and after, and its entry in `changes`."""

    noun: str
    key: str
    added: str
    old: Sequence[str]
    new: Sequence[str]


def _written(name: str, kind: str, enabled: bool, settings: dict[str, Any]) -> list[_Written]:
    """Write the files of an interface, or plan this; for bonds, also the options of the kernel module."""
    old = call("ip.get_interface", name)
    new = call("ip.build_interface", name, kind, enabled, **settings)
    interface = _Written("Interface", "interface", "Added network interface.", old, new)
    if kind != "bond" or "ip.get_bond" not in functions:
        return [interface]
    old = call("ip.get_bond", name)
    new = call("ip.build_bond", name, **settings)
    return [interface, _Written("Bond interface", "bond", f"Added bond {name}.", old, new)]


def _renamed(settings: dict[str, Any]) -> dict[str, Any]:
    """Rename `addr`, formerly the hardware address, and return the deprecation warning."""
    if "addr" not in settings:
        return {}
    address = settings.pop("addr")
    did = "it has been ignored in favor of 'hwaddr'."
    if "hwaddr" not in settings:
        settings["hwaddr"] = address
        did = "its value has been assigned to 'hwaddr' instead."
    ends = "Update your SLS file to get rid of this warning."
    return {"warnings": [f"'addr' is not a valid argument name, {did} {ends}"]}


def _would(what: str, old: Sequence[str], new: Sequence[str]) -> str:
    return f"{what} updated:\n{_difference(old, new)}" if old else f"{what} added."


def _difference(old: Sequence[str], new: Sequence[str]) -> str:
    before, after = ([line.rstrip("\n") for line in each] for each in (old, new))
    return "\n".join(difflib.unified_diff(before, after, lineterm=""))


def _switch(name: str, kind: str, enabled: bool, has_changed: bool) -> str | None:
    """Bring an interface up or down; return the comment, or None if nothing was done."""
    is_up = bool(call("network.interfaces").get(name, {}).get("up"))
    if not enabled:
        if is_up:
            call("ip.down", name, kind)
        return f"Interface {name} down" if is_up else None
    if is_up and not has_changed:
        return None
    if is_up:
        call("ip.down", name, kind)
    call("ip.up", name, kind)
    return f"Interface {name} restart to validate" if is_up else f"Interface {name} is up"
