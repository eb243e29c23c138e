"""Network interfaces on Debian, configured through ifupdown's files (`ip.*`).

Begin with `interfaces.py`. `_stanzas.py` reads and writes the format of interfaces(5),
`_settings.py` turns the settings of states into stanzas; neither does I/O.
"""

from __future__ import annotations

from salt_g.api import grains
from salt_g.modules._netplan import is_active
from salt_g.modules.debian_ip.interfaces import build_bond, build_interface, down, get_bond, get_interface, up
from salt_g.modules.debian_ip.routes import build_routes, get_routes
from salt_g.modules.debian_ip.system import (
    apply_network_settings,
    build_network_settings,
    get_network_settings,
)

__virtualname__ = "ip"

__all__ = [
    "apply_network_settings",
    "build_bond",
    "build_interface",
    "build_network_settings",
    "build_routes",
    "down",
    "get_bond",
    "get_interface",
    "get_network_settings",
    "get_routes",
    "up",
]


def __virtual__() -> str | tuple[bool, str]:
    if grains.get("os_family") != "Debian":
        return False, "The debian_ip module could not be loaded: unsupported OS family"
    if is_active():
        return False, "The debian_ip module could not be loaded: netplan configures this system (netplan_ip)"
    return __virtualname__
