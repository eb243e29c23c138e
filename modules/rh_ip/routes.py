"""Routes of an interface: the files route-NAME and route6-NAME."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import salt_g.modules.rh_ip._files as _files
from salt_g.modules._network_settings import no_routes, write

_PREFIXES = ("route", "route6")


def get_routes(iface: str) -> list[str]:
    """Return the lines of both route files of an interface.

    Example::

        salt-g ip.get_routes eth0
    """
    return [line for prefix in _PREFIXES for line in _files.read(_files.path_of(prefix, iface))]


def build_routes(iface: str, **settings: Any) -> list[str]:
    """Write the route files of an interface and return their lines; `test=True` only returns them.

    `routes` is a list of {"ipaddr", "netmask", "gateway", "metric", "name"}; only `ipaddr` is required,
    `name` becomes a comment.

    Example::

        salt-g ip.build_routes eth0 routes='[{ipaddr: 10.2.0.0, netmask: 16, gateway: 10.1.0.1}]' test=True
    """
    routes = settings.get("routes")
    if not isinstance(routes, list) or not all(isinstance(route, Mapping) for route in routes):
        raise no_routes(iface)
    if missing := [route for route in routes if not route.get("ipaddr")]:
        raise AttributeError(f"Route interface: {iface}, the route {missing[0]} has no ipaddr")
    written = {
        "route": _lines(iface, [route for route in routes if ":" not in str(route["ipaddr"])]),
        "route6": _lines(iface, [route for route in routes if ":" in str(route["ipaddr"])]),
    }
    if not settings.get("test"):
        for prefix, lines in written.items():
            write(_files.path_of(prefix, iface), _files.text(lines))
    return [line for lines in written.values() for line in _files.without_first_blank(lines)]


def _lines(iface: str, routes: list[Mapping[str, Any]]) -> list[str]:
    """Return the lines of a file; an empty line precedes a route without a name, as in stock."""
    found = []
    for route in routes:
        found.append(f"# {route['name']}" if route.get("name") else "")
        netmask = f"/{route['netmask']}" if route.get("netmask") else ""
        through = f"via {route['gateway']}" if route.get("gateway") else f"dev {iface}"
        metric = f" metric {route['metric']}" if route.get("metric") else ""
        found.append(f"{route['ipaddr']}{netmask} {through}{metric}")
    return found
