"""Files that the providers of `ip.*` write and read, and programs that they run."""

import os
import pathlib
from typing import Any, NamedTuple

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import _netplan, _network_manager, debian_ip, netplan_ip, nm_ip, rh_ip
from salt_g.modules.nm_ip import _files as nm_files
from salt_g.modules.rh_ip import _files as rh_files

ROUTES = [
    {"name": "a", "ipaddr": "10.1.0.0", "netmask": "255.255.0.0", "gateway": "10.0.0.1"},
    {"ipaddr": "2001:db8::", "netmask": 32, "gateway": "fe80::1"},
    {"ipaddr": "10.2.0.0", "netmask": 16},
]


class Machine(NamedTuple):
    """The directory of all providers' files, and the executed programs."""

    root: pathlib.Path
    programs: Any


@pytest.fixture
def called():
    """Return calls of other modules, as text."""
    return []


@pytest.fixture
def machine(monkeypatch, tmp_path, programs, called):
    """Return a machine with the directories of all providers; all programs succeed."""

    def recorded(name, answer):
        return lambda *args: called.append(" ".join([name, *map(str, args)])) or answer

    monkeypatch.setattr(nm_files, "CONNECTIONS", str(tmp_path))
    monkeypatch.setattr(netplan_ip, "NETPLAN", str(tmp_path))
    monkeypatch.setattr(rh_files, "SCRIPTS", str(tmp_path))
    monkeypatch.setattr(rh_files, "NETWORK", str(tmp_path / "network"))
    functions = {
        "network.interfaces": lambda: {"eth0": {"hwaddr": "02:00:00:00:00:01"}},
        "network.mod_hostname": recorded("network.mod_hostname", True),
        "pkg.install": recorded("pkg.install", {}),
        "pkg.version": lambda name: "",
        "service.restart": recorded("service.restart", True),
        "sysctl.persist": recorded("sysctl.persist", "Updated"),
    }
    return Machine(tmp_path, programs(functions=functions, grains={"num_cpus": 2}))


def mode_of(path):
    return os.stat(path).st_mode & 0o7777


def test_ifcfg_files_are_written_and_read_back(machine):
    built = rh_ip.build_interface("eth0", "eth", True, proto="dhcp")

    assert (machine.root / "ifcfg-eth0").read_text() == "".join(f"{line}\n" for line in built)
    assert rh_ip.get_interface("eth0") == built
    assert mode_of(machine.root / "ifcfg-eth0") == 0o644
    assert rh_ip.get_interface("eth7") == []


def test_routes_are_in_a_file_for_each_family(machine):
    built = rh_ip.build_routes("eth0", routes=ROUTES)

    assert (machine.root / "route-eth0").read_text() == (
        "# a\n10.1.0.0/255.255.0.0 via 10.0.0.1\n\n10.2.0.0/16 dev eth0\n"
    )
    assert (machine.root / "route6-eth0").read_text() == "\n2001:db8::/32 via fe80::1\n"
    assert rh_ip.get_routes("eth0") == built
    rh_ip.build_routes("eth0", routes=[])
    assert rh_ip.get_routes("eth0") == []


def test_bridges_get_their_package_and_bypass_the_firewall_but_not_in_test_mode(machine, called):
    rh_ip.build_interface("br0", "bridge", True, test=True)
    assert called == []

    rh_ip.build_interface("br0", "bridge", True)

    assert called == [
        "pkg.install bridge-utils",
        "sysctl.persist net.bridge.bridge-nf-call-ip6tables 0",
        "sysctl.persist net.bridge.bridge-nf-call-iptables 0",
        "sysctl.persist net.bridge.bridge-nf-call-arptables 0",
    ]


def test_settings_of_the_machine_keep_the_quotes_of_the_file(machine):
    (machine.root / "network").write_text('NETWORKING="yes"\nHOSTNAME=old\nGATEWAY=1.2.3.4\nFOO=bar\n')

    assert rh_ip.build_network_settings(test=True) == ['NETWORKING="yes"', 'HOSTNAME="old"']
    kept = rh_ip.build_network_settings(retain_settings=True, nisdomain="n")
    assert kept == ['NETWORKING="yes"', 'HOSTNAME="old"', "GATEWAY=1.2.3.4", 'NISDOMAIN="n"']
    assert rh_ip.get_network_settings() == kept
    assert rh_ip.build_network_settings(enabled=True, hostname='"h"') == ["NETWORKING=yes", "HOSTNAME=h"]


def test_settings_of_the_machine_need_a_switch(machine):
    with pytest.raises(AttributeError, match="Setting: networking"):
        rh_ip.build_network_settings(hostname="h")


def test_networkmanager_is_restarted_unless_a_reboot_is_wanted(machine, called):
    assert rh_ip.apply_network_settings(require_reboot=True, apply_hostname=True, hostname="h")
    assert called == ["network.mod_hostname h"]
    assert rh_ip.apply_network_settings()
    assert called[1:] == ["service.restart NetworkManager"]
    assert not rh_ip.apply_network_settings(apply_hostname=True)


def test_members_are_brought_up_with_their_master_only(machine):
    assert rh_ip.up("eth1", "slave") is None
    rh_ip.up("eth0", "eth")
    rh_ip.down("eth0", "eth")
    assert machine.programs.lines == ["ifup eth0", "ifdown eth0"]


@pytest.mark.parametrize("provider", [rh_ip, nm_ip, netplan_ip])
def test_a_missing_directory_and_a_path_as_a_name_are_refused(machine, monkeypatch, provider):
    with pytest.raises(AttributeError, match="is not the name of an interface"):
        provider.build_interface("../x", "eth", True, proto="dhcp")
    for where, name in ((rh_files, "SCRIPTS"), (nm_files, "CONNECTIONS"), (netplan_ip, "NETPLAN")):
        monkeypatch.setattr(where, name, str(machine.root / "missing"))
    with pytest.raises(AttributeError, match=r"cannot be written. \S+missing does not exist"):
        provider.build_interface("eth0", "eth", True, proto="dhcp")


def test_members_get_keyfiles_that_only_root_reads(machine):
    nm_ip.build_interface("bond0", "bond", True, mode=1, slaves="eth1 eth2")

    text = (machine.root / "eth2.nmconnection").read_text()
    assert text.endswith("autoconnect=true\nmaster=bond0\nslave-type=bond\n\n")
    assert (
        mode_of(machine.root / "bond0.nmconnection") == mode_of(machine.root / "eth1.nmconnection") == 0o600
    )


def test_routes_of_a_keyfile_stay_when_the_interface_is_built_again(machine):
    settings = {"ipaddr": "10.0.0.2", "netmask": 24}
    nm_ip.build_interface("eth0", "eth", True, **settings)

    built = nm_ip.build_routes("eth0", routes=ROUTES)

    assert "".join(built) == (
        "[ipv4]\nroute1=10.1.0.0/16,10.0.0.1\nroute2=10.2.0.0/16\n\n[ipv6]\nroute1=2001:db8::/32,fe80::1\n\n"
    )
    assert nm_ip.get_routes("eth0") == built
    assert nm_ip.build_interface("eth0", "eth", True, **settings) == nm_ip.get_interface("eth0")
    assert nm_ip.get_routes("eth0") == built
    nm_ip.build_routes("eth0", routes=ROUTES[2:])
    assert "".join(nm_ip.get_routes("eth0")) == "[ipv4]\nroute1=10.2.0.0/16\n\n"


def test_routes_without_a_keyfile_are_an_error(machine):
    with pytest.raises(CommandExecutionError, match="manage it with network.managed first"):
        nm_ip.build_routes("eth7", routes=ROUTES)


def test_networkmanager_reads_keyfiles_before_a_connection_starts(machine):
    nm_ip.up("eth0")
    nm_ip.down("eth0", "eth")
    assert nm_ip.up("eth1", "slave") is None
    assert machine.programs.lines == [
        "nmcli connection reload",
        "nmcli connection up eth0",
        "nmcli connection down eth0",
    ]


def test_routes_of_netplan_are_a_file_of_their_own(machine):
    built = netplan_ip.build_interface("bond0", "bond", True, mode=1, gateway="10.0.0.9")

    routes = netplan_ip.build_routes("bond0", routes=ROUTES)

    assert "".join(routes) == (
        "routes:\n- to: 10.1.0.0/16\n  via: 10.0.0.1\n"
        "- to: 2001:db8::/32\n  via: fe80::1\n- to: 10.2.0.0/16\n"
    )
    assert netplan_ip.get_routes("bond0") == routes
    assert netplan_ip.get_interface("bond0") == built
    assert "bonds:\n    bond0:\n      routes:" in (machine.root / "90-salt-bond0-routes.yaml").read_text()
    assert mode_of(machine.root / "90-salt-bond0.yaml") == 0o600
    netplan_ip.build_routes("bond0", routes=[])
    assert netplan_ip.get_routes("bond0") == []


def test_an_address_with_its_prefix_needs_no_netmask(machine):
    built = netplan_ip.build_interface("eth0", "eth", True, ipaddr="10.0.0.5/24", test=True)

    assert "      - 10.0.0.5/24\n" in built


def test_a_vlan_leaves_the_bond_below_it_to_the_bonds_file(machine):
    assert "  ethernets:\n" in netplan_ip.build_interface("bond0.5", "vlan", True, test=True)
    netplan_ip.build_interface("bond0", "bond", True, mode=1)

    assert "  ethernets:\n" not in netplan_ip.build_interface("bond0.5", "vlan", True, test=True)


def test_a_file_of_netplan_keeps_the_renderer_of_the_system(machine):
    (machine.root / "00-first.yaml").write_text("network: [")
    (machine.root / "01-other.yaml").write_text("network: {renderer: networkd}\n")
    (machine.root / "50-manager.yaml").write_text("network: {version: 2, renderer: NetworkManager}\n")
    (machine.root / "90-salt-old.yaml").write_text("network: {renderer: networkd}\n")

    built = netplan_ip.build_interface("eth0", "eth", True, proto="dhcp")
    netplan_ip.build_routes("eth0", routes=ROUTES)

    assert "  renderer: NetworkManager\n" in built
    assert "renderer: NetworkManager" in (machine.root / "90-salt-eth0-routes.yaml").read_text()


def test_netplan_checks_before_it_applies(machine):
    assert netplan_ip.up("eth0")
    netplan_ip.down("eth0")
    assert machine.programs.lines == ["netplan generate", "netplan apply", "ip link set dev eth0 down"]
    machine.programs.answer("generate", retcode=1, stderr="eth0: no")
    with pytest.raises(CommandExecutionError, match="netplan generate failed: eth0: no"):
        netplan_ip.apply_network_settings()


@pytest.mark.parametrize(
    ("family", "found", "provider"),
    [
        ("RedHat", [], rh_ip),
        ("RedHat", ["nmcli", "ifup"], rh_ip),
        ("RedHat", ["nmcli"], nm_ip),
        ("Debian", [], debian_ip),
        ("Debian", ["netplan"], netplan_ip),
        ("Suse", [], None),
    ],
)
def test_one_provider_at_most_is_loaded(call_context, monkeypatch, tmp_path, family, found, provider):
    call_context(grains={"os_family": family})
    for name in found:
        (tmp_path / name).touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(_network_manager, "_RUNNING", str(tmp_path))
    monkeypatch.setattr(_netplan, "_DIRECTORY", str(tmp_path))

    loaded = [each for each in (rh_ip, nm_ip, netplan_ip, debian_ip) if each.__virtual__() == "ip"]

    assert loaded == ([provider] if provider else [])
