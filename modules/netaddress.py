"""Network arithmetic: address lists, netmasks and broadcast addresses.

A network is text such as `192.168.0.0/20`; host bits in it are ignored.
"""

from __future__ import annotations

import ipaddress

from salt_g.errors import InvocationError

#: Maximum number of addresses in a list.
_LONGEST_LIST = 1 << 20

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def list_cidr_ips(cidr: str) -> list[str]:
    """Return all addresses of a network, at most 1,048,576.

    Example::

        salt-g netaddress.list_cidr_ips 192.168.0.0/29
    """
    return [str(address) for address in _listable(cidr)]


def list_cidr_ips_ipv6(cidr: str) -> list[str]:
    """Return all addresses of a network in IPv6 notation; IPv4 addresses are mapped (`::ffff:192.168.0.0`).

    Example::

        salt-g netaddress.list_cidr_ips_ipv6 192.168.0.0/29
    """
    network = _listable(cidr)
    prefix = "::ffff:" if network.version == 4 else ""
    return [f"{prefix}{address}" for address in network]


def cidr_netmask(cidr: str) -> str:
    """Return the mask of a network.

    Example::

        salt-g netaddress.cidr_netmask 192.168.0.0/20
    """
    return str(_network(cidr).netmask)


def cidr_broadcast(cidr: str) -> str:
    """Return the broadcast address of a network, or the text `None` for a network too small to have one.

    Example::

        salt-g netaddress.cidr_broadcast 192.168.0.0/20
    """
    network = _network(cidr)
    has_none = network.version == 4 and network.max_prefixlen - network.prefixlen <= 1
    return "None" if has_none else str(network.broadcast_address)


def _listable(cidr: str) -> Network:
    network = _network(cidr)
    if network.num_addresses > _LONGEST_LIST:
        raise InvocationError(
            f"{cidr} has {network.num_addresses} addresses; at most {_LONGEST_LIST} are listed"
        )
    return network


def _network(cidr: str) -> Network:
    try:
        return ipaddress.ip_network(str(cidr), strict=False)
    except ValueError as exc:
        raise InvocationError(f"{cidr!r} is not a network such as 192.168.0.0/20 or 2001:db8::/64") from exc
