"""Hosts files, zone files and DNS lookups.

Lookups of anything but addresses need the program `dig`. Shapes and texts: stock's.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Iterable, Iterator
from typing import Any

from salt_g import safe_files
from salt_g.api import call
from salt_g.errors import InvocationError

#: Result of a lookup without `dig`.
NO_DIG = "This function requires dig, which is not currently available"
#: Maximum time (s) in a zone's settings: a week.
WEEK = 604800
UNITS = {"H": 3600, "D": 86400}
#: Settings of a zone's SOA record, in the order in which they follow the network.
SOA_FIELDS = ("SOURCE", "CONTACT", "SERIAL", "REFRESH", "RETRY", "EXPIRE", "MINTTL")


def parse_hosts(hostsfile: str = "/etc/hosts", hosts: str | None = None) -> dict[str, list[str]] | str:
    """Return {address: [names]} of a hosts file, or of the text `hosts`.

    Example::

        salt-g dnsutil.parse_hosts
    """
    if not hosts:
        try:
            hosts = _read(hostsfile)
        except OSError:
            return "Error: hosts data was not found"
    found: dict[str, list[str]] = {}
    for line in hosts.splitlines():
        if line.strip() and not line.startswith("#"):
            address, *names = line.split()
            found.setdefault(address, []).extend(names)
    return found


def hosts_append(
    hostsfile: str = "/etc/hosts", ip_addr: str | None = None, entries: str | None = None
) -> str:
    """Append a line with the address `ip_addr` and the names `entries` (comma-separated) to a hosts file.

    Names that the address already has are left out. Returns a message with the line.

    Example::

        salt-g dnsutil.hosts_append /etc/hosts 127.0.0.1 ad1.example.net,ad2.example.net
    """
    if not ip_addr or not entries:
        raise InvocationError("dnsutil.hosts_append needs ip_addr and entries (names separated by commas)")
    present = parse_hosts(hostsfile)
    known = present.get(ip_addr, []) if isinstance(present, dict) else []
    names = [name for name in entries.split(",") if name not in known]
    if not names:
        return f"No additional hosts were added to {hostsfile}"
    line = f"\n{ip_addr} {' '.join(names)}"
    with open(hostsfile, "a", encoding="utf-8", opener=safe_files.opener) as file:
        file.write(line)
    return f"The following line was added to {hostsfile}:{line}"


def hosts_remove(hostsfile: str = "/etc/hosts", entries: str | None = None) -> None:
    """Remove the names `entries` (comma-separated) from a hosts file, and any line left without a name.

    Example::

        salt-g dnsutil.hosts_remove /etc/hosts ad1.example.net
    """
    if not entries:
        raise InvocationError("dnsutil.hosts_remove needs entries (names separated by commas)")
    names = entries.split(",")
    kept = [_without(line, names) for line in _read(hostsfile).splitlines()]
    with open(hostsfile, "w", encoding="utf-8", opener=safe_files.opener) as file:
        file.writelines(f"{line}\n" for line in kept if line is not None)


def parse_zone(zonefile: str | None = None, zone: str | None = None) -> dict[str, Any] | str:
    """Return the records of a zone file, or of the text `zone`, by type.

    Example::

        salt-g dnsutil.parse_zone /var/lib/named/example.com.zone
    """
    if zonefile:
        try:
            zone = _read(zonefile)
        except OSError:
            zone = None
    if not zone:
        return "Error: Zone data was not found"
    found: dict[str, Any] = {}
    for line in _records(zone):
        _add_record(found, line)
    return found


def check_ip(ip_addr: str) -> Any:
    """Return whether a text is an IPv4 or IPv6 address, as `dig.check_ip` does; a message without `dig`.

    Example::

        salt-g dnsutil.check_ip 127.0.0.1
    """
    return _dig("check_ip", ip_addr)


def A(host: str, nameserver: str | None = None) -> Any:  # noqa: N802 - the name of the record
    """Return the IPv4 addresses of a host.

    Example::

        salt-g dnsutil.A www.example.com
    """
    return _resolved("A", socket.AF_INET, host, nameserver)


def AAAA(host: str, nameserver: str | None = None) -> Any:  # noqa: N802
    """Return the IPv6 addresses of a host.

    Example::

        salt-g dnsutil.AAAA www.example.com
    """
    return _resolved("AAAA", socket.AF_INET6, host, nameserver)


def NS(domain: str, resolve: bool = True, nameserver: str | None = None) -> Any:  # noqa: N802
    """Return the name servers of a domain, as addresses with `resolve`.

    Example::

        salt-g dnsutil.NS example.com
    """
    return _dig("NS", domain, resolve, nameserver)


def SPF(domain: str, record: str = "SPF", nameserver: str | None = None) -> Any:  # noqa: N802
    """Return the networks that may send mail for a domain.

    Example::

        salt-g dnsutil.SPF example.com
    """
    return _dig("SPF", domain, record, nameserver)


def MX(domain: str, resolve: bool = False, nameserver: str | None = None) -> Any:  # noqa: N802
    """Return the mail servers of a domain with their priorities.

    Example::

        salt-g dnsutil.MX example.com
    """
    return _dig("MX", domain, resolve, nameserver)


def serial(zone: str = "", update: bool = False) -> str:
    """Return a serial number for a zone file (`YYYYMMDD01`), kept in a grain.

    `update` raises the number: to today's first number, or by one if the number is from today already.

    Example::

        salt-g dnsutil.serial example.com update=True
    """
    grain = f"dnsserial_{zone}" if zone else "dnsserial"
    stored = call("grains.get", key=grain)
    today = time.strftime("%Y%m%d01")
    if not update:
        return str(stored or today)
    raised = str(int(stored) + 1) if stored and str(stored) >= today else today
    call("grains.setval", key=grain, val=raised)
    return raised


def _read(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def _without(line: str, names: Iterable[str]) -> str | None:
    """Return a line without these names, or None if no name of its address is left."""
    if not line or line.strip().startswith("#"):
        return line
    address, *present = line.split()
    kept = [name for name in present if name not in names]
    return " ".join([address, *kept]) if kept else None


def _records(zone: str) -> Iterator[str]:
    """Yield the records of a zone as one line each: comments removed, lines in parentheses joined."""
    joined = ""
    for line in (line.split(";")[0].strip() for line in zone.splitlines()):
        if not line:
            continue
        joined = f"{joined} {line}".strip()
        if "(" in joined and ")" not in joined:
            continue
        yield joined.replace("(", "").replace(")", "")
        joined = ""


def _add_record(found: dict[str, Any], line: str) -> None:
    if line.startswith("$"):
        name, value, *_ = line.split()
        found[name.replace("$", "")] = value
        return
    words = line.replace("@", found["ORIGIN"]).split() if "ORIGIN" in found else line.split()
    if "SOA" in line:
        found.update(_authority(words))
        return
    if words[0] == "IN":
        words.insert(0, found["ORIGIN"])
    if not words[0].endswith(".") and "NS" not in line:
        words[0] = f"{words[0]}.{found['ORIGIN']}"
    _add_words(found, words)


def _authority(words: list[str]) -> dict[str, Any]:
    if words[1] != "IN":
        words.pop(1)
    named = dict(zip(SOA_FIELDS, words[3:], strict=False))
    times = {name: _seconds(named[name]) for name in SOA_FIELDS[3:]}
    contact = named["CONTACT"].replace(".", "@", 1)
    return {"ORIGIN": words[0], "NETWORK": words[1], **named, **times, "CONTACT": contact}


def _add_words(found: dict[str, Any], words: list[str]) -> None:
    kind = words[2]
    if kind == "NS":
        found.setdefault("NS", []).append(words[3])
    elif kind == "MX":
        found.setdefault("MX", [{"priority": words[3], "host": words[4]}])
    elif words[3] in ("A", "AAAA"):
        found.setdefault(words[3], {})[words[0]] = {"TARGET": words[4], "TTL": words[1]}
    else:
        found.setdefault(kind, {})[words[0]] = words[3]


def _seconds(text: str) -> int:
    text = text.upper()
    unit = next((factor for letter, factor in UNITS.items() if letter in text), 1)
    digits = text.rstrip("HD")
    return min(int(digits) * unit, WEEK) if digits.isdigit() else WEEK


def _dig(function: str, *args: Any) -> Any:
    return call(f"dig.{function}", *args) if call("cmd.which", "dig") else NO_DIG


def _resolved(kind: str, family: int, host: str, nameserver: str | None) -> Any:
    if nameserver is not None or call("cmd.which", "dig"):
        return _dig(kind, host, nameserver)
    try:
        return [entry[4][0] for entry in socket.getaddrinfo(host, None, family, 0, socket.SOCK_RAW)]
    except socket.gaierror:
        return f"Unable to resolve {host}"
