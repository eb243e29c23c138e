"""Addresses, tables and probes of the network."""

import pytest

from salt_g.errors import CommandExecutionError, CommandNotFound
from salt_g.modules import network
from salt_g.modules.network.addresses import in_subnet_of
from salt_g.modules.network.buffers import parse_sizes
from salt_g.modules.network.names import _with_word
from salt_g.modules.network.probing import host_only, parse_hop
from salt_g.modules.network.tables import parse_netstat, parse_netstat_routes, parse_routes, parse_ss

ROUTES = ["default via 192.0.2.1 dev eth0 ", "192.0.2.0/24 dev eth0 proto kernel scope link src 192.0.2.2 "]
ROUTES6 = [
    "::1 dev lo proto kernel",
    "local fe80::1 dev eth0",
    "multicast ff00::/8 dev eth0",
    "default via fd00::1 dev eth0",
]


def test_networks_are_calculated():
    assert network.calc_net("172.17.0.5", "255.255.255.240") == "172.17.0.0/28"
    assert network.calc_net("2a02:f6e::9/32") == "2a02:f6e::/32"
    assert network.convert_cidr("172.31.0.0/16") == {
        "network": "172.31.0.0",
        "netmask": "255.255.0.0",
        "broadcast": "172.31.255.255",
    }


def test_addresses_are_judged():
    assert network.is_private("10.0.0.3") is True
    assert network.is_loopback("::1") is True
    assert network.reverse_ip("127.0.0.1") == "1.0.0.127.in-addr.arpa"
    assert network.iphexval("10.0.0.255") == "0A0000FF"


def test_membership_of_a_malformed_network_is_denied():
    assert in_subnet_of("10.0.0.0/8", ["192.0.2.1", "10.1.2.3"]) is True
    assert in_subnet_of("10.0.0.1/8", ["10.1.2.3"]) is False


def test_this_machine_has_a_loopback_address():
    assert "127.0.0.1" in network.ip_addrs(interface="lo", include_loopback=True)
    assert "127.0.0.1" not in network.ip_addrs()
    assert network.interface_ip("lo") == "127.0.0.1"
    assert network.hwaddr("lo") == "00:00:00:00:00:00"
    assert "lo" in network.ifacestartswith("127.0")


def test_an_unknown_interface_is_answered_with_the_known_ones():
    assert network.hw_addr("nope0").startswith('Interface "nope0" not in available interfaces: "')


def test_routes_of_ip(call_context):
    assert parse_routes(ROUTES, "inet") == [
        {
            "addr_family": "inet",
            "destination": "0.0.0.0",
            "gateway": "192.0.2.1",
            "netmask": "0.0.0.0",
            "flags": "UG",
            "interface": "eth0",
        },
        {
            "addr_family": "inet",
            "destination": "192.0.2.0",
            "gateway": "0.0.0.0",
            "netmask": "255.255.255.0",
            "flags": "U",
            "interface": "eth0",
        },
    ]
    assert [(r["destination"], r["gateway"]) for r in parse_routes(ROUTES6, "inet6")] == [
        ("::1", "::"),
        ("fe80::1/128", "::"),
        ("::/0", "fd00::1"),
    ]


def test_routes_of_netstat():
    lines = ["Kernel", "Destination", "0.0.0.0 192.0.2.1 0.0.0.0 UG 0 0 0 eth0"]

    assert parse_netstat_routes(lines, "inet")[0]["interface"] == "eth0"


def test_default_routes_are_picked(call_context):
    answers = {
        "ip -4 route show table main": "\n".join(ROUTES),
        "ip -6 route show table all": "\n".join(ROUTES6),
    }
    call_context(functions={"cmd.run": lambda command: answers[command], "cmd.which": lambda program: None})

    assert [route["gateway"] for route in network.default_route()] == ["192.0.2.1", "fd00::1"]
    assert [route["gateway"] for route in network.default_route("inet6")] == ["fd00::1"]
    with pytest.raises(CommandExecutionError, match="Invalid address family inet7"):
        network.routes("inet7")


def test_the_route_to_an_address(call_context):
    answer = "10.10.10.10 via 192.0.2.1 dev eth0 src 192.0.2.2 uid 0 \n    cache \n"
    call_context(functions={"cmd.run": lambda *args, **kwargs: answer})

    assert network.get_route("10.10.10.10") == {
        "destination": "10.10.10.10",
        "gateway": "192.0.2.1",
        "interface": "eth0",
        "source": "192.0.2.2",
    }


def test_sockets_of_ss():
    lines = [
        "Netid State Recv-Q Send-Q Local",
        'tcp   LISTEN 0 128 0.0.0.0:22 0.0.0.0:* users:(("sshd",pid=1,fd=3)) uid:7 ino:19 sk:1 <->',
        "udp   UNCONN 0 0 127.0.0.1:323 0.0.0.0:* ino:21 sk:2 <->",
    ]

    assert parse_ss(lines) == [
        {
            "proto": "tcp",
            "recv-q": "0",
            "send-q": "128",
            "local-address": "0.0.0.0:22",
            "remote-address": "0.0.0.0:*",
            "state": "LISTEN",
            "user": "7",
            "inode": "19",
            "program": "sshd",
        },
        {
            "proto": "udp",
            "recv-q": "0",
            "send-q": "0",
            "local-address": "127.0.0.1:323",
            "remote-address": "0.0.0.0:*",
            "user": 0,
            "inode": "21",
            "program": "",
        },
    ]


def test_sockets_of_netstat_have_a_state_only_with_tcp():
    lines = ["tcp 0 0 a:1 b:2 LISTEN 0 19 7/sshd", "udp 0 0 a:1 b:2 0 19 7/ntpd"]

    tcp, udp = parse_netstat(lines)

    assert (tcp["state"], tcp["program"], udp["program"]) == ("LISTEN", "7/sshd", "7/ntpd")
    assert "state" not in udp


def test_hops_of_traceroute():
    assert parse_hop(" 1  gw.example.net (192.0.2.1)  0.4 ms  0.5 ms  0.6 ms") == {
        "count": 1,
        "hostname": "gw.example.net",
        "ip": "192.0.2.1",
        "ms1": 0.4,
        "ms2": 0.5,
        "ms3": 0.6,
    }
    assert parse_hop(" 2  * * *") == {"count": 2, "hostname": "*"}
    assert parse_hop("what is this") == {}


def test_a_missing_program_is_named(call_context):
    call_context(functions={"cmd.which": lambda program: None})

    with pytest.raises(CommandNotFound, match="The 'dig' binary was not found in "):
        network.dig("example.net")


def test_a_host_name_loses_what_a_shell_would_read():
    assert host_only("example.net; rm -rf /") == "example.netrm-rf"
    assert host_only("fe80::1") == "fe80::1"


def test_a_connection_needs_host_and_port():
    assert network.connect("", 80)["comment"] == "Required argument, host, is missing."
    assert network.connect("localhost")["comment"] == "Required argument, port, is missing."


def test_a_connection_is_tried():
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        found = network.connect("127.0.0.1", port)
    refused = network.connect("127.0.0.1", port)

    success = f"Successfully connected to 127.0.0.1 (127.0.0.1) on tcp port {port}"
    assert found == {"result": True, "comment": success}
    assert refused["result"] is False


def test_sizes_of_ring_buffers():
    listing = (
        "Ring parameters for eth0:\nPre-set maximums:\nRX:\t4096\nCurrent hardware settings:\nRX:\t512\n"
    )

    assert parse_sizes(listing) == {"result": True, "rx-max": 4096, "rx": 512}
    assert parse_sizes("no such device") == {"result": False, "comment": "no such device"}


def test_a_new_host_name_replaces_whole_words_only():
    assert _with_word("127.0.1.1 web web.example.net", "web", "db") == "127.0.1.1\tdb\tweb.example.net"
    assert _with_word("# web1 is  here", "web", "db") == "# web1 is  here"


def test_a_magic_packet_wants_a_hardware_address():
    with pytest.raises(ValueError, match="Invalid MAC address"):
        network.wol("08:00:27")
