"""Stock's `salt.utils.validate.net`: checks of addresses."""

import ipaddress
import re


def mac(addr: str) -> bool:
    """Return whether a text is a hardware address."""
    return re.fullmatch(r"[0-9a-f]{2}([:-])[0-9a-f]{2}(\1[0-9a-f]{2}){4}", addr, re.IGNORECASE) is not None


def ipv4_addr(addr: str) -> bool:
    """Return whether a text is an IPv4 address, optionally with a prefix length."""
    return _is_interface(addr, 4)


def ipv6_addr(addr: str) -> bool:
    """Return whether a text is an IPv6 address, optionally with a prefix length."""
    return _is_interface(addr, 6)


def ip_addr(addr: str) -> bool:
    """Return whether a text is an IP address, optionally with a prefix length."""
    return _is_interface(addr, 4, 6)


def netmask(mask: str) -> bool:
    """Return whether a text is a netmask such as 255.255.255.0, or a prefix length."""
    if not isinstance(mask, str):
        return False
    try:
        network = ipaddress.IPv4Network(f"0.0.0.0/{mask}")
    except ValueError:
        return False
    return mask in (str(network.netmask), str(network.prefixlen))


def _is_interface(addr: str, *versions: int) -> bool:
    """Return whether text is an address without a zone, optionally with a prefix length above 0."""
    _, slash, prefix = addr.partition("/")
    if "%" in addr or (slash and not (prefix.isdigit() and int(prefix))):
        return False
    try:
        return ipaddress.ip_interface(addr).version in versions
    except ValueError:
        return False


__all__ = ["ip_addr", "ipv4_addr", "ipv6_addr", "mac", "netmask"]
