"""Kernel tables: connections, neighbours, routes.

Shapes: stock's; numbers printed by programs remain text. Each table has its own parser from lines to values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from salt_g.api import call
from salt_g.errors import CommandExecutionError
from salt_g.modules._connections import established
from salt_g.modules._required import require
from salt_g.modules.network.arithmetic import convert_cidr

#: Route types that stock's tables leave out.
OTHER_ROUTES = {
    *("unicast", "broadcast", "throw", "unreachable", "prohibit", "blackhole", "nat", "anycast", "multicast")
}
#: Columns of `netstat -tulpnea`; rows of udp have no state.
NETSTAT_COLUMNS = (
    *("proto", "recv-q", "send-q", "local-address", "remote-address"),
    *("state", "user", "inode", "program"),
)
#: Destinations that mean everywhere, by family.
DEFAULTS = {"inet": ("0.0.0.0", "default"), "inet6": ("::/0", "default")}
_ROUTE = re.compile(
    r"(?:via\s+(?P<gateway>[\w.:]+)\s+)?dev\s+(?P<interface>[\w.:-]+)\s.*src\s+(?P<source>[\w.:]+)"
)


def netstat() -> list[dict[str, Any]]:
    """Return the open ports and connections with their programs.

    Example::

        salt-g network.netstat
    """
    if call("cmd.which", "netstat"):
        return parse_netstat(call("cmd.run", "netstat -tulpnea").splitlines())
    return parse_ss(call("cmd.run", "ss -tulpnea").splitlines())


def active_tcp() -> dict[int, dict[str, Any]]:
    """Return the established TCP connections, numbered.

    Example::

        salt-g network.active_tcp
    """
    return {
        number: {
            "local_addr": local.address,
            "local_port": local.port,
            "remote_addr": remote.address,
            "remote_port": remote.port,
        }
        for number, (local, remote) in enumerate(established())
    }


def arp() -> dict[str, str]:
    """Return {hardware address: IPv4 address} of `arp -an`.

    Example::

        salt-g network.arp
    """
    require("arp")
    rows = (line.split() for line in call("cmd.run", "arp -an").splitlines())
    return {row[3]: row[1].strip("()") for row in rows if len(row) > 3}


def ip_neighs() -> dict[str, str]:
    """Return {hardware address: IPv4 address} of the neighbours.

    Example::

        salt-g network.ip_neighs
    """
    return _neighbours(".")


def ipneighs() -> dict[str, str]:
    """Return {hardware address: IPv4 address} of the neighbours (an alias of `ip_neighs`).

    Example::

        salt-g network.ipneighs
    """
    return ip_neighs()


def ip_neighs6() -> dict[str, str]:
    """Return {hardware address: IPv6 address} of the neighbours.

    Example::

        salt-g network.ip_neighs6
    """
    return _neighbours(":")


def ipneighs6() -> dict[str, str]:
    """Return {hardware address: IPv6 address} of the neighbours (an alias of `ip_neighs6`).

    Example::

        salt-g network.ipneighs6
    """
    return ip_neighs6()


def routes(family: str | None = None) -> list[dict[str, str]]:
    """Return the routes of this machine; `family` is `inet` or `inet6`.

    Example::

        salt-g network.routes inet
    """
    _check_family(family)
    parse, commands = (
        (parse_netstat_routes, {"inet": "netstat -A inet -rn", "inet6": "netstat -A inet6 -rn"})
        if call("cmd.which", "netstat")
        else (parse_routes, {"inet": "ip -4 route show table main", "inet6": "ip -6 route show table all"})
    )
    wanted = [name for name in commands if family in (None, name)]
    return [route for name in wanted for route in parse(call("cmd.run", commands[name]).splitlines(), name)]


def default_route(family: str | None = None) -> list[dict[str, str]]:
    """Return the default routes of this machine; `family` is `inet` or `inet6`.

    Example::

        salt-g network.default_route inet
    """
    wanted = [word for name in DEFAULTS if family in (None, name) for word in DEFAULTS[name]]
    return [route for route in routes(family) if route["destination"] in wanted]


def get_route(ip: str) -> dict[str, str | None]:
    """Return {"destination", "gateway", "interface", "source"} of packets to an address.

    The gateway is None if the address is in a network of this machine.

    Example::

        salt-g network.get_route 10.10.10.10
    """
    answer = call("cmd.run", ["ip", "route", "get", ip], python_shell=False)
    match = _ROUTE.search(answer)
    if match is None:
        raise CommandExecutionError(f"no route to {ip}: {answer}")
    return {"destination": ip, **match.groupdict()}


def parse_netstat(lines: Sequence[str]) -> list[dict[str, Any]]:
    """Return the rows of `netstat -tulpnea`."""
    found = []
    for line in lines:
        if line.startswith("tcp"):
            found.append(dict(zip(NETSTAT_COLUMNS, line.split(), strict=False)))
        elif line.startswith("udp"):
            found.append(dict(zip((n for n in NETSTAT_COLUMNS if n != "state"), line.split(), strict=False)))
    return found


def parse_ss(lines: Sequence[str]) -> list[dict[str, Any]]:
    """Return the rows of `ss -tulpnea`."""
    return [_socket(line.split()) for line in lines if line.startswith(("tcp", "udp"))]


def parse_routes(lines: Sequence[str], family: str) -> list[dict[str, str]]:
    """Return the routes of `ip route show`."""
    rows = (line.split() for line in lines if line.strip())
    return [_route(words, family) for words in rows if words[0] not in OTHER_ROUTES]


def parse_netstat_routes(lines: Sequence[str], family: str) -> list[dict[str, str]]:
    """Return the routes of `netstat -rn`, which has two lines of titles."""
    rows = (line.split() for line in lines[2:])
    if family == "inet":
        return [_row(family, row[0], row[1], row[2], row[3], row[7]) for row in rows]
    # The interface is last; the column before it is empty on some kernels.
    return [_row(family, row[0], row[1], "", row[2], row[-1]) for row in rows if len(row) in (6, 7)]


def _socket(words: list[str]) -> dict[str, Any]:
    about = {"user": 0, "inode": 0, "program": "", **_details(words[6:])}
    state = {"state": words[1].replace("ESTAB", "ESTABLISHED")} if words[0].startswith("tcp") else {}
    ends = dict(zip(("recv-q", "send-q", "local-address", "remote-address"), words[2:6], strict=True))
    return {"proto": words[0], **ends, **state, **about}


def _details(words: list[str]) -> dict[str, str]:
    names = {"uid": "user", "ino": "inode"}
    pairs = (word.partition(":") for word in words)
    found = {}
    for key, _, value in pairs:
        if key in names:
            found[names[key]] = value
        elif key == "users" and '"' in value:
            found["program"] = value.split('"')[1]
    return found


def _route(words: list[str], family: str) -> dict[str, str]:
    interface = _after(words, "dev")
    if words[0] == "default":
        everywhere = {"inet": ("0.0.0.0", "0.0.0.0"), "inet6": ("::/0", "")}[family]
        return _row(family, everywhere[0], _after(words, "via"), everywhere[1], "UG", interface)
    if family == "inet6":
        destination = f"{words[1]}/128" if words[0] == "local" else words[0]
        return _row(family, destination, "::", "", "U", interface)
    network = convert_cidr(words[0])
    return _row(family, network["network"], "0.0.0.0", network["netmask"], "U", interface)


def _row(
    family: str, destination: str, gateway: str, netmask: str, flags: str, interface: str
) -> dict[str, str]:
    return {
        "addr_family": family,
        "destination": destination,
        "gateway": gateway,
        "netmask": netmask,
        "flags": flags,
        "interface": interface,
    }


def _after(words: list[str], word: str) -> str:
    return words[words.index(word) + 1] if word in words[:-1] else ""


def _neighbours(mark: str) -> dict[str, str]:
    rows = (line.split() for line in call("cmd.run", "ip neigh show").splitlines())
    return {row[4]: row[0] for row in rows if len(row) > 4 and mark in row[0]}


def _check_family(family: str | None) -> None:
    if family not in (None, "inet", "inet6"):
        raise CommandExecutionError(f"Invalid address family {family}")
