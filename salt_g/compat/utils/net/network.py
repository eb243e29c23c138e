"""Stock's `salt.utils.network`: checks of addresses, and this machine's own."""

import ipaddress
import socket
from collections.abc import Callable
from typing import Any

from salt_g import api
from salt_g.net import network_interfaces


def is_ip(ip_addr: Any) -> bool:
    """Return whether a text is an address."""
    return _parses(ipaddress.ip_address, ip_addr)


def is_ipv4(ip_addr: Any) -> bool:
    """Return whether a text is an IPv4 address."""
    return _parses(ipaddress.IPv4Address, ip_addr)


def is_ipv6(ip_addr: Any) -> bool:
    """Return whether a text is an IPv6 address."""
    return _parses(ipaddress.IPv6Address, ip_addr)


def is_subnet(cidr: Any) -> bool:
    """Return whether a text is a network with its prefix."""
    return "/" in str(cidr) and _parses(ipaddress.ip_network, cidr)


def is_ipv4_subnet(cidr: Any) -> bool:
    """Return whether a text is an IPv4 network with its prefix."""
    return "/" in str(cidr) and _parses(ipaddress.IPv4Network, cidr)


def is_ipv6_subnet(cidr: Any) -> bool:
    """Return whether a text is an IPv6 network with its prefix."""
    return "/" in str(cidr) and _parses(ipaddress.IPv6Network, cidr)


def interfaces() -> dict[str, Any]:
    """Return the network interfaces with their addresses."""
    return network_interfaces.interfaces()


def ip_addrs(interface: Any = None, include_loopback: bool = False, **stock: Any) -> list[str]:
    """Return the IPv4 addresses of this machine."""
    found: list[str] = api.call("network.ip_addrs", interface=interface, include_loopback=include_loopback)
    return found


def ip_addrs6(interface: Any = None, include_loopback: bool = False, **stock: Any) -> list[str]:
    """Return the IPv6 addresses of this machine."""
    found: list[str] = api.call("network.ip_addrs6", interface=interface, include_loopback=include_loopback)
    return found


ipaddr, ipaddr6 = ip_addrs, ip_addrs6


def get_fqhostname() -> str:
    """Return the name of this machine with its domain."""
    return socket.getfqdn()


def in_subnet(cidr: str, addr: Any = None) -> bool:
    """Return whether an address, or one of this machine's, is in a network."""
    network = ipaddress.ip_network(cidr, strict=False)
    addresses = [addr] if isinstance(addr, str) else addr or [*ip_addrs(), *ip_addrs6()]
    return any(ipaddress.ip_address(address) in network for address in addresses)


def _parses(read: Callable[[str], Any], text: Any) -> bool:
    try:
        read(str(text).strip())
    except ValueError:
        return False
    return True
