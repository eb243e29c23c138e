"""Conversion of the settings of states to NetworkManager's keyfiles, and the format of keyfiles.

Shapes: a keyfile is {section: {key: value}}. Errors: CommandExecutionError.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

import salt_g.modules.nm_ip._devices as _devices
from salt_g.errors import CommandExecutionError
from salt_g.modules._network_settings import interface_with_prefix, words
from salt_g.modules.nm_ip._devices import Section

Keyfile = dict[str, Section]

#: {kind of interface: NetworkManager's type}
TYPES = {"bond": "bond", "bridge": "bridge", "eth": "ethernet", "slave": "ethernet", "vlan": "vlan"}
#: Settings without a counterpart in a keyfile.
UNSUPPORTED = (
    *("advertise", "channels", "ethtool", "gro", "gso", "lro", "rx", "sg", "tso", "tx", "ufo"),
    *("up_cmds", "down_cmds", "pre_up_cmds", "pre_down_cmds", "post_up_cmds", "post_down_cmds"),
)
#: Namespace of the connections' ids: stock's, so that a keyfile of stock's is the same connection.
_NAMESPACE = uuid.UUID("6f7a2c1e-3b4d-5e6f-8a9b-0c1d2e3f4a5b")
_DHCP = ("dhcp", "dhcp4", "bootp")
_DHCP_6 = ("dhcp", "dhcp6")
_OFF = ("none", "disabled")


def keyfile(iface: str, kind: str, enabled: bool, settings: Mapping[str, Any]) -> Keyfile:
    """Return the keyfile of an interface; a member of a bond or bridge has no addresses of its own."""
    connection = _connection(iface, TYPES[kind], enabled)
    if kind == "slave" and settings.get("master"):
        kind_of_master = str(settings.get("slave_type", "bond"))
        return {"connection": {**connection, "master": str(settings["master"]), "slave-type": kind_of_master}}
    return {
        "connection": connection,
        **{
            name: each for name, each in _devices.sections(iface, kind, settings, UNSUPPORTED).items() if each
        },
        "ipv4": _ipv4(settings),
        "ipv6": _ipv6(settings),
    }


def member(iface: str, enabled: bool, master: str, kind_of_master: str) -> Keyfile:
    """Return the keyfile of a member of a bond or bridge."""
    return keyfile(iface, "slave", enabled, {"master": master, "slave_type": kind_of_master})


def lines(keyfile: Mapping[str, Section]) -> list[str]:
    """Return the lines of a keyfile with their ends; each section ends with an empty line."""
    return [
        line
        for name, section in keyfile.items()
        for line in (f"[{name}]\n", *(f"{key}={value}\n" for key, value in section.items()), "\n")
    ]


def read(text: str) -> Keyfile:
    """Return the sections of a keyfile's text; comments are dropped."""
    found: Keyfile = {}
    section: Section = {}
    for line in text.splitlines():
        key, sign, value = line.partition("=")
        if line.startswith("[") and line.endswith("]"):
            section = found.setdefault(line[1:-1], {})
        elif sign and not line.startswith("#"):
            section[key] = value
    return found


def _connection(iface: str, kind: str, enabled: bool) -> Section:
    return {
        "id": iface,
        "uuid": str(uuid.uuid5(_NAMESPACE, f"salt-{iface}")),
        "type": kind,
        "interface-name": iface,
        "autoconnect": "true" if enabled else "false",
    }


def _ipv4(settings: Mapping[str, Any]) -> Section:
    addresses = [settings["ipaddr"]] if settings.get("ipaddr") else []
    addresses += words(settings.get("ipaddrs") or settings.get("addresses"))
    known = [_with_prefix(address, settings.get("netmask")) for address in addresses]
    protocol = str(settings.get("proto") or "").lower()
    if protocol in _DHCP or not known:
        found = {"method": "disabled" if protocol in _OFF else "auto"}
    else:
        found = _manual(known, settings.get("gateway"))
    return _with_names(found, settings, is_ipv6=False)


def _ipv6(settings: Mapping[str, Any]) -> Section:
    addresses = []
    if settings.get("ipv6ipaddr"):
        addresses.append(_with_prefix(settings["ipv6ipaddr"], settings.get("ipv6netmask")))
    addresses += words(settings.get("ipv6addrs"))
    protocol = str(settings.get("ipv6proto") or "").lower()
    if protocol in (*_DHCP_6, *_OFF):
        found = {"method": "dhcp" if protocol in _DHCP_6 else "disabled"}
    elif addresses:
        found = _manual(addresses, settings.get("ipv6gateway"))
    else:
        found = {"method": "auto"}
    return _with_names(found, settings, is_ipv6=True)


def _manual(addresses: list[str], gateway: Any) -> Section:
    found = {f"address{number}": address for number, address in enumerate(addresses, 1)}
    if gateway:
        found["address1"] += f",{gateway}"
    return {"method": "manual", **found}


def _with_names(section: Section, settings: Mapping[str, Any], *, is_ipv6: bool) -> Section:
    """Return a family's section with its name servers and, if the family is in use, the search domains."""
    servers = words(settings.get("dns") or settings.get("nameservers"))
    domains = words(settings.get("dns_search") or settings.get("domain"))
    found = {
        "dns": [server for server in servers if (":" in server) == is_ipv6],
        "dns-search": domains if section["method"] != "disabled" else [],
    }
    return {
        **section,
        **{key: "".join(f"{name};" for name in names) for key, names in found.items() if names},
    }


def _with_prefix(address: Any, netmask: Any) -> str:
    if netmask is None and "/" not in str(address):
        raise CommandExecutionError(f"No netmask supplied for address {address}")
    return interface_with_prefix(address, netmask)
