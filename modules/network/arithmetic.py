"""Calculations with addresses and networks, independent of this machine."""

from __future__ import annotations

import ipaddress


def calc_net(ip_addr: str, netmask: str | None = None) -> str:
    """Return the network, in CIDR notation, that an address belongs to.

    Example::

        salt-g network.calc_net 172.17.0.5 255.255.255.240
    """
    return str(ipaddress.ip_network(f"{ip_addr}/{netmask}" if netmask is not None else ip_addr, strict=False))


def convert_cidr(cidr: str) -> dict[str, str]:
    """Return network, netmask and broadcast address of a network in CIDR notation.

    Example::

        salt-g network.convert_cidr 172.31.0.0/16
    """
    network = ipaddress.ip_network(cidr, strict=False)
    return {
        "network": str(network.network_address),
        "netmask": str(network.netmask),
        "broadcast": str(network.broadcast_address),
    }


def is_private(ip_addr: str) -> bool:
    """Return whether an address is private.

    Example::

        salt-g network.is_private 10.0.0.3
    """
    return ipaddress.ip_address(ip_addr).is_private


def is_loopback(ip_addr: str) -> bool:
    """Return whether an address is a loopback address.

    Example::

        salt-g network.is_loopback 127.0.0.1
    """
    return ipaddress.ip_address(ip_addr).is_loopback


def reverse_ip(ip_addr: str) -> str:
    """Return the reverse DNS name of an address (`4.3.2.1.in-addr.arpa`).

    Example::

        salt-g network.reverse_ip 1.2.3.4
    """
    return ipaddress.ip_address(ip_addr).reverse_pointer


def iphexval(ip: str) -> str:
    """Return an IPv4 address as eight hexadecimal digits, as PXE names its files.

    Example::

        salt-g network.iphexval 10.0.0.1
    """
    return "".join(f"{int(part):02X}" for part in ip.split("."))
