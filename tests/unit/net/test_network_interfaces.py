"""Interfaces from netlink messages, built here as the kernel writes them."""

import socket
import struct

from salt_g.net.network_interfaces import (
    Message,
    interface_table,
    is_everywhere,
    netmask,
    parse_messages,
    reached_at,
)

ETHERNET, TUNNEL = 1, 776


def link(index, name, *, kind=ETHERNET, flags=1, **attributes):
    return Message((0, kind, index, flags, 0), {3: name.encode() + b"\0", **numbered(attributes)})


def numbered(attributes):
    return {int(key.removeprefix("a")): value for key, value in attributes.items()}


def address(family, index, local, *, prefix=24, flags=0, scope=0, peer=None, label=None, broadcast=None):
    packed = socket.inet_pton(family, local)
    found = {2: packed, 1: socket.inet_pton(family, peer) if peer else packed}
    if label:
        found[3] = label.encode() + b"\0"
    if broadcast:
        found[4] = socket.inet_pton(family, broadcast)
    return Message((family, prefix, flags, scope, index), found)


def test_an_interface_has_state_hardware_address_and_addresses():
    links = [link(4, "eth0", a1=bytes.fromhex("02fc00000001"))]
    addresses = [
        address(socket.AF_INET, 4, "192.0.2.2", label="eth0", broadcast="192.0.2.255"),
        address(socket.AF_INET6, 4, "fe80::1", prefix=64, scope=253),
    ]

    assert interface_table(links, addresses) == {
        "eth0": {
            "up": True,
            "hwaddr": "02:fc:00:00:00:01",
            "inet": [
                {
                    "address": "192.0.2.2",
                    "netmask": "255.255.255.0",
                    "broadcast": "192.0.2.255",
                    "label": "eth0",
                }
            ],
            "inet6": [{"address": "fe80::1", "prefixlen": "64", "scope": "link"}],
        }
    }


def test_a_second_address_of_a_network_is_secondary():
    addresses = [address(socket.AF_INET, 4, "192.0.2.9", flags=1, label="eth0:1")]

    table = interface_table([link(4, "eth0")], addresses)

    assert table["eth0"]["secondary"] == [
        {
            "type": "inet",
            "address": "192.0.2.9",
            "netmask": "255.255.255.0",
            "broadcast": None,
            "label": "eth0:1",
        }
    ]


def test_a_point_to_point_address_stands_alone():
    addresses = [
        address(socket.AF_INET, 4, "10.0.0.1", peer="10.0.0.2"),
        address(socket.AF_INET6, 4, "fd00::1", peer="fd00::2"),
    ]

    table = interface_table([link(4, "tun0")], addresses)

    assert table["tun0"]["inet"][0]["netmask"] == "255.255.255.255"
    assert table["tun0"]["inet6"][0]["prefixlen"] == "128"


def test_a_vlan_names_the_interface_below_it():
    links = [link(2, "eth0"), link(5, "eth0.7", a5=struct.pack("=I", 2))]

    assert interface_table(links, [])["eth0.7"]["parent"] == "eth0"


def test_the_other_end_of_a_veth_pair_has_a_number_only():
    links = [link(2, "eth0", a5=struct.pack("=I", 2), a37=b"\0\0\0\0")]

    assert interface_table(links, [])["eth0"]["parent"] == "if2"


def test_a_tunnel_has_an_address_in_place_of_hardware():
    links = [link(6, "sit0", kind=TUNNEL, flags=0, a1=bytes(4), a5=struct.pack("=I", 0))]

    assert interface_table(links, []) == {"sit0": {"up": False, "parent": "NONE", "hwaddr": "0.0.0.0"}}


def test_messages_are_cut_at_their_lengths():
    body = struct.pack("=BxHiII", 0, ETHERNET, 1, 1, 0) + struct.pack("=HH3sx", 7, 3, b"lo\0")
    data = struct.pack("=IHHII", 16 + len(body), 16, 0, 0, 0) + body + struct.pack("=IHHII", 16, 3, 0, 0, 0)

    found = list(parse_messages(data, "=BxHiII"))

    assert [kind for kind, _ in found] == [16, 3]
    assert found[0][1].attributes == {3: b"lo\0"}
    assert found[1][1] is None


def test_netmasks_of_the_extremes():
    assert (netmask(0), netmask(20), netmask(32)) == ("0.0.0.0", "255.255.240.0", "255.255.255.255")


def test_a_wildcard_address_is_reached_at_the_loopback_of_its_family():
    assert [reached_at(one) for one in ("0.0.0.0", "", "::")] == ["127.0.0.1", "127.0.0.1", "::1"]
    assert reached_at("192.0.2.1") == "192.0.2.1"
    assert not is_everywhere("192.0.2.1")
