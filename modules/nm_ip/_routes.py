"""Routes as keys of a keyfile's sections: `route1=destination,gateway`.

Errors: CommandExecutionError, AttributeError.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from salt_g.modules._network_settings import destination_of, no_routes
from salt_g.modules.nm_ip._keyfile import Keyfile

FAMILIES = ("ipv4", "ipv6")
_ROUTE = re.compile(r"route\d+")
_DEFAULTS = {"ipv4": "0.0.0.0/0", "ipv6": "::/0"}
_ANYWHERE = ("default", *_DEFAULTS.values())


def sections(iface: str, routes: Any) -> Keyfile:
    """Return the routes by family, or {} if there are none."""
    if not isinstance(routes, (list, tuple)) or not all(isinstance(route, Mapping) for route in routes):
        raise no_routes(iface)
    found: Keyfile = {}
    for family in FAMILIES:
        values = [value for where, value in map(_route, routes) if where == family]
        if values:
            found[family] = {f"route{number}": value for number, value in enumerate(values, 1)}
    return found


def of_keyfile(keyfile: Mapping[str, Mapping[str, str]]) -> Keyfile:
    """Return the routes that a keyfile has, by family."""
    found = {
        family: {key: value for key, value in keyfile.get(family, {}).items() if _ROUTE.fullmatch(key)}
        for family in FAMILIES
    }
    return {family: section for family, section in found.items() if section}


def replaced(keyfile: Keyfile, routes: Keyfile) -> Keyfile:
    """Return a keyfile with its routes replaced."""
    found = {
        name: {
            key: value for key, value in section.items() if name not in FAMILIES or not _ROUTE.fullmatch(key)
        }
        for name, section in keyfile.items()
    }
    return {name: {**section, **routes.get(name, {})} for name, section in found.items()}


def _route(route: Mapping[str, Any]) -> tuple[str, str]:
    """Return the family and the value of a route."""
    destination = destination_of(route)
    gateway = str(route.get("gateway") or "")
    family = "ipv6" if ":" in destination else "ipv4"
    if destination == "default" and "." not in gateway:
        family = "ipv6"
    if destination in _ANYWHERE:
        destination = _DEFAULTS[family]
    return family, f"{destination},{gateway}" if gateway else destination
