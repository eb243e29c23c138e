"""Interfaces: their files, building them, and bringing them up and down."""

from __future__ import annotations

from typing import Any

import salt_g.modules.rh_ip._files as _files
from salt_g.api import call, grains
from salt_g.modules._network_settings import FALSE, TRUE, invalid, write
from salt_g.modules._programs import run
from salt_g.modules.rh_ip._ifcfg import KINDS, lines

#: Packages that support a kind of interface.
_PACKAGES = {"bridge": "bridge-utils", "team": "teamd"}
#: Kinds that are not brought up or down individually.
_PASSIVE = ("slave", "teamport")
#: Endings of the sysctls `bridge-nf-call-*`, which send bridged packets through the firewall.
_FIREWALL = ("ip6tables", "iptables", "arptables")


def get_interface(iface: str) -> list[str]:
    """Return the lines of an interface's file, or [] if there is none.

    Example::

        salt-g ip.get_interface eth0
    """
    return _files.read(_files.path_of("ifcfg", iface))


def build_interface(iface: str, iface_type: str, enabled: bool, **settings: Any) -> list[str]:
    """Write the file of an interface and return its lines; `test=True` only returns them.

    iface_type
        `eth`, `bond`, `bridge`, `slave`, `vlan`, `team`, `teamport`, `ipip`, `ib` or `alias`.
    enabled
        Whether to bring the interface up at boot.

    Settings: `proto` (`none`, `dhcp`, `bootp`), `ipaddr` (or `ipaddrs`), `netmask`, `gateway`, `dns`,
    `domain`, `mtu`, `hwaddr`, `enable_ipv6` with `ipv6addr`, `ipv6gateway`, …, the switches of ethtool,
    `mode` and `miimon` of a bond, `bypassfirewall` of a bridge, `master` of a slave or teamport (required),
    `zone`, `nickname`.

    Example::

        salt-g ip.build_interface eth0 eth True proto=dhcp test=True
    """
    kind = iface_type.lower()
    if kind not in KINDS:
        raise invalid(iface, kind, KINDS)
    for names, kinds in ((("master",), "slave"), (("master", "team_master"), "teamport")):
        if kind == kinds and not any(name in settings for name in names):
            raise AttributeError(f"{' or '.join(names)} is a required setting for {kind} interfaces")
    found = lines(iface, kind, bool(enabled), settings, _machine(iface))
    bypass = settings.get("bypassfirewall", True)
    if kind == "bridge" and bypass not in (*TRUE, *FALSE):
        raise invalid(iface, bypass, (*TRUE, *FALSE))
    if not settings.get("test"):
        _prepare(kind, is_bypassed=bypass in TRUE)
        write(_files.path_of("ifcfg", iface), _files.text(found))
    return found


def up(iface: str, iface_type: str) -> str | None:
    """Bring an interface up; return the output of `ifup`, None for a `slave` or `teamport` (left alone).

    Example::

        salt-g ip.up eth0 eth
    """
    return _switched("ifup", iface, iface_type)


def down(iface: str, iface_type: str) -> str | None:
    """Bring an interface down; return the output of `ifdown`, None for a `slave` or `teamport` (left alone).

    Example::

        salt-g ip.down eth0 eth
    """
    return _switched("ifdown", iface, iface_type)


def _switched(program: str, iface: str, iface_type: str) -> str | None:
    if iface_type.lower() in _PASSIVE:
        return None
    return run([program, iface], redirect_stderr=True)["stdout"]


def _machine(iface: str) -> dict[str, Any]:
    present = call("network.interfaces").get(iface, {})
    return {"hwaddr": present.get("hwaddr"), "processors": int(grains.get("num_cpus") or 1)}


def _prepare(kind: str, *, is_bypassed: bool) -> None:
    """Install the package for this kind of interface; for a bridge, set the firewall's sysctls."""
    if kind in _PACKAGES and not call("pkg.version", _PACKAGES[kind]):
        call("pkg.install", _PACKAGES[kind])
    if kind == "bridge":
        for table in _FIREWALL:
            call("sysctl.persist", f"net.bridge.bridge-nf-call-{table}", 0 if is_bypassed else 1)
