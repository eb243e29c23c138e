"""Routes of an interface, in its keyfile."""

from __future__ import annotations

from typing import Any

import salt_g.modules.nm_ip._files as _files
import salt_g.modules.nm_ip._routes as _routes
from salt_g.errors import CommandExecutionError
from salt_g.modules.nm_ip._keyfile import lines, read


def get_routes(iface: str) -> list[str]:
    """Return the routes in an interface's keyfile as lines.

    Example::

        salt-g ip.get_routes eth0
    """
    return lines(_routes.of_keyfile(read(_files.read(iface))))


def build_routes(iface: str, **settings: Any) -> list[str]:
    """Write `routes` into an interface's keyfile and return them as lines; `test=True` only returns them.

    A route is {"ipaddr", "netmask", "gateway"}; the keyfile is that of `ip.build_interface`.

    Example::

        salt-g ip.build_routes eth0 routes='[{ipaddr: 10.2.0.0, netmask: 16, gateway: 10.1.0.1}]' test=True
    """
    routes = _routes.sections(iface, settings.get("routes") or [])
    if not settings.get("test"):
        present = read(_files.read(iface))
        if not present and routes:
            missing = f"Route interface: {iface} has no keyfile {_files.path_of(iface)}"
            raise CommandExecutionError(f"{missing}; manage it with network.managed first")
        if present:
            _files.save(iface, _routes.replaced(present, routes))
    return lines(routes)
