"""Network interfaces of the Red Hat family, configured through NetworkManager's keyfiles (`ip.*`).

Begin with `interfaces.py`. `_keyfile.py` turns the settings of states into sections, `_devices.py` the
settings of one kind of interface, `_routes.py` routes; these three do no I/O.
"""

from __future__ import annotations

from salt_g.api import grains
from salt_g.modules._network_manager import is_in_charge
from salt_g.modules.nm_ip.interfaces import build_interface, down, get_interface, up
from salt_g.modules.nm_ip.routes import build_routes, get_routes
from salt_g.modules.nm_ip.system import (
    apply_network_settings,
    build_network_settings,
    get_network_settings,
    nm_managed,
)

__virtualname__ = "ip"

__all__ = [
    "apply_network_settings",
    "build_interface",
    "build_network_settings",
    "build_routes",
    "down",
    "get_interface",
    "get_network_settings",
    "get_routes",
    "nm_managed",
    "up",
]


def __virtual__() -> str | tuple[bool, str]:
    if grains.get("os_family") == "RedHat" and is_in_charge():
        return __virtualname__
    return False, "The nm_ip module could not be loaded: NetworkManager does not manage this system"
