"""Sections of a keyfile about one kind of interface: Ethernet, bond, bridge, VLAN.

Shapes: a section is {key: value as in the file}. Errors: CommandExecutionError.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.modules._network_settings import is_on, vlan_of

Section = dict[str, str]

#: Bits of `wake-on-lan`.
_WAKE = {"default": 1, "phy": 2, "unicast": 4, "multicast": 8, "broadcast": 16, "arp": 32, "magic": 64}
_WAKE["ignore"] = 32768
_BRIDGE = {
    "fd": "forward-delay",
    "forward_delay": "forward-delay",
    "ageing": "ageing-time",
    "maxage": "max-age",
    "hello": "hello-time",
    "priority": "priority",
}
#: Bits of a VLAN's `flags`; the first is set unless switched off.
_FLAGS = {"reorder_hdr": 1, "gvrp": 2, "loose_binding": 4}
#: Settings of a bond that are no options of the bonding driver; all others are.
_NO_OPTIONS = frozenset(
    (
        *("addr", "addresses", "ageing", "arpcheck", "autoneg", "bridge_ports", "broadcast", "defroute"),
        *("dhcpv6c", "dns", "dns_search", "domain", "duplex", "enable_ipv6", "fd", "forward_delay"),
        *("gateway", "gvrp", "hello", "hwaddr", "id", "interfaces", "ipaddr", "ipaddrs"),
        *("ipv4_failure_fatal", "ipv6_autoconf", "ipv6_defroute", "ipv6_peerdns", "ipv6_peerroutes"),
        *("ipv6addr", "ipv6addrs", "ipv6gateway", "ipv6ipaddr", "ipv6netmask", "ipv6proto", "link"),
        *("loose_binding", "macaddr", "master", "maxage", "metric", "mtu", "name", "nameservers"),
        *("netmask", "nickname", "nm_controlled", "noifupdown", "onboot", "parent", "peerdns"),
        *("peerroutes", "pointopoint", "ports", "prefix", "priority", "proto", "reorder_hdr", "routes"),
        *("scope", "search", "slave_type", "slaves", "speed", "srcaddr", "stp", "test", "type", "userctl"),
        *("uuid", "vlan-raw-device", "vlan_id", "vlan_raw_device", "wol", "zone"),
    )
)


def sections(
    iface: str, kind: str, settings: Mapping[str, Any], unsupported: tuple[str, ...]
) -> dict[str, Section]:
    """Return the sections of a kind of interface; `unsupported` are settings that the caller refuses."""
    if settings.get("hwaddr") and settings.get("macaddr"):
        raise CommandExecutionError(f"interface '{iface}': use either hwaddr or macaddr, not both")
    ethernet = _mtu(settings)
    if kind == "bond":
        return {"bond": _bond(iface, settings, unsupported), "ethernet": ethernet}
    if kind == "bridge":
        return {"bridge": _bridge(settings), "ethernet": ethernet}
    if kind == "vlan":
        return {"vlan": _vlan(iface, settings), "ethernet": {**ethernet, **_hardware(settings)}}
    if kind == "slave":
        return {"ethernet": ethernet}
    return {"ethernet": _ethernet(settings, ethernet)}


def _hardware(settings: Mapping[str, Any]) -> Section:
    address = settings.get("hwaddr")
    return {"mac-address": str(address)} if address and str(address) not in ("auto", "none") else {}


def _mtu(settings: Mapping[str, Any]) -> Section:
    return {"mtu": str(_integer("mtu", settings["mtu"]))} if settings.get("mtu") else {}


def _ethernet(settings: Mapping[str, Any], mtu: Section) -> Section:
    found = {**mtu, **_hardware(settings)}
    if settings.get("macaddr"):
        found["cloned-mac-address"] = str(settings["macaddr"])
    if settings.get("autoneg") is not None:
        found["auto-negotiate"] = _switch(settings["autoneg"])
    found |= _speed(settings)
    if settings.get("wol", "") != "":
        found["wake-on-lan"] = str(_wake(settings["wol"]))
    return found


def _speed(settings: Mapping[str, Any]) -> Section:
    speed, duplex = settings.get("speed"), settings.get("duplex")
    if speed is None and duplex is None:
        return {}
    if speed is None or duplex is None:
        raise CommandExecutionError("ethtool 'speed' and 'duplex' must be set together")
    if str(duplex).lower() not in ("half", "full"):
        raise CommandExecutionError(f"Invalid duplex '{duplex}'; expected 'half' or 'full'")
    return {"speed": str(_integer("speed", speed)), "duplex": str(duplex).lower()}


def _wake(value: Any) -> int:
    if isinstance(value, bool):
        return _WAKE["magic" if value else "ignore"]
    if str(value).isdigit():
        return int(value)
    names = re.split(r"[,\s]+", str(value).lower())
    if not all(name in _WAKE for name in names):
        expected = f"expected an integer flag mask or one or more of: {', '.join(sorted(_WAKE))}"
        raise CommandExecutionError(f"Invalid wol value '{value}'; {expected}")
    mask = 0
    for name in names:
        mask |= _WAKE[name]
    return mask


def _bond(iface: str, settings: Mapping[str, Any], unsupported: tuple[str, ...]) -> Section:
    if "mode" not in settings:
        raise CommandExecutionError(
            f"Missing required option 'mode' for bond interface '{iface}' "
            "(e.g. active-backup, 802.3ad, balance-rr). The kernel would otherwise silently fall back to "
            "balance-rr, which is rarely intended; set it explicitly."
        )
    found = {}
    for name in sorted(set(settings) - _NO_OPTIONS - set(unsupported)):
        if not re.fullmatch(r"\w+", name, re.ASCII):
            raise CommandExecutionError(
                f"Invalid bond option name '{name}'; NetworkManager bond option names must match [a-zA-Z0-9_]"
            )
        value = settings[name]
        if value is not None:
            found[name] = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
    return found


def _bridge(settings: Mapping[str, Any]) -> Section:
    found = {"stp": _switch(settings["stp"])} if "stp" in settings else {}
    found |= {key: str(settings[name]) for name, key in _BRIDGE.items() if settings.get(name) is not None}
    return {**found, **_hardware(settings)}


def _vlan(iface: str, settings: Mapping[str, Any]) -> Section:
    number, parent = vlan_of(iface, settings)
    if number is None or not parent:
        raise CommandExecutionError(
            f"vlan interface '{iface}' needs both a vlan id and a parent "
            "(set vlan_id/id and parent, or name it like eth0.100)"
        )
    flags = sum(bit for name, bit in _FLAGS.items() if is_on(settings.get(name, bit == 1)))
    found = {"id": str(_integer("vlan_id", number)), "parent": str(parent)}
    return found if flags == 1 else {**found, "flags": str(flags)}


def _switch(value: Any) -> str:
    return "true" if is_on(value) else "false"


def _integer(name: str, value: Any) -> int:
    try:
        return int(value)
    except (TypeError, ValueError) as exc:
        raise CommandExecutionError(f"Invalid {name} {value!r}; expected an integer") from exc
