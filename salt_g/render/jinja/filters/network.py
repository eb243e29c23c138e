"""Filters for addresses and networks, and two that access the network.

Shapes: a value is an address in text form (`10.0.0.1`, `10.0.0.1/8`, `fe80::1`) or a list of addresses;
`options` are required properties, separated by commas (`private, loopback`).
"""

from __future__ import annotations

import ipaddress
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import GeneratorType
from typing import Any

from salt_g import api

#: Time limit of a connection check (s).
_CONNECT_LIMIT = 2.0
#: Address properties that the options of filters require, by option.
_PROPERTIES = {
    **dict.fromkeys(("link-local", "linklocal", "ll", "link_local"), "is_link_local"),
    **dict.fromkeys(("loopback", "lo"), "is_loopback"),
    **dict.fromkeys(("site-local", "sl", "site_local"), "is_site_local"),
    "multicast": "is_multicast",
    "private": "is_private",
    "reserved": "is_reserved",
    "unspecified": "is_unspecified",
}
#: Options that require a non-private address.
_PUBLIC = ("global", "public")


def is_ip(value: Any, options: str | None = None) -> bool:
    """Return whether the value is an address of either version with these properties."""
    return is_ipv4(value, options) or is_ipv6(value, options)


def is_ipv4(value: Any, options: str | None = None) -> bool:
    """Return whether the value is an IPv4 address with these properties."""
    return _address(value, 4, options) is not None


def is_ipv6(value: Any, options: str | None = None) -> bool:
    """Return whether the value is an IPv6 address with these properties."""
    return _address(value, 6, options) is not None


def ipv4(value: Any, options: str | None = None) -> Any:
    """Return the value if it is an IPv4 address, else None; filter the items of a list."""
    return _addresses(value, 4, options)


def ipv6(value: Any, options: str | None = None) -> Any:
    """Return the value if it is an IPv6 address, else None; filter the items of a list."""
    return _addresses(value, 6, options)


def ipaddr(value: Any, options: str | None = None) -> Any:
    """Return the value if it is an address, else None; of a list return the addresses, IPv4 first."""
    four, six = ipv4(value, options), ipv6(value, options)
    return four or six if four is None or six is None else four + six


def ip_host(value: Any, options: str | None = None, version: int | None = None) -> Any:
    """Return an address with its prefix length, in interface notation."""
    return _each_network(value, options, version, lambda entry: str(ipaddress.ip_interface(entry)))


def network_hosts(value: Any, options: str | None = None, version: int | None = None) -> Any:
    """Return the host addresses of a network."""
    return _each_network(
        value, options, version, lambda entry: [str(host) for host in _network(entry).hosts()]
    )


def network_size(value: Any, options: str | None = None, version: int | None = None) -> Any:
    """Return the number of addresses in a network."""
    return _each_network(value, options, version, lambda entry: _network(entry).num_addresses)


def ipwrap(value: Any) -> Any:
    """Compress an IPv6 address, or each in a list, and put it in brackets; return other values unchanged."""
    if isinstance(value, (list, tuple)):
        return [ipwrap(item) for item in value]
    if not is_ipv6(value):
        return value
    address, slash, prefix = str(value).strip("[]").partition("/")
    return f"[{ipaddress.IPv6Address(address).compressed}{slash}{prefix}]"


def filter_by_networks(values: Any, networks: Iterable[str] | None) -> Any:
    """Return the addresses of a list, or of each list in a mapping, that are in one of the networks."""
    if networks is None:
        return values
    nets = [ipaddress.ip_network(network) for network in networks]
    if isinstance(values, Mapping):
        return {name: _within(addresses, nets) for name, addresses in values.items()}
    if isinstance(values, Sequence):
        return _within(values, nets)
    raise ValueError(f"Do not know how to filter a {type(values)}")


def mac_str_to_bytes(mac: str) -> bytes:
    """Return a MAC address (`aabbccddeeff`, or with separators) as six bytes; raise ValueError if invalid."""
    if len(mac) == 17:
        mac = mac.replace(mac[2], "")
    if len(mac) != 12:
        raise ValueError("Invalid MAC address")
    return bytes.fromhex(mac)


def gen_mac(prefix: str = "AC:DE:48") -> str:
    """Return a random MAC address with the given prefix."""
    return ":".join([f"{prefix}", *(f"{random.randint(0, 255):02X}" for _ in range(3))])


def dns_check(name: str, port: int, safe: bool = False, ipv6: bool | None = None) -> str:
    """Resolve a name to an address, if possible to one that accepts connections on the port.

    Raise OSError if the name cannot be resolved.
    """
    import socket  # Imported lazily, as below: 3 ms at every state run for two rarely used filters.

    family = {True: socket.AF_INET6, False: socket.AF_INET, None: socket.AF_UNSPEC}[ipv6]
    try:
        found = socket.getaddrinfo(name, port, family, socket.SOCK_STREAM)
    except OSError as exc:
        raise OSError(f"DNS lookup or connection check of '{name}' failed.") from exc
    addresses = [str(entry[4][0]) for entry in found]
    if not addresses:
        raise OSError(f"DNS lookup or connection check of '{name}' failed.")
    return str(ipwrap(next((it for it in addresses if _answers(it, port)), addresses[0])))


def http_query(url: str, *args: Any, **kwargs: Any) -> Any:
    """Return the result of `http.query`."""
    return api.call("http.query", url, *args, **kwargs)


def _address(value: Any, version: int, options: str | None) -> str | None:
    """Return the address as Python formats it, or None if it has the wrong version or lacks a property."""
    for read in (ipaddress.ip_address, ipaddress.ip_interface):
        try:
            address = read(value)
        except ValueError:
            continue
        is_meant = address.version == version and _has_properties(address, options)
        return str(address) if is_meant else None
    return None


def _has_properties(address: Any, options: str | None) -> bool:
    wanted = [option.strip() for option in options.split(",")] if options else []
    if any(option in _PUBLIC for option in wanted) and address.is_private:
        return False
    return all(getattr(address, _PROPERTIES[option], False) for option in wanted if option in _PROPERTIES)


def _addresses(value: Any, version: int, options: str | None) -> Any:
    if isinstance(value, (str, bytes)):
        return _address(value, version, options)
    if isinstance(value, (list, tuple, GeneratorType)):
        found = (_address(item, version, options) for item in value)
        return [address for address in found if address is not None]
    return None


def _each_network(value: Any, options: str | None, version: int | None, read: Callable[[str], Any]) -> Any:
    pick = {4: ipv4, 6: ipv6}.get(version or 0, ipaddr)
    found = pick(value, options)
    if not found:
        return None
    return [read(entry) for entry in found] if isinstance(found, list) else read(found)


def _network(entry: str) -> Any:
    return ipaddress.ip_network(entry, strict=False)


def _within(addresses: Iterable[str], nets: Iterable[Any]) -> list[str]:
    return [address for address in addresses for net in nets if ipaddress.ip_address(address) in net]


def _answers(address: str, port: int) -> bool:
    import socket

    try:
        socket.create_connection((address, port), timeout=_CONNECT_LIMIT).close()
    except OSError:
        return False
    return True


FILTERS: dict[str, Callable[..., Any]] = {
    "is_ip": is_ip,
    "is_ipv4": is_ipv4,
    "is_ipv6": is_ipv6,
    "ipaddr": ipaddr,
    "ipv4": ipv4,
    "ipv6": ipv6,
    "ip_host": ip_host,
    "network_hosts": network_hosts,
    "network_size": network_size,
    "ipwrap": ipwrap,
    "filter_by_networks": filter_by_networks,
    "mac_str_to_bytes": mac_str_to_bytes,
}
VOLATILE: dict[str, Callable[..., Any]] = {
    "gen_mac": gen_mac,
    "dns_check": dns_check,
    "http_query": http_query,
}
