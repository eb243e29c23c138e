"""Network interfaces, addresses and default gateways, read from the kernel.

Used, for example, by grains, the `network` execution module and targets by subnet. The kernel answers over
netlink in well under a millisecond, with every address of both families, whereas a program (`ip`) would need
a process for each query.

Shapes: stock's interface dict, {name: {"up": bool, "parent": name, "hwaddr": text, "inet": [{"address",
"netmask", "broadcast", "label"}], "inet6": [{"address", "prefixlen": text, "scope"}], "secondary":
[{"type", ...}]}}; unknown values have no key.
Errors: OSError when the kernel refuses netlink.
Source: rtnetlink(7), netlink(7); the shape is that of stock's `network.interfaces`.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from salt_g.shapes import Facts

NLMSG_ERROR, NLMSG_DONE = 2, 3
RTM_GETLINK, RTM_GETADDR, RTM_GETROUTE = 18, 22, 26
NLM_F_REQUEST_DUMP = 0x301
IFLA_ADDRESS, IFLA_IFNAME, IFLA_LINK, IFLA_LINK_NETNSID = 1, 3, 5, 37
IFA_ADDRESS, IFA_LOCAL, IFA_LABEL, IFA_BROADCAST = 1, 2, 3, 4
RTA_GATEWAY, RTA_TABLE = 5, 15
IFF_UP = 0x1
IFA_F_SECONDARY = 0x1
RT_TABLE_MAIN = 254
RTN_UNICAST = 1
#: {ARPHRD number of a tunnel, whose hardware address is an IP address: address family}
TUNNELS = {768: socket.AF_INET, 776: socket.AF_INET, 778: socket.AF_INET, 769: socket.AF_INET6}
#: {number of an address scope: name as `ip` prints it}
SCOPES = {0: "global", 200: "site", 253: "link", 254: "host", 255: "nowhere"}
#: Time limit for one response of the kernel (s).
ANSWER_LIMIT = 5.0

#: {address of a listener on all interfaces: loopback address that reaches it}
_EVERYWHERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}

Attributes = dict[int, bytes]


class Message(NamedTuple):
    """One netlink message: the fixed header's fields and the attributes by number."""

    header: tuple[Any, ...]
    attributes: Attributes


def is_everywhere(address: str) -> bool:
    """Return whether a listener on this address is reached at all addresses of this host."""
    return address in _EVERYWHERE


def reached_at(address: str) -> str:
    """Return the address at which this host reaches a listener on `address`."""
    return _EVERYWHERE.get(address, address)


def interfaces() -> dict[str, Facts]:
    """Return all interfaces in the order of their index, with their addresses."""
    links = dump(RTM_GETLINK, "=BxHiII")
    return interface_table(links, dump(RTM_GETADDR, "=BBBBI"))


def default_gateways(family: int) -> list[str]:
    """Return the gateway of each default route in the main table, '' for a route without a gateway."""
    routes = dump(RTM_GETROUTE, "=BBBBBBBBI", family)
    return [_gateway(route, family) for route in routes if _is_default(route, family)]


def interface_table(links: Iterable[Message], addresses: Iterable[Message]) -> dict[str, Facts]:
    """Return the interface dict for link and address messages."""
    links = list(links)
    names = {link.header[2]: _text(link.attributes[IFLA_IFNAME]) for link in links}
    table = {names[link.header[2]]: _link(link, names) for link in links}
    for address in addresses:
        name = names.get(address.header[4])
        if name is not None:
            _add_address(table[name], address, name)
    return table


def parse_messages(data: bytes, header: str) -> Iterator[tuple[int, Message | None]]:
    """Yield (type, message) of one datagram; the message is None for an error or the end of a list.

    `header` is the format of the fixed part.
    """
    offset = 0
    while offset + 16 <= len(data):
        length, kind = struct.unpack_from("=IH", data, offset)
        if length < 16:
            return
        body = data[offset + 16 : offset + length]
        yield kind, _message(body, header) if kind not in (NLMSG_ERROR, NLMSG_DONE) else None
        offset += _aligned(length)


def dump(request: int, header: str, family: int = socket.AF_UNSPEC) -> list[Message]:
    """Return all messages of the kernel's answer to a list request.

    `header` is the format of their fixed part for `struct`. Raises OSError when the kernel refuses.
    """
    body = bytes([family]) + bytes(struct.calcsize(header) - 1)
    packet = struct.pack("=IHHII", 16 + len(body), request, NLM_F_REQUEST_DUMP, 1, 0) + body
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as kernel:
        kernel.settimeout(ANSWER_LIMIT)
        kernel.bind((0, 0))
        kernel.send(packet)
        return list(_answers(kernel, header))


def _answers(kernel: socket.socket, header: str) -> Iterator[Message]:
    while True:
        for kind, message in parse_messages(kernel.recv(1 << 18), header):
            if message is None:
                if kind == NLMSG_ERROR:
                    raise OSError("the kernel refuses to list its network interfaces (netlink error)")
                return
            yield message


def _message(body: bytes, header: str) -> Message:
    size = struct.calcsize(header)
    return Message(struct.unpack_from(header, body), _attributes(body[_aligned(size) :]))


def _attributes(data: bytes) -> Attributes:
    found, offset = {}, 0
    while offset + 4 <= len(data):
        length, kind = struct.unpack_from("=HH", data, offset)
        if length < 4:
            break
        # The two highest bits are flags (nested, byte order), not part of the number.
        found[kind & 0x3FFF] = data[offset + 4 : offset + length]
        offset += _aligned(length)
    return found


def _aligned(length: int) -> int:
    return (length + 3) & ~3


def _text(value: bytes) -> str:
    return value.rstrip(b"\0").decode("utf-8", "replace")


def _link(link: Message, names: dict[int, str]) -> Facts:
    _, kind, _, flags, _ = link.header
    about: Facts = {"up": bool(flags & IFF_UP)}
    if IFLA_LINK in link.attributes:
        about["parent"] = _parent(link, names)
    if link.attributes.get(IFLA_ADDRESS):
        about["hwaddr"] = _hardware_address(link.attributes[IFLA_ADDRESS], kind)
    return about


def _parent(link: Message, names: dict[int, str]) -> str:
    (index,) = struct.unpack("=I", link.attributes[IFLA_LINK])
    if index == 0:
        return "NONE"
    # The other end of a veth pair can be in another namespace, whose interface names are unknown here.
    if IFLA_LINK_NETNSID in link.attributes or index not in names:
        return f"if{index}"
    return names[index]


def _hardware_address(value: bytes, kind: int) -> str:
    if kind in TUNNELS and len(value) in (4, 16):
        return socket.inet_ntop(TUNNELS[kind], value)
    return ":".join(f"{byte:02x}" for byte in value)


def _add_address(about: Facts, address: Message, name: str) -> None:
    family, prefix, flags, scope, _ = address.header
    if family == socket.AF_INET:
        found = _address4(address, prefix, name)
        if flags & IFA_F_SECONDARY:
            about.setdefault("secondary", []).append({"type": "inet", **found})
        else:
            about.setdefault("inet", []).append(found)
    elif family == socket.AF_INET6:
        about.setdefault("inet6", []).append(_address6(address, prefix, scope))


def _address4(address: Message, prefix: int, name: str) -> Facts:
    local = address.attributes.get(IFA_LOCAL, address.attributes.get(IFA_ADDRESS, bytes(4)))
    peer = address.attributes.get(IFA_ADDRESS, local)
    broadcast = address.attributes.get(IFA_BROADCAST)
    return {
        "address": socket.inet_ntop(socket.AF_INET, local),
        # A point-to-point address has no prefix of its own; the prefix belongs to the peer.
        "netmask": netmask(prefix if local == peer else 32),
        "broadcast": socket.inet_ntop(socket.AF_INET, broadcast) if broadcast else None,
        "label": _text(address.attributes.get(IFA_LABEL, name.encode())),
    }


def _address6(address: Message, prefix: int, scope: int) -> Facts:
    local = address.attributes.get(IFA_LOCAL, address.attributes.get(IFA_ADDRESS, bytes(16)))
    peer = address.attributes.get(IFA_ADDRESS, local)
    return {
        "address": socket.inet_ntop(socket.AF_INET6, local),
        "prefixlen": str(prefix if local == peer else 128),
        "scope": SCOPES.get(scope, str(scope)),
    }


def netmask(prefix: int) -> str:
    """Return the IPv4 netmask of a prefix length: 24 is 255.255.255.0."""
    return socket.inet_ntoa(struct.pack("!I", (0xFFFFFFFF << (32 - prefix)) & 0xFFFFFFFF))


def _is_default(route: Message, family: int) -> bool:
    route_family, destination_bits, _, _, table, _, _, kind, _ = route.header
    if RTA_TABLE in route.attributes:
        (table,) = struct.unpack("=I", route.attributes[RTA_TABLE])
    return (route_family, destination_bits, table, kind) == (family, 0, RT_TABLE_MAIN, RTN_UNICAST)


def _gateway(route: Message, family: int) -> str:
    gateway = route.attributes.get(RTA_GATEWAY)
    return socket.inet_ntop(family, gateway) if gateway else ""
