"""Network interfaces for comparison in the beacon `network_settings`, read from the kernel.

Shapes: {name: {attribute: value}}, addresses as [[address, prefix length], ...].
Source: rtnetlink(7), linux/if_link.h; the names of the attributes are those of pyroute2, which stock
uses.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable, Iterable
from typing import Any

from salt_g.net.network_interfaces import RTM_GETADDR, RTM_GETLINK, Attributes, Message, dump

#: Attributes that can be watched.
ATTRIBUTES = frozenset(
    (
        *("family", "txqlen", "ipdb_scope", "index", "operstate", "group", "carrier_changes", "ipaddr"),
        *("neighbours", "ifname", "promiscuity", "linkmode", "broadcast", "address", "num_tx_queues"),
        *("ipdb_priority", "kind", "qdisc", "mtu", "num_rx_queues", "carrier", "flags", "ifi_type", "ports"),
    )
)
_RTM_GETNEIGH = 30
_LINK, _ADDRESS, _NEIGHBOUR = "=BxHiII", "=BBBBI", "=BxxxiHBB"
_IFA_ADDRESS, _IFA_LOCAL, _NDA_DST = 1, 2, 1
_IFLA_MASTER, _IFLA_LINKINFO, _IFLA_INFO_KIND = 10, 18, 1
#: States of a link (RFC 2863), indexed by number.
_STATES = ("UNKNOWN", "NOTPRESENT", "DOWN", "LOWERLAYERDOWN", "TESTING", "DORMANT", "UP")


def links() -> dict[str, dict[str, Any]]:
    """Return all interfaces; raises OSError when the kernel refuses netlink."""
    found = dump(RTM_GETLINK, _LINK)
    addresses = dump(RTM_GETADDR, _ADDRESS)
    neighbours = dump(_RTM_GETNEIGH, _NEIGHBOUR)
    shown = (_shown(link, found, addresses, neighbours) for link in found)
    return {link["ifname"]: link for link in shown}


def _shown(
    link: Message, all_links: Iterable[Message], addresses: Iterable[Message], neighbours: Iterable[Message]
) -> dict[str, Any]:
    family, kind, index, flags, _ = link.header
    return {
        "family": family,
        "ifi_type": kind,
        "index": index,
        "flags": flags,
        **{name: read(link.attributes[number]) for name, number, read in _READ if number in link.attributes},
        "kind": _kind(link.attributes),
        "ipaddr": [_address(each) for each in addresses if each.header[4] == index],
        "neighbours": sorted(_neighbour(each) for each in neighbours if each.header[1] == index),
        "ports": [each.header[2] for each in all_links if _master(each) == index],
        # Constants that pyroute2, which stock uses, reports for every link.
        "ipdb_scope": "system",
        "ipdb_priority": 0,
    }


def _number(value: bytes) -> int:
    return int.from_bytes(value, "little" if struct.pack("=H", 1)[0] else "big")


def _text(value: bytes) -> str:
    return value.rstrip(b"\0").decode("utf-8", "replace")


def _hardware(value: bytes) -> str:
    return ":".join(f"{byte:02x}" for byte in value)


def _state(value: bytes) -> str:
    number = _number(value)
    return _STATES[number] if number < len(_STATES) else str(number)


#: Single-valued attributes of links: name, number, parser.
_READ: tuple[tuple[str, int, Callable[[bytes], Any]], ...] = (
    ("address", 1, _hardware),
    ("broadcast", 2, _hardware),
    ("ifname", 3, _text),
    ("mtu", 4, _number),
    ("qdisc", 6, _text),
    ("txqlen", 13, _number),
    ("operstate", 16, _state),
    ("linkmode", 17, _number),
    ("group", 27, _number),
    ("promiscuity", 30, _number),
    ("num_tx_queues", 31, _number),
    ("num_rx_queues", 32, _number),
    ("carrier", 33, _number),
    ("carrier_changes", 35, _number),
)


def _kind(attributes: Attributes) -> str | None:
    """Return the kind of a virtual link (`bridge`, `vlan`), the first entry of its nested information."""
    nested = attributes.get(_IFLA_LINKINFO, b"")
    if len(nested) < 4:
        return None
    length, number = struct.unpack_from("=HH", nested)
    return _text(nested[4:length]) if number == _IFLA_INFO_KIND else None


def _master(link: Message) -> int:
    return _number(link.attributes.get(_IFLA_MASTER, b""))


def _address(address: Message) -> list[Any]:
    family, prefix, *_ = address.header
    value = address.attributes.get(_IFA_LOCAL) or address.attributes.get(_IFA_ADDRESS, b"")
    return [_ip(family, value), prefix]


def _neighbour(neighbour: Message) -> str:
    return _ip(neighbour.header[0], neighbour.attributes.get(_NDA_DST, b""))


def _ip(family: int, value: bytes) -> str:
    is_known = (family, len(value)) in ((socket.AF_INET, 4), (socket.AF_INET6, 16))
    return socket.inet_ntop(family, value) if is_known else _hardware(value)
