"""Network interfaces on systems with netplan (`ip.*`).

Each interface has its own file; its routes are in a second file, which netplan merges with the first.
Errors: CommandExecutionError, AttributeError.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from typing import Any

from salt_g import safe_files
from salt_g.api import grains
from salt_g.errors import CommandExecutionError, YamlError
from salt_g.formats import yaml_dump, yaml_load
from salt_g.modules._netplan import is_active
from salt_g.modules._network_settings import (
    destination_of,
    file_name,
    given,
    interface_with_prefix,
    is_on,
    members,
    no_routes,
    refuse_unsupported,
    text_of,
    vlan_of,
    words,
    write,
)
from salt_g.modules._programs import run

__virtualname__ = "ip"

log = logging.getLogger(__name__)

#: Directory of netplan's files.
NETPLAN = "/etc/netplan"
#: Beginning of the names of files that are written here.
_OWN = "90-salt-"
#: netplan warns about files that others can read.
_MODE = 0o600
_SECTIONS = {"bond": "bonds", "bridge": "bridges", "eth": "ethernets", "slave": "ethernets", "vlan": "vlans"}
_UNSUPPORTED = (
    *("ethtool", "up_cmds", "down_cmds", "pre_up_cmds", "pre_down_cmds", "post_up_cmds"),
    "post_down_cmds",
)
#: Settings that name the members of an interface.
_MEMBERS = {"bonds": ("slaves", "interfaces"), "bridges": ("ports", "bridge_ports", "interfaces")}
_PARAMETERS = {
    "bonds": {
        "mode": "mode",
        "miimon": "mii-monitor-interval",
        "updelay": "up-delay",
        "downdelay": "down-delay",
        "lacp_rate": "lacp-rate",
        "xmit_hash_policy": "transmit-hash-policy",
        "primary": "primary",
        "arp_interval": "arp-interval",
    },
    "bridges": {
        "fd": "forward-delay",
        "forward_delay": "forward-delay",
        "hello": "hello-time",
        "maxage": "max-age",
        "ageing": "ageing-time",
        "priority": "priority",
    },
}


def __virtual__() -> str | tuple[bool, str]:
    if grains.get("os_family") == "Debian" and is_active():
        return __virtualname__
    return False, "The netplan_ip module could not be loaded: netplan is not in use"


def netplan_active() -> bool:
    """Return whether this system uses netplan: the program and /etc/netplan are there.

    Example::

        salt-g ip.netplan_active
    """
    return is_active()


def get_interface(iface: str) -> list[str]:
    """Return the lines of an interface's file, or [] if there is none.

    Example::

        salt-g ip.get_interface eth0
    """
    return text_of(_path_of(iface)).splitlines(keepends=True)


def build_interface(iface: str, iface_type: str, enabled: bool, **settings: Any) -> list[str]:
    """Write the file of an interface and return its lines; `test=True` only returns them.

    iface_type
        `eth`, `bond`, `bridge`, `slave` or `vlan`.
    enabled
        Not used: netplan brings up all interfaces.

    Settings: `proto` (`dhcp`, `static`), `ipv6proto`, `ipaddr` (or `ipaddrs`), `netmask`, `ipv6ipaddr` with
    `ipv6netmask` (or `ipv6addrs`), `gateway`, `ipv6gateway`, `dns`, `mtu`; for a bond `slaves`, `mode`,
    `miimon`, `updelay`, `downdelay`, `lacp_rate`, `xmit_hash_policy`, `primary`, `arp_interval`; for a bridge
    `ports`, `stp`, `fd`, `hello`, `maxage`, `ageing`, `priority`; for a VLAN `vlan_id` and `parent`.

    Example::

        salt-g ip.build_interface eth0 eth True ipaddr=10.0.0.5 netmask=24 gateway=10.0.0.1 test=True
    """
    kind, settings = iface_type.lower(), given(settings)
    if kind not in _SECTIONS:
        raise CommandExecutionError(
            f"netplan_ip supports interface types {', '.join(sorted(_SECTIONS))}; got '{iface_type}'"
        )
    refuse_unsupported(
        (name for name in _UNSUPPORTED if settings.get(name)), "netplan does not support", "netplan systems"
    )
    text = _document(_definitions(iface, _SECTIONS[kind], settings))
    if not settings.get("test"):
        write(_path_of(iface), text, _MODE)
    return text.splitlines(keepends=True)


def get_routes(iface: str) -> list[str]:
    """Return the routes written by `ip.build_routes` as lines of YAML, or [] if there are none.

    Example::

        salt-g ip.get_routes eth0
    """
    section, definition = _definition(_path_of(f"{iface}-routes"), iface)
    return _routes_text(definition["routes"]) if section and definition.get("routes") else []


def build_routes(iface: str, **settings: Any) -> list[str]:
    """Write the list `routes` to a separate file and return it as lines; `test=True` only returns them.

    A route is {"ipaddr", "netmask", "gateway"}. The default routes of `ip.build_interface` remain.

    Example::

        salt-g ip.build_routes eth0 routes='[{ipaddr: 10.2.0.0, netmask: 16, gateway: 10.1.0.1}]' test=True
    """
    routes = settings.get("routes") or []
    if not isinstance(routes, (list, tuple)) or not all(isinstance(route, Mapping) for route in routes):
        raise no_routes(iface)
    wanted = [_route(route) for route in routes]
    path = _path_of(f"{iface}-routes")
    if not settings.get("test"):
        section = _definition(_path_of(iface), iface)[0] or "ethernets"
        if wanted:
            write(path, _document({section: {iface: {"routes": wanted}}}), _MODE)
        elif os.path.exists(path):
            safe_files.remove_file(path)
    return _routes_text(wanted) if wanted else []


def up(iface: str, iface_type: str | None = None) -> bool:
    """Apply netplan's configuration, which brings up all interfaces.

    Example::

        salt-g ip.up eth0
    """
    return apply_network_settings()


def down(iface: str, iface_type: str | None = None) -> str:
    """Bring an interface down; return the output.

    Example::

        salt-g ip.down eth0
    """
    return run(["ip", "link", "set", "dev", iface, "down"], redirect_stderr=True)["stdout"]


def get_network_settings() -> list[str]:
    """Return [], because netplan has no settings of the whole machine.

    Example::

        salt-g ip.get_network_settings
    """
    return []


def build_network_settings(**settings: Any) -> list[str]:
    """Return [] and write nothing, because netplan has no settings of the whole machine.

    Example::

        salt-g ip.build_network_settings
    """
    return []


def apply_network_settings(**settings: Any) -> bool:
    """Check netplan's files, then apply them; raise CommandExecutionError if either fails.

    Example::

        salt-g ip.apply_network_settings
    """
    for step in ("generate", "apply"):
        finished = run(["netplan", step])
        if finished["retcode"] != 0:
            raise CommandExecutionError(f"netplan {step} failed: {finished['stderr'] or finished['stdout']}")
    return True


def _path_of(name: str) -> str:
    return os.path.join(NETPLAN, f"{_OWN}{file_name(name)}.yaml")


def _document(definitions: Mapping[str, Any]) -> str:
    network = {"version": 2, "renderer": _renderer(), **definitions}
    return yaml_dump.dump({"network": network}, default_flow_style=False, sort_keys=True)


def _renderer() -> str:
    """Return the renderer that the machine uses; that of our file would replace it.

    The last file counts, as in netplan. Our own files come after the others, and count if no other names one.
    """
    names = os.listdir(NETPLAN) if os.path.isdir(NETPLAN) else []
    written = [name for name in names if name.endswith((".yaml", ".yml"))]
    for name in sorted(written, key=lambda name: (not name.startswith(_OWN), name), reverse=True):
        try:
            document = yaml_load.load(text_of(os.path.join(NETPLAN, name)))
        except (OSError, UnicodeDecodeError, YamlError):
            # `netplan generate` reports a malformed file.
            continue
        network = document.get("network") if isinstance(document, Mapping) else None
        if isinstance(network, Mapping) and network.get("renderer"):
            return str(network["renderer"])
    return "networkd"


def _single_ipv6(address: Any, netmask: Any) -> list[str]:
    """Return the address with its prefix; none if there is no prefix, as in stock."""
    if not address:
        return []
    if not netmask and "/" not in str(address):
        log.warning("%s is not configured: ipv6netmask is missing", address)
        return []
    return [interface_with_prefix(address, netmask)]


def _routes_text(routes: list[Any]) -> list[str]:
    return yaml_dump.dump({"routes": routes}, default_flow_style=False, sort_keys=True).splitlines(
        keepends=True
    )


def _definitions(iface: str, section: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return an interface's definition, and empty definitions of the Ethernet interfaces that it names."""
    body = _common(settings)
    named: list[Any] = []
    if section == "vlans":
        number, parent = vlan_of(iface, settings)
        parts = {"id": number, "link": parent}
        body |= {key: value for key, value in parts.items() if value not in (None, "")}
        named = [parent] if parent else []
    elif section in _MEMBERS:
        named = members(settings, _MEMBERS[section])
        body |= {"interfaces": named} if named else {}
        parameters = _parameters(section, settings)
        body |= {"parameters": parameters} if parameters else {}
    found: dict[str, Any] = {section: {iface: body}}
    # A bond or bridge that has a file of its own is defined there; netplan refuses a second kind.
    empty = [name for name in named if _definition(_path_of(str(name)), str(name))[0] in ("", "ethernets")]
    return {**found, "ethernets": {name: {} for name in empty}} if empty else found


def _common(settings: Mapping[str, Any]) -> dict[str, Any]:
    body: dict[str, Any] = {"dhcp4": str(settings.get("proto") or "").lower() in ("dhcp", "dhcp4")}
    if str(settings.get("ipv6proto") or "").lower() in ("dhcp", "dhcp6"):
        body["dhcp6"] = True
    mask = settings.get("netmask")
    addresses = [settings["ipaddr"]] if settings.get("ipaddr") else []
    addresses += words(settings.get("ipaddrs") or settings.get("addresses"))
    known = [interface_with_prefix(address, mask) for address in addresses]
    known += _single_ipv6(settings.get("ipv6ipaddr"), settings.get("ipv6netmask"))
    known += words(settings.get("ipv6addrs"))
    gateways = [settings[name] for name in ("gateway", "ipv6gateway") if settings.get(name)]
    servers = words(settings.get("dns") or settings.get("nameservers"))
    more = {
        "addresses": known,
        "routes": [{"to": "default", "via": str(gateway)} for gateway in gateways],
        "nameservers": {"addresses": servers} if servers else {},
        "mtu": _mtu(settings["mtu"]) if settings.get("mtu") else None,
    }
    return {**body, **{key: value for key, value in more.items() if value}}


def _mtu(value: Any) -> int:
    try:
        return int(value)
    except (TypeError, ValueError) as exc:
        raise CommandExecutionError(f"Invalid mtu {value!r}; expected an integer") from exc


def _parameters(section: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    names = _PARAMETERS[section].items()
    found = {key: settings[name] for name, key in names if settings.get(name) is not None}
    if section == "bridges" and "stp" in settings:
        found["stp"] = is_on(settings["stp"])
    return found


def _definition(path: str, iface: str) -> tuple[str, dict[str, Any]]:
    """Return the netplan section and the definition of an interface in one of our files, or '' and {}."""
    network = (yaml_load.load(text_of(path)) or {}).get("network", {}) if os.path.exists(path) else {}
    for section in _SECTIONS.values():
        if iface in network.get(section, {}):
            return section, network[section][iface] or {}
    return "", {}


def _route(route: Mapping[str, Any]) -> dict[str, Any]:
    destination = destination_of(route)
    destination = "default" if destination in ("0.0.0.0/0", "::/0") else destination
    return {"to": destination, **({"via": str(route["gateway"])} if route.get("gateway") else {})}
