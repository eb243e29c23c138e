"""Interfaces of this machine, their addresses and networks.

Shapes: the interface dict is that of `salt_g.net.network_interfaces`. Lists of addresses and networks are
sorted numerically and have no duplicates.
"""

from __future__ import annotations

import fnmatch
import ipaddress
import logging
from collections.abc import Iterator, Sequence
from typing import Any

from salt_g.modules.network.arithmetic import is_private
from salt_g.net.network_interfaces import interfaces as read_interfaces

log = logging.getLogger(__name__)
#: Key of an address's netmask (IPv4) or prefix length (IPv6), by the key of its family.
NETWORK_KEY = {"inet": "netmask", "inet6": "prefixlen"}


def interfaces() -> dict[str, dict[str, Any]]:
    """Return all interfaces with state, hardware address and addresses.

    Example::

        salt-g network.interfaces
    """
    return read_interfaces()


def hw_addr(iface: str) -> str:
    """Return the hardware address of an interface, or a message if there is no such interface.

    Example::

        salt-g network.hw_addr eth0
    """
    return str(_of_interface(iface, lambda about: about.get("hwaddr", "")))


def hwaddr(iface: str) -> str:
    """Return the hardware address of an interface (an alias of `hw_addr`).

    Example::

        salt-g network.hwaddr eth0
    """
    return hw_addr(iface)


def interface(iface: str) -> Any:
    """Return the IPv4 addresses of an interface with netmask, broadcast address and label.

    Returns '' if it has none, a message if there is no such interface.

    Example::

        salt-g network.interface eth0
    """
    return _of_interface(iface, lambda about: about.get("inet", ""))


def interface_ip(iface: str) -> str:
    """Return the first IPv4 address of an interface, '' without one, a message without such an interface.

    Example::

        salt-g network.interface_ip eth0
    """
    return str(_of_interface(iface, lambda about: (about.get("inet") or [{"address": ""}])[0]["address"]))


def ip_addrs(
    interface: str | Sequence[str] | None = None,
    include_loopback: bool = False,
    cidr: str | None = None,
    type: str | None = None,
) -> list[str]:
    """Return the IPv4 addresses of this machine.

    `interface` is a glob (or several) of interfaces, `cidr` the network of the addresses, `type` is `public`
    or `private` and is ignored with `cidr`.

    Example::

        salt-g network.ip_addrs cidr=10.0.0.0/8
    """
    found = _addresses("inet", interface, include_loopback)
    if cidr:
        return [address for address in found if in_subnet_of(cidr, [address])]
    if type in ("public", "private"):
        return [address for address in found if is_private(address) is (type == "private")]
    return found


def ipaddrs(
    interface: str | Sequence[str] | None = None,
    include_loopback: bool = False,
    cidr: str | None = None,
    type: str | None = None,
) -> list[str]:
    """Return the IPv4 addresses of this machine (an alias of `ip_addrs`).

    Example::

        salt-g network.ipaddrs
    """
    return ip_addrs(interface, include_loopback, cidr, type)


def ip_addrs6(
    interface: str | Sequence[str] | None = None, include_loopback: bool = False, cidr: str | None = None
) -> list[str]:
    """Return the IPv6 addresses of this machine; `interface` and `cidr` are those of `ip_addrs`.

    Example::

        salt-g network.ip_addrs6
    """
    found = _addresses("inet6", interface, include_loopback)
    return [address for address in found if in_subnet_of(cidr, [address])] if cidr else found


def ipaddrs6(
    interface: str | Sequence[str] | None = None, include_loopback: bool = False, cidr: str | None = None
) -> list[str]:
    """Return the IPv6 addresses of this machine (an alias of `ip_addrs6`).

    Example::

        salt-g network.ipaddrs6
    """
    return ip_addrs6(interface, include_loopback, cidr)


def ip_networks(
    interface: str | Sequence[str] | None = None, include_loopback: bool = False, verbose: bool = False
) -> Any:
    """Return the IPv4 networks of this machine.

    `verbose` gives {network: {"address", "netmask", "num_addresses", "prefixlen"}}.

    Example::

        salt-g network.ip_networks verbose=True
    """
    return _networks("inet", interface, include_loopback, verbose)


def ip_networks6(
    interface: str | Sequence[str] | None = None, include_loopback: bool = False, verbose: bool = False
) -> Any:
    """Return the IPv6 networks of this machine.

    `verbose` gives {network: {"address", "netmask", "num_addresses", "prefixlen"}}.

    Example::

        salt-g network.ip_networks6
    """
    return _networks("inet6", interface, include_loopback, verbose)


def subnets(interfaces: str | Sequence[str] | None = None) -> list[str]:
    """Return the IPv4 networks of this machine, without loopback.

    `interfaces` is a name or a list of names.

    Example::

        salt-g network.subnets
    """
    return _subnets("inet", [interfaces] if isinstance(interfaces, str) else interfaces)


def subnets6() -> list[str]:
    """Return the IPv6 networks of this machine, without loopback.

    Example::

        salt-g network.subnets6
    """
    return _subnets("inet6", None)


def in_subnet(cidr: str) -> bool:
    """Return whether an address of this machine is in a network.

    Example::

        salt-g network.in_subnet 172.17.0.0/16
    """
    return in_subnet_of(cidr, ip_addrs() + ip_addrs6())


def ip_in_subnet(ip_addr: str, cidr: str) -> bool:
    """Return whether an address is in a network.

    Example::

        salt-g network.ip_in_subnet 172.17.0.4 172.16.0.0/12
    """
    return in_subnet_of(cidr, [ip_addr])


def ifacestartswith(cidr: str) -> list[str]:
    """Return the interfaces (or labels) of the IPv4 addresses whose text begins with `cidr`.

    Example::

        salt-g network.ifacestartswith 10.0
    """
    entries = ((name, entry) for name, about in read_interfaces().items() for entry in about.get("inet", []))
    return [entry.get("label", name) for name, entry in entries if entry["address"].startswith(str(cidr))]


def in_subnet_of(cidr: str, addresses: Sequence[str]) -> bool:
    """Return whether one of these addresses is in a network; a malformed network contains no address."""
    try:
        network = ipaddress.ip_network(cidr)
    except ValueError:
        log.error("invalid CIDR %r", cidr)
        return False
    return any(ipaddress.ip_address(address) in network for address in addresses)


def _of_interface(iface: str, read: Any) -> Any:
    table = read_interfaces()
    if iface in table:
        return read(table[iface])
    available = '", "'.join(table)
    message = f'Interface "{iface}" not in available interfaces: "{available}"'
    log.error(message)
    return message


def _entries(family: str, patterns: str | Sequence[str] | None) -> Iterator[dict[str, Any]]:
    """Yield the addresses of a family on the interfaces that match one of the globs."""
    if isinstance(patterns, str):
        patterns = [pattern.strip() for pattern in patterns.split(",")]
    for name, about in read_interfaces().items():
        if patterns is None or any(fnmatch.fnmatch(name, pattern) for pattern in patterns):
            yield from about.get(family, [])
            yield from (entry for entry in about.get("secondary", []) if entry["type"] == family)


def _addresses(family: str, patterns: str | Sequence[str] | None, include_loopback: bool) -> list[str]:
    found: Any = {ipaddress.ip_address(entry["address"]) for entry in _entries(family, patterns)}
    return [str(address) for address in sorted(found) if include_loopback or not address.is_loopback]


def _network_of(family: str, entry: dict[str, Any]) -> Any:
    return ipaddress.ip_network(f"{entry['address']}/{entry[NETWORK_KEY[family]]}", strict=False)


def _networks(
    family: str, patterns: str | Sequence[str] | None, include_loopback: bool, verbose: bool
) -> Any:
    networks: Any = {_network_of(family, entry) for entry in _entries(family, patterns)}
    found = [network for network in sorted(networks) if include_loopback or not network.is_loopback]
    return {str(network): _described(network) for network in found} if verbose else [str(n) for n in found]


def _described(network: Any) -> dict[str, Any]:
    return {
        "address": str(network.network_address),
        "netmask": str(network.netmask),
        "num_addresses": network.num_addresses,
        "prefixlen": network.prefixlen,
    }


def _subnets(family: str, names: Sequence[str] | None) -> list[str]:
    # Here names are compared literally, not as globs.
    entries = _entries(family, None if names is None else [_escaped(name) for name in names])
    networks = {_network_of(family, entry) for entry in entries if not _is_loopback(entry)}
    return [str(network) for network in sorted(networks)]


def _escaped(name: str) -> str:
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)


def _is_loopback(entry: dict[str, Any]) -> bool:
    return ipaddress.ip_address(entry["address"]).is_loopback
