"""Network of a namespace, read with the `ip` of the managing host.

Shapes: those of `network` on a minion.
"""

from __future__ import annotations

import fnmatch
import ipaddress
import json
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.api import connection_functions, minion_functions
from salt_g.errors import CommandExecutionError
from salt_g.shapes import Facts

#: Names of the address families in iproute2.
_FAMILIES = {"inet": "-4", "inet6": "-6"}


def interfaces() -> dict[str, Facts]:
    """Return all interfaces with state, hardware address and addresses.

    Example::

        salt-g edge network.interfaces
    """
    return {about["ifname"]: _interface(about) for about in _ip_json("addr", "show")}


def interface_ip(iface: str) -> str:
    """Return the first IPv4 address of an interface, or '' without one.

    Example::

        salt-g edge network.interface_ip eth0
    """
    found = interfaces().get(iface, {}).get("inet")
    return str(found[0]["address"]) if found else ""


def ip_addrs(
    interface: str | None = None, include_loopback: bool = False, cidr: str | None = None
) -> list[str]:
    """Return the IPv4 addresses; `interface` is a glob, `cidr` a network they must belong to.

    Example::

        salt-g edge network.ip_addrs
    """
    return _addresses("inet", interface, include_loopback, cidr)


def ip_addrs6(
    interface: str | None = None, include_loopback: bool = False, cidr: str | None = None
) -> list[str]:
    """Return the IPv6 addresses; `interface` is a glob, `cidr` a network they must belong to.

    Example::

        salt-g edge network.ip_addrs6
    """
    return _addresses("inet6", interface, include_loopback, cidr)


def default_route(family: str | None = None) -> list[dict[str, str]]:
    """Return the default routes of one family (`inet`, `inet6`), or of both.

    Example::

        salt-g edge network.default_route family=inet
    """
    if family not in (None, *_FAMILIES):
        raise CommandExecutionError(f"Invalid address family {family}")
    return [
        _route(route, name)
        for name in ([family] if family else _FAMILIES)
        for route in _ip_json(_FAMILIES[name], "route", "show", "default")
    ]


def ping(host: str, timeout: float | bool = False, return_boolean: bool = False) -> str | bool:
    """Ping a host four times from the namespace; return the output, or whether the host responds.

    `timeout` is the wait for each answer (s).

    Example::

        salt-g edge network.ping 192.0.2.1 return_boolean=True
    """
    if str(host).startswith("-"):
        raise CommandExecutionError(f"{host!r} is not a valid host name or address")
    waiting = ["-W", str(timeout)] if timeout else []
    done = _run(["ping", *waiting, "-c", "4", str(host)], redirect_stderr=True)
    return bool(done["retcode"] == 0) if return_boolean else str(done["stdout"])


def _ip_json(*words: str) -> list[dict[str, Any]]:
    """Run `ip` in the namespace and return its JSON output."""
    done = _run(["ip", "-j", *words])
    if done["retcode"]:
        raise CommandExecutionError(f"ip {' '.join(words)} failed: {done['stderr']}")
    found: list[dict[str, Any]] = json.loads(done["stdout"] or "[]")
    return [about for about in found if about]


def _run(words: list[str], **options: Any) -> Mapping[str, Any]:
    argv = connection_functions["container_ns.network_words"](words)
    done: Mapping[str, Any] = minion_functions["cmd.run_all"](
        argv, python_shell=False, ignore_retcode=True, output_loglevel="trace", **options
    )
    return done


def _interface(about: Mapping[str, Any]) -> Facts:
    """Return one interface in the shape of `network.interfaces`."""
    found: dict[str, Any] = {"up": "UP" in about.get("flags", ())}
    if about.get("link"):
        found["parent"] = about["link"]
    if about.get("address"):
        found["hwaddr"] = about["address"]
    for entry in about.get("addr_info", ()):
        one = _address4(entry) if entry["family"] == "inet" else _address6(entry)
        if entry.get("secondary"):
            found.setdefault("secondary", []).append({"type": entry["family"], **one})
        else:
            found.setdefault(entry["family"], []).append(one)
    return found


def _address4(entry: Mapping[str, Any]) -> Facts:
    network = ipaddress.ip_network(f"{entry['local']}/{entry['prefixlen']}", strict=False)
    return {
        "address": entry["local"],
        "netmask": str(network.netmask),
        "broadcast": entry.get("broadcast"),
        "label": entry.get("label", ""),
    }


def _address6(entry: Mapping[str, Any]) -> Facts:
    return {"address": entry["local"], "prefixlen": str(entry["prefixlen"]), "scope": entry["scope"]}


def _addresses(family: str, pattern: str | None, include_loopback: bool, cidr: str | None) -> list[str]:
    found = {ipaddress.ip_address(text) for text in _texts(family, pattern)}
    wanted = (one for one in sorted(found) if include_loopback or not one.is_loopback)
    return [str(one) for one in wanted if not cidr or one in ipaddress.ip_network(cidr, strict=False)]


def _texts(family: str, pattern: str | None) -> Iterator[str]:
    for name, about in interfaces().items():
        if pattern is None or fnmatch.fnmatch(name, pattern):
            for entry in [*about.get(family, ()), *about.get("secondary", ())]:
                if entry.get("type", family) == family:
                    yield entry["address"]


def _route(route: Mapping[str, Any], family: str) -> dict[str, str]:
    return {
        "addr_family": family,
        "destination": "0.0.0.0" if family == "inet" else "::/0",
        "gateway": route.get("gateway", "0.0.0.0" if family == "inet" else "::"),
        "netmask": "0.0.0.0" if family == "inet" else "",
        "flags": "UG" if route.get("gateway") else "U",
        "interface": route.get("dev", ""),
    }
