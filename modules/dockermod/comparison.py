"""Differences between two containers, as the engine reports them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.modules._booleans import as_list
from salt_g.modules.dockermod.inspection import inspect_container

#: Values that the engine chooses for each container.
_OWN = ("Hostname", "Id", "MacAddress")
_NETWORK_OWN = (
    *(
        "EndpointID",
        "NetworkID",
        "SandboxID",
        "IPAddress",
        "Gateway",
        "MacAddress",
        "DNSNames",
        "IPPrefixLen",
    ),
    *("GlobalIPv6Address", "GlobalIPv6PrefixLen", "IPv6Gateway", "DriverOpts", "GwPriority"),
)


def compare_containers(first: str, second: str, ignore: Any = None) -> dict[str, dict[str, Any]]:
    """Return {"Config" | "HostConfig": {key: {"old", "new"}}} of two containers; `ignore` leaves keys out.

    Example::

        salt-g docker.compare_containers web web-new ignore=Hostname
    """
    ours, theirs = inspect_container(first), inspect_container(second)
    left_out = {*_OWN, *as_list(ignore)}
    found = {
        part: _differences(ours.get(part) or {}, theirs.get(part) or {}, left_out)
        for part in ("Config", "HostConfig")
    }
    return {part: changes for part, changes in found.items() if changes}


def compare_container_networks(first: Any, second: Any) -> dict[str, dict[str, Any]]:
    """Return {network: {key: {"old", "new"}}} of two containers (names or inspection results).

    Values chosen by the engine (addresses, ids) are left out.

    Example::

        salt-g docker.compare_container_networks web web-new
    """
    ours, theirs = (_networks(each) for each in (first, second))
    found = {}
    for name in sorted({*ours, *theirs}):
        if name in ours and name in theirs:
            changes = _differences(_chosen(ours[name]), _chosen(theirs[name]), set())
        else:
            old, new = (
                _chosen(each[name]) or "automatic" if name in each else None for each in (ours, theirs)
            )
            changes = {"IPConfiguration": {"old": old, "new": new}}
        if changes:
            found[name] = changes
    return found


def _differences(old: Mapping[str, Any], new: Mapping[str, Any], left_out: set[str]) -> dict[str, Any]:
    return {
        key: {"old": old.get(key), "new": new.get(key)}
        for key in sorted({*old, *new} - left_out)
        if _plain(old.get(key)) != _plain(new.get(key))
    }


def _plain(value: Any) -> Any:
    """Return a normalized value to compare: all empty values are equal, and lists have no order."""
    if isinstance(value, list):
        return sorted(map(str, value)) or None
    return value or None


def _networks(container: Any) -> dict[str, dict[str, Any]]:
    inspected = container if isinstance(container, Mapping) else inspect_container(str(container))
    return dict(inspected.get("NetworkSettings", {}).get("Networks") or {})


def _chosen(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the user-defined settings of a container in a network, without its own id among the aliases."""
    kept = {key: value for key, value in settings.items() if key not in _NETWORK_OWN and value}
    aliases = [alias for alias in kept.pop("Aliases", []) if len(alias) != 12]
    return {**kept, "Aliases": aliases} if aliases else kept
