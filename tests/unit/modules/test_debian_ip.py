import pytest

from salt_g.modules import debian_ip
from salt_g.modules.debian_ip import _files
from salt_g.modules.debian_ip._stanzas import read, replace

TEXT = """\
# mine
auto lo eth0
iface lo inet loopback

source /etc/network/interfaces.d/*

# the uplink
iface eth0 inet static
    netmask 24
    address 10.0.0.2
    up echo a
    up echo b
iface eth1 inet dhcp
"""


@pytest.fixture
def root(tmp_path, monkeypatch, call_context):
    """Return files of ifupdown in a directory of their own."""
    for name in ("interfaces.d", "if-up.d", "if-down.d"):
        (tmp_path / name).mkdir()
    (tmp_path / "interfaces").write_text(TEXT)
    monkeypatch.setattr(_files, "NETWORK", str(tmp_path))
    monkeypatch.setattr(_files, "DEFAULTS", str(tmp_path / "networking"))
    call_context(functions={"pkg.version": lambda name: "1"}, grains={"os_family": "Debian"})
    return tmp_path


def test_interfaces_are_read_in_one_order(root):
    assert debian_ip.get_interface("eth0") == [
        "auto eth0\n",
        "iface eth0 inet static\n",
        "    address 10.0.0.2\n",
        "    netmask 24\n",
        "    up echo a\n",
        "    up echo b\n",
        "\n",
    ]
    assert debian_ip.get_interface("eth7") == []
    assert set(read(TEXT)) == {"lo", "eth0", "eth1"}


def test_only_what_a_file_says_of_the_interface_is_replaced():
    changed = replace(TEXT, "eth0", ["auto eth0", "iface eth0 inet dhcp"])

    assert changed == (
        "# mine\nauto eth0\niface eth0 inet dhcp\nauto lo\niface lo inet loopback\n\n"
        "source /etc/network/interfaces.d/*\n\n# the uplink\niface eth1 inet dhcp\n"
    )
    assert replace("", "eth9", ["iface eth9 inet dhcp"]) == "iface eth9 inet dhcp\n"


def test_a_built_interface_is_read_back(root):
    how = {
        "proto": "static",
        "ipaddrs": ["10.1.2.3", "10.1.2.4"],
        "netmask": 24,
        "dns": ["1.1.1.1", "8.8.8.8"],
    }
    more = {"ipv6proto": "static", "ipv6ipaddr": "2001:db8::5", "rx": False}

    built = debian_ip.build_interface("eth9", "eth", True, **how, **more)

    assert built == debian_ip.get_interface("eth9")
    assert "    address 10.1.2.4\n" in built
    assert "    dns-nameservers 1.1.1.1 8.8.8.8\n" in built
    assert "iface eth9 inet6 static\n" in built
    assert "    offload-rx off\n" in built
    assert "# the uplink" in (root / "interfaces").read_text()


def test_commands_with_the_prefix_of_a_family_are_run_with_that_family_only(root):
    how = {"proto": "dhcp", "ipv6proto": "auto", "up_cmds": ["echo both"], "pre_up_cmds": "echo pre"}
    prefixed = {"ipv6up_cmds": ["echo six", "echo 6"], "ipv4post_down_cmds": "echo four"}

    built = debian_ip.build_interface("eth9", "eth", False, test=True, **how, **prefixed)

    assert "".join(built) == (
        "iface eth9 inet dhcp\n    up echo both\n    pre-up echo pre\n    post-down echo four\n"
        "iface eth9 inet6 auto\n    up echo six\n    up echo 6\n    pre-up echo pre\n\n"
    )


def test_test_mode_writes_nothing(root):
    debian_ip.build_interface("eth9", "eth", True, proto="dhcp", test=True)

    assert (root / "interfaces").read_text() == TEXT


@pytest.mark.parametrize(
    ("kind", "settings", "line"),
    [
        ("bridge", {"ports": "eth1 eth2", "stp": False, "fd": 0}, "    bridge_fd 0\n"),
        ("bond", {"slaves": ["eth1", "eth2"], "mode": "802.3ad"}, "    bond-slaves eth1 eth2\n"),
        ("bond", {"slaves": "eth1", "mode": "active-backup", "primary": "eth1"}, "    bond-mode 1\n"),
        ("slave", {"master": "bond0"}, "    bond-master bond0\n"),
        ("vlan", {}, "    vlan-raw-device x\n"),
    ],
)
def test_kinds_of_interfaces_have_lines_of_their_own(root, kind, settings, line):
    assert line in debian_ip.build_interface("x.5", kind, True, proto="dhcp", test=True, **settings)


@pytest.mark.parametrize(
    ("kind", "settings", "expected"),
    [
        ("tunnel", {}, "Option: tunnel, Expected"),
        ("slave", {}, "master is a required setting for slave interfaces"),
        ("eth", {"proto": "statik"}, "Option: proto, Expected: .bootp"),
        ("bond", {"slaves": "a", "mode": "nosuch", "proto": "dhcp"}, "Option: mode"),
    ],
)
def test_slips_are_reported(root, kind, settings, expected):
    with pytest.raises(AttributeError, match=expected):
        debian_ip.build_interface("x", kind, True, **settings)


def test_routes_are_scripts_for_both_directions(root):
    routes = [{"name": "office", "ipaddr": "10.2.0.0", "netmask": 16, "gateway": "10.1.0.1", "metric": 5}]

    built = debian_ip.build_routes("eth0.7", routes=routes)

    assert built == debian_ip.get_routes("eth0.7")
    assert "ip route add 10.2.0.0/16 via 10.1.0.1 dev eth0.7 metric 5\n" in built
    assert (root / "if-down.d" / "route-eth0_7").stat().st_mode & 0o777 == 0o755
    with pytest.raises(AttributeError, match="List of routes"):
        debian_ip.build_routes("eth0")


def test_the_switch_of_the_whole_network_is_set(root):
    (root / "networking").write_text("# mine\nCONFIGURE_INTERFACES=no\nVERBOSE=no\n")

    built = debian_ip.build_network_settings(enabled=True, hostname="m1.example.com")

    assert built[:3] == ["NETWORKING=yes\n", "HOSTNAME=m1\n", "DOMAIN=example.com\n"]
    assert (root / "networking").read_text() == "# mine\nCONFIGURE_INTERFACES=yes\nVERBOSE=no\n"
    with pytest.raises(AttributeError, match="Setting: networking"):
        debian_ip.build_network_settings(enabled="perhaps")


def test_a_bond_has_options_of_the_kernels_module_by_its_mode(root, monkeypatch, call_context):
    done = []
    call_context(
        functions={
            "kmod.load": lambda name: done.append(name),
            "pkg.version": lambda name: "1" if name in done else "",
            "pkg.install": lambda name: done.append(name),
        }
    )
    monkeypatch.setattr(_files, "MODPROBE", str(root))

    planned = debian_ip.build_bond("bond1", mode="active-backup", primary="eth0", miimon=50, test=True)
    written = debian_ip.build_bond("bond0", mode="balance-xor", arp_ip_target=["10.0.0.1", "10.0.0.2"])

    assert planned == [
        "alias bond1 bonding\n",
        "options bond1 mode=1 miimon=50 downdelay=200 updelay=0 use_carrier=1 primary=eth0\n",
    ]
    assert not (root / "bond1.conf").exists()
    assert (root / "bond0.conf").read_text() == "".join(written)
    assert written[1] == "options bond0 mode=2 arp_ip_target=10.0.0.1,10.0.0.2 arp_interval=250\n"
    assert debian_ip.get_bond("bond0") == written
    assert debian_ip.get_bond("bond1") == []
    assert done == ["bonding", "ifenslave"]


def test_a_bond_of_no_known_mode_is_refused(root):
    with pytest.raises(AttributeError, match="Option: mode"):
        debian_ip.build_bond("bond0", mode="fast")
