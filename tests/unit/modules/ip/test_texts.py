"""File texts and errors of the providers of `ip.*`, compared with recorded ones.

The JSON files were recorded from stock Salt 3008.3: each line is a call with the lines that it returned, or
its error. rh_ip's are the same for releases 7, 8 and 9, but that 7 refuses the hash policy vlan+srcmac.
"""

import json
import pathlib

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import debian_ip, netplan_ip, nm_ip, rh_ip
from salt_g.modules.nm_ip import _files as nm_files

HERE = pathlib.Path(__file__).parent
#: Interfaces that the recording machine had.
PRESENT = ("eth0", "eth1", "eth2", "eth3", "bond0", "br0", "team0", "ipip0", "ib0", "eth0.5", "eth0:1")


def rows(provider):
    found = json.loads((HERE / f"{provider}.json").read_text())
    return [pytest.param(row, id=f"{row['call']} {row['args']} {row['settings']}"[:120]) for row in found]


@pytest.fixture
def machine(call_context, monkeypatch, tmp_path):
    """Provide interfaces with hardware addresses and two processors, no files."""
    monkeypatch.setattr(nm_files, "CONNECTIONS", str(tmp_path))
    monkeypatch.setattr(netplan_ip, "NETPLAN", str(tmp_path))
    found = {name: {"hwaddr": f"02:00:00:00:00:0{number}"} for number, name in enumerate(PRESENT)}
    call_context(functions={"network.interfaces": lambda: found}, grains={"num_cpus": 2})


def outcome(provider, row):
    try:
        return getattr(provider, row["call"])(*row["args"], **row["settings"], test=True)
    except (AttributeError, CommandExecutionError) as exc:
        return f"{type(exc).__name__}: {exc}"


@pytest.mark.parametrize("row", rows("rh_ip"))
def test_ifcfg_files_are_those_of_stock(machine, row):
    assert outcome(rh_ip, row) == row["stock"]


@pytest.mark.parametrize("row", rows("nm_ip"))
def test_keyfiles_are_those_of_stock(machine, row):
    assert outcome(nm_ip, row) == row["stock"]


@pytest.mark.parametrize("row", rows("netplan_ip"))
def test_netplan_files_are_those_of_stock(machine, row):
    assert outcome(netplan_ip, row) == row["stock"]


#: Settings of each kind of interface, complete without any of OPTIONAL.
COMPLETE = {
    "eth": ("eth0", {"proto": "static", "ipaddr": "10.0.0.5/24"}),
    "bond": ("bond0", {"proto": "static", "ipaddr": "10.0.0.5/24", "slaves": "eth1", "mode": "802.3ad"}),
    "bridge": ("br0", {"proto": "static", "ipaddr": "10.0.0.5/24", "ports": "eth1"}),
    "vlan": ("eth0.5", {"proto": "static", "ipaddr": "10.0.0.5/24"}),
}
OPTIONAL = (
    *("addresses", "ipaddrs", "ipv6addrs", "ipv6ipaddr", "ipv6proto", "netmask", "gateway", "ipv6gateway"),
    *("dns", "nameservers", "search", "dns_search", "domain", "mtu", "metric", "hwaddr", "macaddr", "wol"),
    *("miimon", "primary", "stp", "fd", "bridge_ports", "interfaces", "vlan_id", "id", "link", "parent"),
    *("rx", "speed", "duplex", "autoneg", "up_cmds", "hashing-algorithm", "broadcast", "ttl", "wpa-ssid"),
)


@pytest.mark.parametrize("kind", COMPLETE)
@pytest.mark.parametrize("provider", [debian_ip, netplan_ip, nm_ip], ids=lambda provider: provider.__name__)
def test_a_setting_without_a_value_is_not_set(machine, provider, kind):
    name, settings = COMPLETE[kind]
    without = provider.build_interface(name, kind, True, **settings, test=True)

    for setting in OPTIONAL:
        given = {**settings, setting: None, "test": True}
        assert provider.build_interface(name, kind, True, **given) == without, setting
        listed = {**settings, setting: [None], "test": True}
        if setting in ("dns", "nameservers", "search", "dns_search", "ipv6addrs"):
            assert provider.build_interface(name, kind, True, **listed) == without, setting


@pytest.mark.parametrize("setting", ["ipaddrs", "ipv6addrs", "dns", "netmask", "gateway", "primary"])
def test_an_ifcfg_file_has_no_line_of_a_setting_without_a_value(machine, setting):
    settings = {"ipaddr": "10.0.0.5", "mode": "active-backup", "miimon": 100, "test": True}

    assert rh_ip.build_interface("bond0", "bond", True, **settings, **{setting: None}) == (
        rh_ip.build_interface("bond0", "bond", True, **settings)
    )


@pytest.mark.parametrize("value", [None, "", []])
def test_interfaces_has_no_line_of_an_empty_setting(machine, value):
    settings = {"proto": "static", "ipaddr": "10.0.0.5"}
    empty = dict.fromkeys(("netmask", "gateway", "dns", "search", "ipaddrs", "up_cmds", "rx"), value)

    lines = debian_ip.build_interface("eth0", "eth", True, **settings, **empty, test=True)

    assert lines == ["auto eth0\n", "iface eth0 inet static\n", "    address 10.0.0.5\n", "\n"]


@pytest.mark.parametrize("provider", [netplan_ip, nm_ip], ids=lambda provider: provider.__name__)
def test_an_empty_address_is_none(machine, provider):
    empty = {"ipaddr": "", "ipv6ipaddr": "", "wol": ""}

    assert provider.build_interface("eth0", "eth", True, **empty, test=True) == (
        provider.build_interface("eth0", "eth", True, test=True)
    )


@pytest.mark.parametrize("provider", [debian_ip, rh_ip], ids=lambda provider: provider.__name__)
def test_routes_without_a_value_are_refused(machine, provider):
    with pytest.raises(AttributeError, match="List of routes"):
        provider.build_routes("eth0", routes=None, test=True)


def test_a_source_without_a_path_is_refused(machine):
    for settings in ({}, {"source": None}):
        with pytest.raises(AttributeError, match="source is a required setting"):
            debian_ip.build_interface("eth0", "source", True, **settings, test=True)
