"""Routes added and removed with an interface: scripts in if-up.d and if-down.d."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import salt_g.modules.debian_ip._files as _files
from salt_g.modules._network_settings import no_routes, text_of, write

#: {verb of `ip route`: directory of its scripts}
_DIRECTORIES = {"add": "if-up.d", "del": "if-down.d"}
_SCRIPT_MODE = 0o755


def get_routes(iface: str) -> list[str]:
    """Return the lines of the two scripts that add and remove the routes of an interface.

    Example::

        salt-g ip.get_routes eth0
    """
    texts = (text_of(_path(verb, iface)) for verb in _DIRECTORIES)
    return [line for text in texts for line in _files.lines_of(text)]


def build_routes(iface: str, **settings: Any) -> list[str]:
    """Write the scripts that add and remove `routes`; return their lines. `test=True` only returns them.

    `routes` is a list of {"name", "ipaddr", "netmask", "gateway", "metric"}.

    Example::

        salt-g ip.build_routes eth0 routes='[{ipaddr: 10.2.0.0, netmask: 16, gateway: 10.1.0.1}]' test=True
    """
    routes = settings.get("routes")
    if not isinstance(routes, (list, tuple)) or not all(isinstance(route, Mapping) for route in routes):
        raise no_routes(iface)
    texts = {verb: _script(verb, iface, routes) for verb in _DIRECTORIES}
    if not settings.get("test"):
        for verb, text in texts.items():
            write(_path(verb, iface), text, _SCRIPT_MODE)
    return [line for text in texts.values() for line in _files.lines_of(text)]


def _path(verb: str, iface: str) -> str:
    return os.path.join(_files.NETWORK, _DIRECTORIES[verb], f"route-{iface.replace('.', '_')}")


def _script(verb: str, iface: str, routes: Sequence[Mapping[str, Any]]) -> str:
    lines = ["#!/bin/sh", f"# {verb}", f'test "${{IFACE}}" = "{iface}" || exit 0']
    for route in routes:
        lines += [f"# {route['name']}"] if route.get("name") else []
        netmask = f"/{route['netmask']}" if route.get("netmask") else ""
        gateway = f"via {route['gateway']}" if route.get("gateway") else ""
        metric = f" metric {route['metric']}" if route.get("metric") else ""
        lines.append(f"ip route {verb} {route.get('ipaddr') or ''}{netmask} {gateway} dev {iface}{metric}")
    return "".join(f"{line}\n" for line in lines)
