"""Arithmetic of networks."""

import pytest

from salt_g.errors import InvocationError
from salt_g.modules import netaddress


@pytest.mark.parametrize(
    ("cidr", "listed", "as_ipv6"),
    [
        ("192.168.0.1/31", ["192.168.0.0", "192.168.0.1"], ["::ffff:192.168.0.0", "::ffff:192.168.0.1"]),
        ("10.0.0.1", ["10.0.0.1"], ["::ffff:10.0.0.1"]),
        ("2001:db8::/127", ["2001:db8::", "2001:db8::1"], ["2001:db8::", "2001:db8::1"]),
    ],
)
def test_addresses_are_listed(cidr, listed, as_ipv6):
    assert netaddress.list_cidr_ips(cidr) == listed
    assert netaddress.list_cidr_ips_ipv6(cidr) == as_ipv6


@pytest.mark.parametrize(
    ("cidr", "netmask", "broadcast"),
    [
        ("192.168.0.0/20", "255.255.240.0", "192.168.15.255"),
        ("10.0.0.0/31", "255.255.255.254", "None"),
        ("10.0.0.1", "255.255.255.255", "None"),
        ("2001:db8::/64", "ffff:ffff:ffff:ffff::", "2001:db8::ffff:ffff:ffff:ffff"),
    ],
)
def test_a_network_has_a_mask_and_a_broadcast_address(cidr, netmask, broadcast):
    assert netaddress.cidr_netmask(cidr) == netmask
    assert netaddress.cidr_broadcast(cidr) == broadcast


def test_an_invalid_network_is_reported():
    with pytest.raises(InvocationError, match="'nonsense' is not a network"):
        netaddress.cidr_netmask("nonsense")


def test_unusable_lists_are_refused():
    with pytest.raises(InvocationError, match="2001:db8::/64 has 18446744073709551616 addresses"):
        netaddress.list_cidr_ips("2001:db8::/64")
