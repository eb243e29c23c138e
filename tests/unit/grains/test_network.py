"""Grains of an interface dict."""

from salt_g.grains.network import from_interfaces

TABLE = {
    "lo": {
        "up": True,
        "hwaddr": "00:00:00:00:00:00",
        "inet": [{"address": "127.0.0.1"}],
        "inet6": [{"address": "::1"}],
    },
    "eth0": {
        "up": True,
        "hwaddr": "02:fc:00:00:00:01",
        "inet": [{"address": "192.0.2.20"}, {"address": "192.0.2.3"}],
        "secondary": [{"type": "inet", "address": "192.0.2.100"}],
    },
    "tun0": {"up": False},
}


def test_addresses_are_listed_by_interface_secondary_ones_last():
    found = from_interfaces(TABLE)

    assert found["ip4_interfaces"] == {
        "lo": ["127.0.0.1"],
        "eth0": ["192.0.2.20", "192.0.2.3", "192.0.2.100"],
        "tun0": [],
    }
    assert found["ip6_interfaces"] == {"lo": ["::1"], "eth0": [], "tun0": []}
    assert found["ip_interfaces"]["lo"] == ["127.0.0.1", "::1"]


def test_all_addresses_are_sorted_as_numbers():
    found = from_interfaces(TABLE)

    assert found["ipv4"] == ["127.0.0.1", "192.0.2.3", "192.0.2.20", "192.0.2.100"]
    assert found["ipv6"] == ["::1"]


def test_an_interface_without_a_hardware_address_is_left_out_of_those():
    assert set(from_interfaces(TABLE)["hwaddr_interfaces"]) == {"lo", "eth0"}
