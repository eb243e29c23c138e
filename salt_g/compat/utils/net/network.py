"""Stock's `salt.utils.network`: checks of addresses, and the addresses of this machine."""

import ipaddress
import logging
import re
import socket
from collections.abc import Callable
from typing import Any

from salt_g import api
from salt_g.config import minion_id
from salt_g.net import network_interfaces
from salt_g.render.jinja.filters.network import (
    dns_check,
    filter_by_networks,
    gen_mac,
    ip_host,
    ipaddr,
    ipv4,
    ipv6,
    mac_str_to_bytes,
    network_hosts,
    network_size,
)

log = logging.getLogger(__name__)

#: Time limit for connecting to a port (s).
_PORT_TIMEOUT = 5


def is_ip(ip_addr: Any) -> bool:
    """Return whether a text is an IP address."""
    return _parses(ipaddress.ip_address, ip_addr)


def is_ipv4(ip_addr: Any) -> bool:
    """Return whether a text is an IPv4 address."""
    return _parses(ipaddress.IPv4Address, ip_addr)


def is_ipv6(ip_addr: Any) -> bool:
    """Return whether a text is an IPv6 address."""
    return _parses(ipaddress.IPv6Address, ip_addr)


def is_subnet(cidr: Any) -> bool:
    """Return whether a text is a network with a prefix length."""
    return "/" in str(cidr) and _parses(ipaddress.ip_network, cidr)


def is_ipv4_subnet(cidr: Any) -> bool:
    """Return whether a text is an IPv4 network with a prefix length."""
    return "/" in str(cidr) and _parses(ipaddress.IPv4Network, cidr)


def is_ipv6_subnet(cidr: Any) -> bool:
    """Return whether a text is an IPv6 network with a prefix length."""
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


def linux_interfaces() -> dict[str, Any]:
    """Return the network interfaces with their addresses."""
    return interfaces()


def interface(iface: str) -> Any:
    """Return the IPv4 addresses of an interface, or an error text if it is unknown."""
    return api.call("network.interface", iface)


def interface_ip(iface: str) -> Any:
    """Return the first IPv4 address of an interface, or an error text if it is unknown."""
    return api.call("network.interface_ip", iface)


def hw_addr(iface: str) -> Any:
    """Return the hardware address of an interface, or an error text if it is unknown."""
    return api.call("network.hw_addr", iface)


def subnets(interfaces: Any = None) -> list[str]:
    """Return the IPv4 networks of this machine."""
    found: list[str] = api.call("network.subnets", interfaces)
    return found


def subnets6() -> list[str]:
    """Return the IPv6 networks of this machine."""
    found: list[str] = api.call("network.subnets6")
    return found


def is_loopback(ip_addr: Any) -> bool:
    """Return whether an address is a loopback address; raise ValueError if it is malformed."""
    return ipaddress.ip_address(ip_addr).is_loopback


def sanitize_host(host: str) -> str:
    """Return a host name or address without invalid characters."""
    return re.sub(r"[^A-Za-z0-9_.:-]", "", host)


def host_to_ips(host: str) -> list[str] | None:
    """Return the addresses of a name, or None if there are none."""
    try:
        found = socket.getaddrinfo(host, 0, socket.AF_UNSPEC, socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return None
    return list(dict.fromkeys(str(entry[4][0]) for entry in found)) or None


def ip_to_host(ip: str) -> str | None:
    """Return the name of an address, or None if it has none."""
    try:
        return socket.gethostbyaddr(ip)[0]
    except OSError:
        return None


def isportopen(host: str, port: Any) -> bool | int:
    """Return 0 if a TCP port accepts connections, else an error number; False for an invalid port number."""
    if not (str(port).isdigit() and 1 <= int(port) <= 65535):
        return False
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as connection:
        connection.settimeout(_PORT_TIMEOUT)
        try:
            return connection.connect_ex((sanitize_host(host), int(port)))
        except OSError as exc:
            return exc.errno or 1


def ip_bracket(addr: Any, strip: bool = False) -> str:
    """Return an address as in URLs, with IPv6 in brackets unless `strip`; raise ValueError if malformed."""
    bare = ipaddress.ip_address(str(addr).removeprefix("[").removesuffix("]"))
    is_bracketed = bare.version == 6 and not strip
    return f"[{bare.compressed}]" if is_bracketed else bare.compressed


def parse_host_port(host_port: str) -> tuple[str, int | None]:
    """Return (host name or address, port or None); raise ValueError if the text is malformed."""
    text = host_port.strip()
    found = re.fullmatch(r"\[([^\]]+)\](?::(\d+))?", text) or re.fullmatch(r"([^:]+)(?::(\d+))?", text)
    host, port = (found[1], found[2]) if found else (text, None)
    try:
        host = ipaddress.ip_address(host).compressed
    except ValueError:
        if found is None or text.startswith("[") or re.search(r"[\s/]", host):
            raise ValueError(f"{host_port!r} is not a host with or without a port") from None
    return host, int(port) if port else None


def cidr_to_ipv4_netmask(cidr_bits: Any) -> str:
    """Return the netmask of a prefix length, '' for other values."""
    if not str(cidr_bits).isdigit() or not 1 <= int(cidr_bits) <= 32:
        return ""
    return network_interfaces.netmask(int(cidr_bits))


def calc_net(ipaddr: str, netmask: str | None = None) -> str:
    """Return the network of an address, given with a netmask or with a prefix length in the address."""
    return str(ipaddress.ip_network(f"{ipaddr}/{netmask}" if netmask else ipaddr, strict=False))


def hex2ip(hex_ip: str, invert: bool = False) -> str:
    """Return the address for hexadecimal digits; `invert` reverses the byte order of each 32-bit word.

    An IPv4-mapped IPv6 address becomes the IPv4 address. Text that is not hexadecimal is returned unchanged.
    """
    digits = hex_ip.strip().removeprefix("0x")
    if re.fullmatch("[0-9A-Fa-f]+", digits) is None:
        return hex_ip
    words = re.findall(".{8}", digits) if len(digits) == 32 else [digits[:8].zfill(8)]
    raw = b"".join(bytes.fromhex(word)[:: -1 if invert else 1] for word in words)
    address = ipaddress.ip_address(raw)
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)


def mac2eui64(mac: str, prefix: str | None = None) -> str:
    """Return the EUI-64 interface id for a hardware address, or with `prefix` the full IPv6 address."""
    raw = mac_str_to_bytes(mac)
    parts = bytes((raw[0] ^ 2,)) + raw[1:3] + b"\xff\xfe" + raw[3:]
    if prefix is None:
        return ":".join(parts.hex()[place : place + 4] for place in range(0, 16, 4))
    network = ipaddress.ip_network(prefix, strict=False)
    return f"{network[int.from_bytes(parts, 'big')]}/{network.prefixlen}"


def get_socket(addr: Any, type: int = socket.SOCK_STREAM, proto: int = 0) -> socket.socket:
    """Return a new socket for the family of an address."""
    version = ipaddress.ip_address(str(addr).removeprefix("[").removesuffix("]")).version
    return socket.socket(socket.AF_INET if version == 4 else socket.AF_INET6, type, proto)


def get_fqhostname() -> str:
    """Return the name of this machine with its domain."""
    return socket.getfqdn()


def generate_minion_id() -> str:
    """Return the host name that a minion without the setting `id` uses as id."""
    return minion_id.host_name()


def in_subnet(cidr: str, addr: Any = None) -> bool:
    """Return whether an address, by default any address of this machine, is in a network.

    An invalid network is logged and gives False; an invalid address raises ValueError.
    """
    try:
        network = ipaddress.ip_network(cidr)
    except ValueError:
        log.error("%r is not a network", cidr)
        return False
    addresses = [addr] if isinstance(addr, str) else addr or [*ip_addrs(), *ip_addrs6()]
    return any(ipaddress.ip_address(address) in network for address in addresses)


def _parses(read: Callable[[str], Any], text: Any) -> bool:
    try:
        read(str(text).strip())
    except ValueError:
        return False
    return True


def ip_networks(
    interface: Any = None, include_loopback: bool = False, verbose: bool = False, **stock: Any
) -> Any:
    """Return the IPv4 networks of one or all interfaces; with `verbose`, return {network: details}."""
    found = {}
    for name, facts in interfaces().items():
        if interface not in (None, name):
            continue
        for each in facts.get("inet", []):
            network = ipaddress.ip_network(f"{each['address']}/{each['netmask']}", strict=False)
            if include_loopback or not network.is_loopback:
                found[str(network)] = {
                    "address": str(network.network_address),
                    "netmask": str(network.netmask),
                    "num_addresses": network.num_addresses,
                    "prefixlen": network.prefixlen,
                }
    return found if verbose else sorted(found)


def remote_port_tcp(port: Any) -> set[str]:
    """Return the remote addresses to whose `port` this machine is connected."""
    return {each["remote_addr"] for each in _established() if each["remote_port"] == str(port)}


def local_port_tcp(port: Any) -> set[str]:
    """Return the remote addresses that are connected to a port of this machine."""
    return {each["remote_addr"] for each in _established() if each["local_port"] == str(port)}


def is_reachable_host(entity_name: str) -> bool:
    """Return whether a name can be resolved."""
    return bool(host_to_ips(entity_name))


def natural_ipv4_netmask(ip: str, fmt: str = "prefixlen") -> str:
    """Return the classful netmask of an address, as `/8` or, with `fmt="netmask"`, as 255.0.0.0."""
    first = int(ip.split(".")[0])
    bits = 8 if first < 128 else 16 if first < 192 else 24
    return cidr_to_ipv4_netmask(bits) if fmt == "netmask" else f"/{bits}"


def rpad_ipv4_network(ip: str) -> str:
    """Return a partial address such as `10.1` padded with zeros to four parts."""
    return ".".join([*ip.split("."), "0", "0", "0"][:4])


def get_net_start(ipaddr: str, netmask: str) -> str:
    """Return the first address of a network."""
    return str(ipaddress.ip_network(f"{ipaddr}/{netmask}", strict=False).network_address)


def get_net_size(mask: str) -> int:
    """Return the prefix length of a netmask."""
    return ipaddress.ip_network(f"0.0.0.0/{mask}").prefixlen


def _established() -> list[dict[str, str]]:
    """Return the connections of this machine: {local_addr, local_port, remote_addr, remote_port}."""
    found: dict[int, dict[str, str]] = api.call("network.active_tcp")
    return list(found.values())


__all__ = ["calc_net", "cidr_to_ipv4_netmask", "dns_check", "filter_by_networks", "gen_mac", "get_fqhostname"]
__all__ += ["get_socket", "hex2ip", "host_to_ips", "hw_addr", "in_subnet", "interface", "interface_ip"]
__all__ += ["interfaces", "ip_addrs", "ip_addrs6", "ip_bracket", "ip_host", "ip_to_host", "ipaddr"]
__all__ += ["ipv4", "ipv6", "is_ip", "is_ipv4", "is_ipv4_subnet", "is_ipv6", "is_ipv6_subnet", "is_loopback"]
__all__ += ["is_subnet", "isportopen", "linux_interfaces", "mac2eui64", "mac_str_to_bytes", "network_hosts"]
__all__ += ["network_size", "parse_host_port", "sanitize_host", "subnets", "subnets6"]
__all__ += [
    "generate_minion_id",
    "get_net_size",
    "get_net_start",
    "ip_networks",
    "is_reachable_host",
    "local_port_tcp",
]
__all__ += ["natural_ipv4_netmask", "remote_port_tcp", "rpad_ipv4_network"]
