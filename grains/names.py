"""Grains of this machine's names, queried from the resolver."""

from __future__ import annotations

import socket
from typing import Any

from salt_g.api import opts
from salt_g.grains._sources import text
from salt_g.net.network_interfaces import interfaces
from salt_g.net.resolver import names_of

__virtualname__ = "core"


def hostname() -> dict[str, Any]:
    """Return `localhost`, `fqdn`, `host`, `domain` and the addresses of the fqdn."""
    local = socket.gethostname()
    fqdn = _canonical(local)
    host, _, domain = fqdn.partition(".")
    return {
        "localhost": local,
        "fqdn": fqdn,
        "host": host,
        "domain": domain,
        "fqdn_ip4": _resolved(fqdn, socket.AF_INET),
        # Without IPv6 on any interface an IPv6 address of this machine is unreachable.
        "fqdn_ip6": _resolved(fqdn, socket.AF_INET6) if text("/proc/net/if_inet6") else [],
    }


def fqdns() -> dict[str, Any]:
    """Return the names that reverse lookups of this machine's addresses give.

    Slow if the resolver does not respond; the setting `enable_fqdns_grains: False` turns the lookups off.
    """
    return {"fqdns": names_of(_own_addresses()) if opts.get("enable_fqdns_grains", True) else []}


def _canonical(name: str) -> str:
    try:
        found = socket.getaddrinfo(
            name, 0, socket.AF_UNSPEC, socket.SOCK_STREAM, socket.IPPROTO_TCP, socket.AI_CANONNAME
        )
    except (OSError, UnicodeError):
        found = []
    return next((entry[3] for entry in found if entry[3]), "") or socket.getfqdn()


def _resolved(name: str, family: int) -> list[str]:
    try:
        found = socket.getaddrinfo(name, None, family)
    except (OSError, UnicodeError):
        return []
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def _own_addresses() -> list[str]:
    """Return the addresses of all interfaces except loopback ones."""
    entries = [e for about in interfaces().values() for e in _entries(about)]
    return [e["address"] for e in entries if not e["address"].startswith("127.") and e["address"] != "::1"]


def _entries(about: dict[str, Any]) -> list[dict[str, Any]]:
    return [*about.get("inet", []), *about.get("inet6", []), *about.get("secondary", [])]
