"""Grains of network interfaces, their addresses and the default gateways."""

from __future__ import annotations

import socket
from typing import Any

from salt_g.net.network_interfaces import default_gateways, interfaces

__all__ = ["addresses", "default_gateway"]
__virtualname__ = "core"

Table = dict[str, dict[str, Any]]


def addresses() -> dict[str, Any]:
    """Return the addresses of each interface by family, hardware addresses, and all addresses."""
    return from_interfaces(interfaces())


def from_interfaces(table: Table) -> dict[str, Any]:
    """Return the grains of an interface dict."""
    both = {name: _of(about, "inet") + _of(about, "inet6") for name, about in table.items()}
    second = {name: _secondary(about) for name, about in table.items()}
    return {
        "ip_interfaces": {name: both[name] + second[name] for name in table},
        "ip4_interfaces": {name: _of(table[name], "inet") + second[name] for name in table},
        "ip6_interfaces": {name: _of(about, "inet6") for name, about in table.items()},
        "hwaddr_interfaces": {name: a["hwaddr"] for name, a in table.items() if "hwaddr" in a},
        "ipv4": _sorted(socket.AF_INET, (_of(table[name], "inet") + second[name] for name in table)),
        "ipv6": _sorted(socket.AF_INET6, (_of(about, "inet6") for about in table.values())),
    }


def default_gateway() -> dict[str, str | bool]:
    """Return `ip4_gw` and `ip6_gw` (a gateway, True for a route without one, or False), and `ip_gw`.

    `ip_gw` is True if there is a default route.
    """
    found = {
        "ip4_gw": _first_gateway(socket.AF_INET),
        "ip6_gw": _first_gateway(socket.AF_INET6),
    }
    return {"ip_gw": any(found.values()), **found}


def _of(about: dict[str, Any], family: str) -> list[str]:
    return [entry["address"] for entry in about.get(family, [])]


def _secondary(about: dict[str, Any]) -> list[str]:
    return [entry["address"] for entry in about.get("secondary", [])]


def _sorted(family: int, lists: Any) -> list[str]:
    unique = {address for addresses in lists for address in addresses}
    return sorted(unique, key=lambda address: socket.inet_pton(family, address))


def _first_gateway(family: int) -> str | bool:
    gateways = default_gateways(family)
    return (gateways[0] or True) if gateways else False
