"""Parsing of set entries, and the test whether a set covers an entry.

Shapes: an entry is text such as `10.0.0.0/24,tcp:80 comment "x" timeout 60`; its parts are in the order of
the set's type (`hash:net,port`). No I/O.
"""

from __future__ import annotations

import ipaddress
import shlex
from collections.abc import Iterable
from typing import NamedTuple

from salt_g.errors import InvocationError

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
#: Options of an entry that have no value.
_ALONE = ("nomatch", "physdev", "wildcard")


class Element(NamedTuple):
    """Entry of a set: its text, the networks of its first part, the other parts, and its options."""

    text: str
    networks: tuple[Network, ...]
    others: tuple[str, ...]
    options: dict[str, str]
    is_of_networks: bool

    def is_plain(self) -> bool:
        """Return whether the entry is a single address, port, … without options to compare."""
        is_one = not self.networks or (len(self.networks) == 1 and _is_single(self.networks[0]))
        return is_one and self.options.keys() <= {"timeout"}

    def words(self) -> list[str]:
        """Return the entry as command arguments."""
        options = [
            word for name, value in self.options.items() for word in ((name, value) if value else (name,))
        ]
        return [self.text, *options]


def parsed(set_type: str, text: str) -> Element:
    """Parse an entry for a set of this type; raise InvocationError if it has too many parts."""
    # Only comments may have quotes, and users may leave them out.
    try:
        words = shlex.split(text)
    except ValueError:
        words = text.split()
    kinds = set_type.partition(":")[2].split(",")
    parts = words[0].split(",")
    if len(parts) > len(kinds):
        raise InvocationError(f"entry {text!r} has more parts than a set of type {set_type}")
    plain = [_plain(kind, part) for kind, part in zip(kinds, parts, strict=False)]
    is_address = kinds[0] in ("ip", "net")
    networks = tuple(_networks(parts[0])) if is_address else ()
    others = tuple(plain[1:] if networks else plain)
    return Element(words[0], networks, others, _options(words[1:]), kinds[0] == "net")


def covers(members: Iterable[Element], wanted: Element) -> bool:
    """Return whether a set covers all addresses of an entry, with the same comment and flags."""
    same = [member for member in members if _is_alike(member, wanted)]
    if not wanted.networks:
        return bool(same)
    there = {network for member in same for network in member.networks}
    if all(network in there for network in wanted.networks):
        return True
    if wanted.is_of_networks:
        # A network covers an address; a network needs an entry of its own, even inside a larger one.
        return all(_is_single(network) and _is_below(network, there) for network in wanted.networks)
    return all(_is_below(network, _joined(there, network.version)) for network in wanted.networks)


def _is_alike(member: Element, wanted: Element) -> bool:
    """Return whether two entries are equal except for addresses, counters and remaining time."""
    if member.others[: len(wanted.others)] != wanted.others:
        return False
    if ("nomatch" in member.options) != ("nomatch" in wanted.options):
        return False
    counted = ("comment", "skbmark", "skbprio", "skbqueue")
    return all(member.options.get(name) == wanted.options[name] for name in counted if name in wanted.options)


def _options(words: list[str]) -> dict[str, str]:
    """Return the options of an entry; an unquoted comment extends to `timeout`, `nomatch` or the end."""
    found: dict[str, str] = {}
    position = 0
    while position < len(words):
        name = words[position]
        if name in _ALONE:
            found[name] = ""
            position += 1
        elif name == "comment":
            following = next(
                (
                    index
                    for index in range(position + 2, len(words))
                    if words[index] in ("timeout", "nomatch")
                ),
                len(words),
            )
            found[name] = " ".join(words[position + 1 : following])
            position = following
        else:
            found[name] = words[position + 1] if position + 1 < len(words) else ""
            position += 2
    return found


def _plain(kind: str, part: str) -> str:
    """Return a part in ipset's notation."""
    if kind == "mac":
        return part.upper()
    if kind == "port" and part.isdigit():
        return f"tcp:{part}"
    if kind in ("ip", "net"):
        return ",".join(map(str, _networks(part))) or part
    return part


def _networks(part: str) -> list[Network]:
    """Return the networks of an address, a network or a range; [] for anything else."""
    try:
        if "/" not in part and "-" in part:
            first, last = map(ipaddress.ip_address, part.split("-", 1))
            return list(ipaddress.summarize_address_range(first, last))  # type: ignore[type-var, unused-ignore]
        return [ipaddress.ip_network(part, strict=False)]
    except ValueError:
        return []


def _is_single(network: Network) -> bool:
    return network.prefixlen == network.max_prefixlen


def _is_below(network: Network, others: Iterable[Network]) -> bool:
    return any(
        other.version == network.version and network.subnet_of(other)  # type: ignore[arg-type]
        for other in others
    )


def _joined(networks: Iterable[Network], version: int) -> list[Network]:
    """Return networks of one family with adjacent ones merged."""
    return list(ipaddress.collapse_addresses(one for one in networks if one.version == version))  # type: ignore
