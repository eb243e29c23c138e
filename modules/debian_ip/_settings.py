"""Interfaces built from the settings of states.

States use Salt's names (`ipaddr`, `dns`, `ipv6gateway`), the files those of interfaces(5). Errors:
AttributeError, which the states put into their comment, as stock's do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from salt_g.modules._network_settings import EMPTY, TRUE, invalid
from salt_g.modules.debian_ip._stanzas import FAMILIES, Family, Interface

TYPES = (*("eth", "bond", "alias", "clone", "ipsec", "dialup", "bridge", "slave", "vlan", "pppoe", "source"),)
_METHODS = {
    "inet": ("bootp", "dhcp", "static", "manual", "loopback", "ppp"),
    "inet6": ("auto", "loopback", "static", "manual", "dhcp", "v4tunnel", "6to4"),
}
#: Salt's names for options of the file.
_WORDS = {
    "dns": "dns-nameservers",
    "search": "dns-search",
    "hwaddr": "hwaddress",
    "ipaddr": "address",
    "ipaddrs": "address",
    "addr": "address",
    "addrs": "address",
    "addresses": "address",
    "ipaddresses": "address",
}
#: Options that belong to IPv4 unless their name has a prefix.
_IPV4 = ("address", "netmask", "broadcast", "gateway", "metric", "pointopoint", "hostname", "network")
_IPV6 = ("autoconf", "privext", "accept_ra", "media", "dad-attempts", "dad-interval", "preferred-lifetime")
_BOTH = (
    *("hwaddress", "mtu", "scope", "endpoint", "local", "ttl", "dns-nameservers", "dns-search"),
    *("vlan-raw-device", "client", "vendor", "leasehours", "leasetime", "bootfile", "server", "dstaddr"),
    *("provider", "unit", "options", "wireless-essid", "wireless-mode", "wpa-ap-scan", "wpa-conf"),
    *("wpa-driver", "wpa-group", "wpa-key-mgmt", "wpa-pairwise", "wpa-psk", "wpa-proto", "wpa-roam"),
    "wpa-ssid",
)
_COMMANDS = ("up", "down", "pre-up", "post-up", "pre-down", "post-down")
#: Options with all values on one line.
_JOINED = ("dns-nameservers", "dns-search")
#: Switches of ethtool(8) and their names in the file.
_ETHTOOL = {
    "speed": "link-speed",
    "duplex": "link-duplex",
    "autoneg": "ethernet-autoneg",
    **{name: f"offload-{name}" for name in ("rx", "tx", "sg", "tso", "ufo", "gso", "gro", "lro")},
}
_BRIDGE = (
    *("ports", "ageing", "fd", "gcint", "hello", "maxage", "bridgeprio", "maxwait", "hw", "pathcost"),
    *("portprio", "stp", "waitport"),
)
_BOND_MODES = (
    "balance-rr",
    "active-backup",
    "balance-xor",
    "broadcast",
    "802.3ad",
    "balance-tlb",
    "balance-alb",
)
_LINK_WATCH = {"miimon": "100", "downdelay": "200", "updelay": "0", "use_carrier": "1"}


def interface_of(iface: str, kind: str, enabled: bool, settings: Mapping[str, Any]) -> Interface:
    """Return the interface definition for the settings; empty ones count as not set."""
    settings = {name: value for name, value in settings.items() if value not in EMPTY}
    made = Interface(is_auto=bool(enabled), is_hotplug=bool(settings.get("hotplug")))
    shared = _of_kind(iface, kind, settings)
    for family in FAMILIES:
        method = _method(iface, kind, family, settings)
        if method is not None:
            options = {**_of_family(family, settings), **shared}
            values = {name: _values(name, value) for name, value in options.items() if value is not None}
            made.families[family] = Family(method, values)
    return made


def _method(iface: str, kind: str, family: str, settings: Mapping[str, Any]) -> str | None:
    version = {"inet": "ipv4", "inet6": "ipv6"}[family]
    if settings.get(f"enable_{version}") is False:
        return None
    plain = "manual" if kind == "slave" else settings.get("proto")
    method: str | None = settings.get(f"{version}proto", plain if family == "inet" else None)
    if method is not None and method not in _METHODS[family]:
        raise invalid(iface, "proto", _METHODS[family])
    return method


def _of_family(family: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of one family; a name with the version prefix wins over a plain one."""
    version = {"inet": "ipv4", "inet6": "ipv6"}[family]
    plain, own = {}, {}
    for key, value in settings.items():
        mine = key.startswith(version)
        name = key[4:] if key.startswith(("ipv4", "ipv6")) else key
        name = _WORDS.get(name, name.replace("_", "-") if name != "accept_ra" else name)
        if name.endswith("-cmds"):
            name = name.removesuffix("-cmds")
        if mine and name in (*_IPV4, *_IPV6, *_BOTH, *_COMMANDS):
            own[name] = value
        elif key == name or not key.startswith(("ipv4", "ipv6")):
            special = _IPV4 if family == "inet" else _IPV6
            if name in (*_BOTH, *_COMMANDS, *special):
                plain[name] = value
    return {**plain, **own}


def _of_kind(iface: str, kind: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    if kind == "bridge":
        return {f"bridge_{name}": _switch(settings[name]) for name in _BRIDGE if name in settings}
    ethtool = {_ETHTOOL[name]: _switch(settings[name]) for name in _ETHTOOL if name in settings}
    if kind == "bond":
        return {**ethtool, **_bond(iface, settings)}
    if kind == "slave":
        return {**ethtool, "bond-master": settings.get("master")}
    if kind == "vlan":
        return {**ethtool, "vlan-raw-device": re.sub(r"\.\d*", "", iface)}
    return ethtool


def _bond(iface: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    options = bond_options(iface, settings)
    named = {"mode": options.pop("mode"), "slaves": settings.get("slaves"), **options}
    return {f"bond-{name}": value for name, value in named.items()}


def bond_options(iface: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a bond; link monitoring depends on its mode."""
    mode = str(settings.get("mode"))
    number = mode if mode.isdigit() else str(_BOND_MODES.index(mode)) if mode in _BOND_MODES else ""
    if number not in map(str, range(len(_BOND_MODES))):
        raise invalid(iface, "mode", [*range(len(_BOND_MODES)), *_BOND_MODES])
    options: dict[str, Any] = {"mode": number}
    if number in ["0", "2", "3"]:
        targets = settings.get("arp_ip_target")
        if not isinstance(targets, list) or not 1 <= len(targets) <= 16:
            raise invalid(iface, "arp_ip_target", ["list of ips (up to 16)"])
        options |= {"arp_ip_target": ",".join(targets), "arp_interval": settings.get("arp_interval", "250")}
    else:
        options |= {name: settings.get(name, default) for name, default in _LINK_WATCH.items()}
        options["use_carrier"] = {"on": "1", "off": "0"}.get(_switch(options["use_carrier"]), "1")
    if number == "4":
        rate = {"fast": "1", "slow": "0"}
        options["lacp_rate"] = rate.get(settings.get("lacp_rate", "0"), settings.get("lacp_rate", "0"))
        options["ad_select"] = settings.get("ad_select", "0")
    if number in ["2", "4"] and "hashing-algorithm" in settings:
        options["xmit_hash_policy"] = settings["hashing-algorithm"]
    if number in ["1", "5", "6"] and "primary" in settings:
        options["primary"] = settings["primary"]
    return options


def _switch(value: Any) -> Any:
    """Return `on` or `off` for a boolean; `1` and `0` are kept, since they can be numbers."""
    if isinstance(value, bool) or value in ("yes", "true", "no", "false"):
        return "on" if value in TRUE else "off"
    return value


def _values(name: str, value: Any) -> list[str]:
    items = value if isinstance(value, (list, tuple)) else [value]
    items = [str(item) for item in items if item not in EMPTY]
    is_one_line = name in _JOINED or name.startswith(("bond-", "bridge_"))
    return [" ".join(items)] if is_one_line and items else items
