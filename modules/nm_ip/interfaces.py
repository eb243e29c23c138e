"""Interfaces: their keyfiles, building them, and bringing them up and down."""

from __future__ import annotations

from typing import Any

import salt_g.modules.nm_ip._files as _files
import salt_g.modules.nm_ip._routes as _routes
from salt_g.errors import CommandExecutionError
from salt_g.modules._network_settings import given, members, refuse_unsupported
from salt_g.modules._programs import run
from salt_g.modules.nm_ip._keyfile import TYPES, UNSUPPORTED, keyfile, lines, member, read
from salt_g.modules.nm_ip.system import reload

#: Settings that name the members of an interface.
_MEMBERS = {"bond": ("slaves", "interfaces"), "bridge": ("ports", "bridge_ports", "interfaces")}


def get_interface(iface: str) -> list[str]:
    """Return the lines of an interface's keyfile, or [] if there is none.

    Example::

        salt-g ip.get_interface eth0
    """
    return _files.read(iface).splitlines(keepends=True)


def build_interface(iface: str, iface_type: str, enabled: bool, **settings: Any) -> list[str]:
    """Write the keyfile of an interface and return its lines; `test=True` only returns them.

    Members of a bond (`slaves`) or bridge (`ports`) get keyfiles as well. Routes of `ip.build_routes` stay.

    iface_type
        `eth`, `bond`, `bridge`, `slave` or `vlan`.
    enabled
        Whether to bring the interface up at boot.

    Settings: `proto` (`dhcp`, `none`, `static`), `ipaddr` (or `ipaddrs`), `netmask`, `gateway`, `dns`,
    `dns_search`, for IPv6 `ipv6proto`, `ipv6ipaddr`, `ipv6addrs`, `ipv6gateway`; `mtu`, `hwaddr`,
    `autoneg`, `speed`, `duplex`, `wol`; for a bond `mode` and any option of the kernel's bonding driver; for
    a bridge `stp`, `fd`, `hello`, `maxage`, `ageing`, `priority`; for a VLAN `vlan_id` and `parent`.

    Example::

        salt-g ip.build_interface eth0 eth True ipaddr=10.0.0.5 netmask=24 gateway=10.0.0.1 test=True
    """
    kind, settings = iface_type.lower(), given(settings)
    if kind not in TYPES:
        raise CommandExecutionError(
            f"nm_ip supports interface types {', '.join(sorted(TYPES))}; got '{iface_type}'"
        )
    refuse_unsupported(
        (name for name in UNSUPPORTED if settings.get(name)),
        "NetworkManager keyfiles do not support",
        "NetworkManager systems",
    )
    made = keyfile(iface, kind, bool(enabled), settings)
    made = _routes.replaced(made, _routes.of_keyfile(read(_files.read(iface))))
    if not settings.get("test"):
        _files.save(iface, made)
        for name in members(settings, _MEMBERS.get(kind, ())):
            _files.save(name, member(name, bool(enabled), iface, kind))
    return lines(made)


def up(iface: str, iface_type: str | None = None) -> str | None:
    """Reload the keyfiles and activate an interface's connection; return the output.

    With `iface_type` `slave` nothing is done and None is returned.

    Example::

        salt-g ip.up eth0
    """
    if iface_type == "slave":
        return None
    reload()
    return run(["nmcli", "connection", "up", iface], redirect_stderr=True)["stdout"]


def down(iface: str, iface_type: str | None = None) -> str | None:
    """Deactivate an interface's connection; return the output.

    With `iface_type` `slave` nothing is done and None is returned.

    Example::

        salt-g ip.down eth0
    """
    if iface_type == "slave":
        return None
    return run(["nmcli", "connection", "down", iface], redirect_stderr=True)["stdout"]
