"""Probes of other machines: ping, traceroute, dig, a connection, wake on LAN."""

from __future__ import annotations

import ipaddress
import socket
import string
from typing import Any

from salt_g.api import call
from salt_g.modules._required import require

#: Characters allowed in a host name (RFC 952, and the underscore that is found in practice).
HOST_CHARACTERS = set(string.ascii_letters + string.digits + ".-_")
#: Time limit of traceroute in seconds.
TRACEROUTE_LIMIT = 120


def ping(host: str, timeout: float | bool = False, return_boolean: bool = False) -> str | bool:
    """Ping a host four times; return the program's output, or with `return_boolean` whether it answers.

    `timeout` is how long (s) to wait for each answer.

    Example::

        salt-g network.ping archlinux.org timeout=3
    """
    waiting = ["-W", str(timeout)] if timeout else []
    command = ["ping", *waiting, "-c", "4", host_only(host)]
    if return_boolean:
        return bool(call("cmd.run_all", command, python_shell=False)["retcode"] == 0)
    return str(call("cmd.run", command, python_shell=False))


def traceroute(host: str) -> list[dict[str, Any]]:
    """Return a list of the hops to a host, [] if the trace takes more than two minutes.

    A hop is {"count", "hostname", "ip"} with the times of three tries in ms as "ms1", "ms2" and "ms3"; one
    that does not answer has the hostname `*`.

    Example::

        salt-g network.traceroute archlinux.org
    """
    require("traceroute")
    listed = call("cmd.run", ["traceroute", host_only(host)], python_shell=False, timeout=TRACEROUTE_LIMIT)
    if "Timed out after" in listed:
        return []
    lines = (line for line in listed.splitlines() if " " in line)
    return [parse_hop(line) for line in lines if not line.startswith("traceroute")]


def parse_hop(line: str) -> dict[str, Any]:
    """Return one line of traceroute as a dict, or {} when it cannot be read."""
    columns = line.split("  ")
    if len(columns) >= 2 and columns[1] == "* * *":
        return {"count": int(columns[0]), "hostname": "*"}
    if len(columns) < 5:
        return {}
    name, address = columns[1].split()[:2]
    times = {f"ms{number}": float(columns[number + 1].split()[0]) for number in (1, 2, 3)}
    return {"count": int(columns[0]), "hostname": name, "ip": address.strip("()"), **times}


def dig(host: str) -> str:
    """Return the output of `dig` for a host.

    Example::

        salt-g network.dig archlinux.org
    """
    require("dig")
    return str(call("cmd.run", ["dig", host_only(host)], python_shell=False))


def connect(host: str, port: int | None = None, **kwargs: Any) -> dict[str, Any]:
    """Try to connect to a port and return {'result', 'comment'}.

    `proto` is `tcp` or `udp` (which needs a response), `family` `ipv4` or `ipv6`,
    `timeout` in seconds (5).

    Example::

        salt-g network.connect archlinux.org 80 timeout=3
    """
    for name, value in (("host", host), ("port", port)):
        if not value:
            return {"result": False, "comment": f"Required argument, {name}, is missing."}
    proto = "udp" if kwargs.get("proto") == "udp" else "tcp"
    family = {"ipv4": socket.AF_INET, "ipv6": socket.AF_INET6}.get(kwargs.get("family", ""), socket.AF_UNSPEC)
    kind = socket.SOCK_DGRAM if proto == "udp" else socket.SOCK_STREAM
    try:
        found = socket.getaddrinfo(host_only(host), port, family, kind)[0]
    except socket.gaierror:
        return {"result": False, "comment": f"Unable to resolve host {host} on {proto} port {port}"}
    is_there = _answers(found, float(kwargs.get("timeout", 5)))
    word = "Successfully connected to" if is_there else "Unable to connect to"
    return {"result": is_there, "comment": f"{word} {host} ({found[4][0]}) on {proto} port {port}"}


def wol(mac: str, bcast: str = "255.255.255.255", destport: int = 9) -> bool:
    """Send a magic packet that wakes the machine with this hardware address.

    Example::

        salt-g network.wol 08:00:27:13:69:77
    """
    digits = mac.replace(mac[2], "") if len(mac) == 17 else mac
    if len(digits) != 12:
        raise ValueError("Invalid MAC address")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        out.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        out.sendto(b"\xff" * 6 + bytes.fromhex(digits) * 16, (bcast, int(destport)))
    return True


def host_only(host: str) -> str:
    """Remove characters not allowed in a host name, cut it to 255; return an IP address unchanged."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return "".join(letter for letter in host[:255] if letter in HOST_CHARACTERS)
    return host


def _answers(found: Any, timeout: float) -> bool:
    family, kind, proto, _, address = found
    try:
        with socket.socket(family, kind, proto) as peer:
            peer.settimeout(timeout)
            peer.connect(address)
            if kind == socket.SOCK_DGRAM:
                peer.send(b"\0")
                peer.recv(1)
    except OSError:
        return False
    return True
