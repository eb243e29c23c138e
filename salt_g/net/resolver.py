"""Resolver configuration and reverse look-ups.

Used by grains and the `network` and `dnsutil` execution modules.
Source: resolv.conf(5); the shapes are those of stock's `dns` grain and `network.fqdns`.
"""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Iterable
from typing import Any

log = logging.getLogger(__name__)

#: Maximum wait for all reverse look-ups together (s).
REVERSE_LIMIT = 30.0


def parse_resolv(path: str = "/etc/resolv.conf") -> dict[str, Any]:
    """Return nameservers (all, ip4, ip6), sortlist, domain, search, options; {} if the file is unreadable."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            directives = [_directive(line) for line in file]
    except OSError:
        return {}
    nameservers = _unique(_address(words[0], path) for name, words in directives if name == "nameserver")
    return {
        "nameservers": nameservers,
        "ip4_nameservers": [address for address in nameservers if ":" not in address],
        "ip6_nameservers": [address for address in nameservers if ":" in address],
        "sortlist": _unique(_network(w) for name, words in directives if name == "sortlist" for w in words),
        "domain": next((words[0] for name, words in reversed(directives) if name == "domain"), ""),
        "search": next((words for name, words in reversed(directives) if name == "search"), []),
        "options": _unique(words[0] for name, words in directives if name == "options"),
    }


def names_of(addresses: Iterable[str]) -> list[str]:
    """Return the names that these addresses resolve to, sorted.

    Each address is looked up in a separate thread, so that an unresponsive resolver costs its timeout once,
    not once per address.
    """
    names: set[str] = set()
    asking = [threading.Thread(target=_ask, args=(address, names), daemon=True) for address in addresses]
    for thread in asking:
        thread.start()
    deadline = time.monotonic() + REVERSE_LIMIT
    for thread in asking:
        thread.join(max(0.0, deadline - time.monotonic()))
    return sorted(names)


def _ask(address: str, names: set[str]) -> None:
    try:
        names.add(socket.getfqdn(socket.gethostbyaddr(address)[0]))
    except (OSError, UnicodeError) as exc:
        log.debug("%s has no reverse name: %s", address, exc)


def _directive(line: str) -> tuple[str, list[str]]:
    """Return (name, words) of a line, ('', []) for a comment or a directive without a value."""
    words: list[str] = []
    for word in line.split():
        if word[0] in "#;":
            break
        words.append(word)
    return (words[0].lower(), words[1:]) if len(words) > 1 else ("", [])


def _address(word: str, path: str) -> str:
    """Return an address in its short form, or '' when it is invalid."""
    family = socket.AF_INET6 if ":" in word else socket.AF_INET
    try:
        return socket.inet_ntop(family, socket.inet_pton(family, word))
    except OSError:
        log.error("%s: %r is not a nameserver address", path, word)
        return ""


def _network(word: str) -> str:
    """Return `network/netmask` of a sortlist entry (default mask: by address class), '' if invalid."""
    import ipaddress  # Imported lazily: only machines with a sortlist need it.

    try:
        network = ipaddress.ip_network(word if "/" in word else word + _natural_mask(word), strict=False)
    except ValueError:
        log.error("%r in the sortlist is not a network", word)
        return ""
    return network.with_netmask


def _natural_mask(address: str) -> str:
    if ":" in address:
        return ""
    first = int(address.partition(".")[0])
    return "/8" if first < 128 else "/16" if first < 192 else "/24"


def _unique(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(word for word in words if word))
