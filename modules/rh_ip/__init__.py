"""Network interfaces of the Red Hat family, configured through ifcfg files (`ip.*`).

Begin with `interfaces.py`. `_ifcfg.py` turns the settings of states into the lines of a file, `_bonds.py` and
`_ethtool.py` the two options that hold further options; none of them does I/O.
"""

from __future__ import annotations

from salt_g.api import grains
from salt_g.modules._network_manager import is_in_charge
from salt_g.modules.rh_ip.interfaces import build_interface, down, get_interface, up
from salt_g.modules.rh_ip.routes import build_routes, get_routes
from salt_g.modules.rh_ip.system import (
    apply_network_settings,
    build_network_settings,
    get_network_settings,
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
    "up",
]


def __virtual__() -> str | tuple[bool, str]:
    if grains.get("os_family") != "RedHat":
        return False, "The rh_ip module could not be loaded: unsupported OS family"
    if is_in_charge():
        return False, "The rh_ip module could not be loaded: NetworkManager manages this system (nm_ip)"
    return __virtualname__
