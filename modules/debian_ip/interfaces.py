"""Interfaces: reading and writing of their definitions, bringing them up and down."""

from __future__ import annotations

import os
from typing import Any

import salt_g.modules.debian_ip._files as _files
from salt_g.api import call
from salt_g.modules._network_settings import EMPTY, given, invalid, text_of, write
from salt_g.modules._programs import run
from salt_g.modules.debian_ip._settings import TYPES, bond_options, interface_of
from salt_g.modules.debian_ip._stanzas import read, replace

#: {kind of interface: required setting}
_NEEDS = {"slave": "master", "bond": "slaves", "bridge": "ports", "source": "source"}
#: {kind of interface: package that supports it}
_PACKAGES = {"bridge": "bridge-utils", "vlan": "vlan", "pppoe": "ppp", "bond": "ifenslave"}
#: Kinds that are not brought up or down individually.
_PASSIVE = ("slave", "source")


def get_interface(iface: str) -> list[str]:
    """Return the lines that define an interface in the files, in normalized order.

    Example::

        salt-g ip.get_interface eth0
    """
    for path in _files.all_of_interfaces():
        known = read(text_of(path)).get(iface)
        if known:
            return _ended(known.lines(iface))
    return []


def build_interface(iface: str, iface_type: str, enabled: bool, **settings: Any) -> list[str]:
    """Write the definition of an interface and return its lines; `test=True` only returns them.

    iface_type
        `eth`, `bond`, `bridge`, `slave`, `vlan` or `source`; `alias`, `clone`, `dialup`, `ipsec` and `pppoe`
        are written like `eth`.
    enabled
        Whether to bring it up at boot.

    Settings: `proto`, `ipaddr` (or `ipaddrs`), `netmask`, `gateway`, `dns`, `search`, `mtu`, `hwaddr`;
    commands: `pre_up_cmds`, `up_cmds`, `post_up_cmds`, `pre_down_cmds`, `down_cmds`, `post_down_cmds`;
    for ethtool: `speed`, `duplex`, `autoneg`, `rx`, `tx`, `sg`, `tso`, `ufo`, `gso`, `gro`, `lro`;
    `ports` of a bridge, `slaves` and `mode` of a bond, `master` of a slave, `source` (path) of a source.
    Settings for IPv6 have the prefix `ipv6` (`ipv6proto`, `ipv6ipaddr`, `ipv6up_cmds`). `filename` names a
    separate file in /etc/network/interfaces.d for the definition.

    Example::

        salt-g ip.build_interface eth0 eth True proto=dhcp test=True
    """
    kind = iface_type.lower()
    if kind not in TYPES:
        raise invalid(iface, kind, TYPES)
    if kind in _NEEDS and settings.get(_NEEDS[kind]) in EMPTY:
        raise AttributeError(f"{_NEEDS[kind]} is a required setting for {kind} interfaces")
    if kind == "source":
        lines = [f"source {settings['source']}"]
    else:
        lines = interface_of(iface, kind, enabled, settings).lines(iface)
    if settings.get("test"):
        return _ended(lines)
    if kind in _PACKAGES:
        _install_for(kind)
    path = _path_for(iface, settings.get("filename"))
    write(path, replace(text_of(path), iface, lines))
    return _ended(lines)


def build_bond(iface: str, **settings: Any) -> list[str]:
    """Write a bond's kernel module options, load the module, return the lines; `test=True` only returns.

    Settings are those of a bond of `ip.build_interface`: `mode`, `miimon`, `arp_ip_target`, `primary`, …

    Example::

        salt-g ip.build_bond bond0 mode=balance-alb test=True
    """
    options = bond_options(iface, given(settings))
    text = f"alias {iface} bonding\noptions {iface} " + " ".join(
        f"{name}={value}" for name, value in options.items()
    )
    if not settings.get("test"):
        write(_bond_path(iface), text + "\n")
        call("kmod.load", "bonding")
        _install_for("bond")
    return _files.lines_of(text + "\n")


def get_bond(iface: str) -> list[str]:
    """Return the lines of a bond's kernel module options, or [] if there are none.

    Example::

        salt-g ip.get_bond bond0
    """
    return _files.lines_of(text_of(_bond_path(iface)))


def up(iface: str, iface_type: str) -> str | None:
    """Bring an interface up; return the output, or None for a slave or source, which is left as it is.

    Example::

        salt-g ip.up eth0 eth
    """
    return _switched("ifup", iface, iface_type)


def down(iface: str, iface_type: str) -> str | None:
    """Bring an interface down; return the output, or None for a slave or source, which is left as it is.

    Example::

        salt-g ip.down eth0 eth
    """
    return _switched("ifdown", iface, iface_type)


def _switched(program: str, iface: str, iface_type: str) -> str | None:
    if iface_type in _PASSIVE:
        return None
    return run([program, iface], redirect_stderr=True)["stdout"]


def _ended(lines: list[str]) -> list[str]:
    return [*(f"{line}\n" for line in lines), *(["\n"] if lines else [])]


def _path_for(iface: str, filename: str | None) -> str:
    """Return the file to write: the requested one, the one that defines the interface, or the main file."""
    if filename:
        return os.path.join(_files.NETWORK, "interfaces.d", filename)
    having = (path for path in _files.all_of_interfaces() if iface in read(text_of(path)))
    return next(having, _files.main())


def _bond_path(iface: str) -> str:
    return os.path.join(_files.MODPROBE, f"{iface}.conf")


def _install_for(kind: str) -> None:
    """Install the package for this kind of interface if it is missing."""
    if not call("pkg.version", _PACKAGES[kind]):
        call("pkg.install", _PACKAGES[kind])
