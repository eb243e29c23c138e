"""Lines of an ifcfg file from the settings of states.

States use Salt's names (`ipaddr`, `nickname`), the files use the names of the Red Hat family's initscripts.
Releases 7 to 9 share one format. Errors: AttributeError.
"""

from __future__ import annotations

import ipaddress
import json
import re
from collections.abc import Mapping
from typing import Any

import salt_g.modules.rh_ip._bonds as _bonds
import salt_g.modules.rh_ip._ethtool as _ethtool
from salt_g.modules._network_settings import FALSE, TRUE, invalid, words

#: Kinds of interfaces.
KINDS = (
    *("eth", "bond", "team", "alias", "clone", "ipsec", "dialup", "bridge", "slave", "teamport"),
    *("vlan", "ipip", "ib"),
)
#: Known kinds for which no file can be written.
_UNWRITTEN = ("clone", "ipsec", "dialup")
_TYPES = {"eth": "Ethernet", "bond": "Bond", "bridge": "Bridge", "ipip": "IPIP", "ib": "InfiniBand"}
_DEVICE_TYPES = {"team": "Team", "teamport": "TeamPort"}
#: Kinds whose hardware address is not checked.
_ANY_HARDWARE = ("bond", "bridge", "team", "vlan", "ipip")
#: Kinds for which no hardware address is looked up.
_WITHOUT_HARDWARE = (*_ANY_HARDWARE, "slave")
_PROTOCOLS = ("none", "bootp", "dhcp")
_HARDWARE = re.compile(r"[0-9A-F]{1,2}(?:[:-][0-9A-F]{1,2}){5}", re.IGNORECASE)
_VLAN_SETTINGS = ("reorder_hdr", "vlan_id", "phys_dev")

Lines = list[str]


def lines(
    iface: str, kind: str, enabled: bool, settings: Mapping[str, Any], machine: Mapping[str, Any]
) -> Lines:
    """Return the lines of an interface's file.

    `machine` has the interface's present `hwaddr` and the number of `processors`.
    """
    if kind in _UNWRITTEN:
        raise AttributeError(f"Interfaces of the type {kind} have no file: use {iface} with type eth")
    # Checked first, as in stock: of several mistakes the same one is reported.
    protocol = _protocol(iface, kind, settings)
    nested = _nested(iface, kind, settings, machine)
    if "prefix" in settings and "netmask" in settings:
        raise AttributeError("Cannot use prefix and netmask together")
    return [
        f'DEVICE="{iface}"',
        *_given(settings, NAME="nickname"),
        *_hardware(iface, kind, settings, machine),
        *_given(settings, UUID="uuid"),
        *_switch(iface, settings, "userctl", default="no"),
        *_membership(iface, kind, settings),
        *_vlan(iface, kind, settings),
        *_type(kind, settings),
        *protocol,
        f'ONBOOT="{"yes" if enabled else "no"}"',
        *(line.replace('"', "") for line in _switch(iface, settings, "onparent")),
        *_addresses(iface, settings),
        *_addresses_6(iface, settings),
        *_rest(iface, kind, settings, nested),
    ]


def _rest(iface: str, kind: str, settings: Mapping[str, Any], nested: Lines) -> Lines:
    delay = settings.get("delay")
    return [
        *_given(settings, SRCADDR="srcaddr"),
        *_switch(iface, settings, "peerdns", default="" if settings.get("dns") is None else "yes"),
        *_switch(iface, settings, "peerroutes"),
        *_switch(iface, settings, "defroute"),
        *(_given(settings, BRIDGE="bridge") if kind != "bridge" else ()),
        *_switch(iface, settings, "stp"),
        *([] if delay is None or delay in ("", []) else [f'DELAY="{delay}"']),
        *_mtu(iface, settings),
        *_given(settings, ZONE="zone"),
        *_tunnel(iface, kind, settings),
        *nested,
        *([f'DOMAIN="{" ".join(words(settings["domain"]))}"'] if settings.get("domain") else ()),
        *_switch(iface, settings, "nm_controlled", default="no"),
        *(f'DNS{number}="{server}"' for number, server in enumerate(words(settings.get("dns")), 1)),
    ]


def _given(settings: Mapping[str, Any], **names: str) -> Lines:
    """Return a line for each setting that is not empty; `names` maps names in the file to settings."""
    return [f'{word}="{settings[name]}"' for word, name in names.items() if settings.get(name)]


def _switch(iface: str, settings: Mapping[str, Any], name: str, *, default: str = "") -> Lines:
    """Return the line of a switch with the setting or the default; [] if both are missing."""
    value = default
    if name in settings:
        value = _yes_or_no(iface, settings[name])
    return [f'{name.upper()}="{value}"'] if value else []


def _yes_or_no(iface: str, value: Any) -> str:
    if isinstance(value, (list, dict)) or value not in (*TRUE, *FALSE):
        raise invalid(iface, value, (*TRUE, *FALSE))
    return "yes" if value in TRUE else "no"


def _hardware(iface: str, kind: str, settings: Mapping[str, Any], machine: Mapping[str, Any]) -> Lines:
    if "hwaddr" in settings and "macaddr" in settings:
        raise AttributeError("Cannot pass both hwaddr and macaddr. Must use either hwaddr or macaddr")
    address = settings.get("hwaddr")
    if "hwaddr" not in settings and kind not in _WITHOUT_HARDWARE:
        address = machine.get("hwaddr")
    is_checked = "hwaddr" in settings and kind not in _ANY_HARDWARE and address not in ("auto", "none")
    if is_checked and not _HARDWARE.fullmatch(str(address)):
        raise invalid(iface, address, ("AA:BB:CC:DD:EE:FF", "auto", "none"))
    return [*([f'HWADDR="{address}"'] if address else ()), *_given(settings, MACADDR="macaddr")]


def _membership(iface: str, kind: str, settings: Mapping[str, Any]) -> Lines:
    is_slave = ['SLAVE="yes"'] if kind == "slave" else _switch(iface, settings, "slave")
    return [*(_given(settings, MASTER="master") if kind != "teamport" else ()), *is_slave]


def _vlan(iface: str, kind: str, settings: Mapping[str, Any]) -> Lines:
    if kind != "vlan":
        return _switch(iface, settings, "vlan")
    found = ['VLAN="yes"']
    if "reorder_hdr" in settings:
        order = settings["reorder_hdr"]
        if order not in (*TRUE, *FALSE):
            raise invalid(iface, "reorder_hdr", (*TRUE, *FALSE))
        found += [f'REORDER_HDR="{order}"'] if order else []
    if "vlan_id" in settings:
        number = settings["vlan_id"]
        if not isinstance(number, int) or number < 1:
            raise invalid(iface, "vlan_id", ["Positive integer"])
        found.append(f'VID="{number}"')
    if "phys_dev" in settings:
        if not settings["phys_dev"]:
            raise invalid(iface, "phys_dev", ["Non-empty string"])
        found.append(f'PHYSDEV="{settings["phys_dev"]}"')
    return found


def _type(kind: str, settings: Mapping[str, Any]) -> Lines:
    """Return the lines about the interface type, for teams with the configuration as JSON."""
    if kind in _DEVICE_TYPES:
        found = [f'DEVICETYPE="{_DEVICE_TYPES[kind]}"']
        for name in {"team": ("team_config",), "teamport": ("team_port_config",)}[kind]:
            if name in settings:
                found.append(f"{name.upper()}='{json.dumps(settings[name])}'")
        master = settings.get("team_master", settings.get("master"))
        return [*found, *([f'TEAM_MASTER="{master}"'] if kind == "teamport" and master else ())]
    if kind == "vlan":
        return ['TYPE="Vlan"'] if any(name in settings for name in _VLAN_SETTINGS) else []
    return [f'TYPE="{_TYPES[kind]}"'] if kind in _TYPES else []


def _protocol(iface: str, kind: str, settings: Mapping[str, Any]) -> Lines:
    if "proto" in settings and settings["proto"] not in _PROTOCOLS:
        raise invalid(iface, settings["proto"], _PROTOCOLS)
    protocol = "none" if kind == "slave" else settings.get("proto")
    return [f'BOOTPROTO="{protocol}"'] if protocol else []


def _addresses(iface: str, settings: Mapping[str, Any]) -> Lines:
    found = [
        *_switch(iface, settings, "ipv4_failure_fatal"),
        *_given(settings, IPADDR="ipaddr", IPADDR_START="ipaddr_start", IPADDR_END="ipaddr_end"),
        *_given(settings, CLONENUM_START="clonenum_start", NETMASK="netmask", PREFIX="prefix"),
    ]
    for number, address in enumerate(words(settings.get("ipaddrs")), 1):
        host, _, length = _checked(address, 4).partition("/")
        if not length:
            raise AttributeError("ipv4 CIDR is invalid")
        found += [f'IPADDR{number}="{host}"', f'PREFIX{number}="{length}"']
    is_unchecked = settings.get("arpcheck") is not None and settings["arpcheck"] in FALSE
    return [*found, *_given(settings, GATEWAY="gateway"), *(['ARPCHECK="no"'] if is_unchecked else ())]


def _addresses_6(iface: str, settings: Mapping[str, Any]) -> Lines:
    """Return the lines about IPv6, or [] if it is not enabled; the settings are checked in both cases."""
    more = [_checked(address, 6) for address in words(settings.get("ipv6addrs"))]
    found = [
        'IPV6INIT="yes"',
        *_switch(iface, settings, "ipv6_autoconf"),
        *_switch(iface, settings, "dhcpv6c"),
        *_given(settings, IPV6ADDR="ipv6addr", IPV6_DEFAULTGW="ipv6gateway"),
        *([f'IPV6ADDR_SECONDARIES="{" ".join(more)}"'] if more else ()),
        *_switch(iface, settings, "ipv6_peerdns"),
        *_switch(iface, settings, "ipv6_defroute"),
        *_switch(iface, settings, "ipv6_peerroutes"),
    ]
    return found if settings.get("enable_ipv6") else []


def _checked(address: str, version: int) -> str:
    try:
        found = ipaddress.ip_interface(address)
    except ValueError:
        found = None
    length = address.partition("/")[2]
    if found is None or found.version != version or (length and not length.isdigit()):
        raise AttributeError(f"ipv{version} CIDR is invalid")
    return address


def _mtu(iface: str, settings: Mapping[str, Any]) -> Lines:
    if "mtu" not in settings:
        return []
    try:
        size = int(settings["mtu"])
    except (TypeError, ValueError) as exc:
        raise invalid(iface, "mtu", ["integer"]) from exc
    return [f'MTU="{size}"'] if size else []


def _tunnel(iface: str, kind: str, settings: Mapping[str, Any]) -> Lines:
    if kind != "ipip":
        return []
    found = []
    for name in ("my_inner_ipaddr", "my_outer_ipaddr"):
        if not settings.get(name):
            raise invalid(iface, name, ["1.2.3.4"])
        found.append(f"{name.upper()}={settings[name]}")
    return found


def _nested(iface: str, kind: str, settings: Mapping[str, Any], machine: Mapping[str, Any]) -> Lines:
    """Return the lines that hold options of the bonding driver and of ethtool."""
    ethtool = _ethtool.options(iface, settings, machine["processors"]) if kind != "bridge" else ""
    bonding = _bonds.options(iface, settings) if kind == "bond" else ""
    found = {"BONDING_OPTS": bonding, "ETHTOOL_OPTS": ethtool}
    return [f'{name}="{value}"' for name, value in found.items() if value]
