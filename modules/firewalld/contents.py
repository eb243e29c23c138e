"""Services, masquerading, ports, forwardings, ICMP blocks, interfaces, sources and rich rules of zones."""

from __future__ import annotations

import logging
from typing import Any

from salt_g.modules.firewalld._program import run_firewalld
from salt_g.modules.firewalld.zones import list_all

log = logging.getLogger(__name__)

#: {part of a forwarding in the output of `firewall-cmd`: its name in results}.
_FORWARDING = {
    "port": "Source port",
    "proto": "Protocol",
    "toport": "Destination port",
    "toaddr": "Destination address",
}


def list_services(zone: str | None = None, permanent: bool = True) -> list[str]:
    """Return the services allowed in a zone.

    Example::

        salt-g firewalld.list_services public
    """
    return run_firewalld("--list-services", zone=zone, permanent=permanent).split()


def add_service(service: str, zone: str | None = None, permanent: bool = True) -> str:
    """Allow a service in a zone.

    Example::

        salt-g firewalld.add_service ssh public
    """
    return run_firewalld(f"--add-service={service}", zone=zone, permanent=permanent)


def remove_service(service: str, zone: str | None = None, permanent: bool = True) -> str:
    """Disallow a service in a zone.

    Example::

        salt-g firewalld.remove_service ssh public
    """
    return run_firewalld(f"--remove-service={service}", zone=zone, permanent=permanent)


def get_masquerade(zone: str | None = None, permanent: bool = True) -> bool:
    """Return whether masquerading is enabled in a zone.

    Example::

        salt-g firewalld.get_masquerade public
    """
    return all(about["masquerade"][0] != "no" for about in list_all(zone, permanent).values())


def add_masquerade(zone: str | None = None, permanent: bool = True) -> str:
    """Enable masquerading in a zone.

    Example::

        salt-g firewalld.add_masquerade dmz
    """
    return run_firewalld("--add-masquerade", zone=zone, permanent=permanent)


def remove_masquerade(zone: str | None = None, permanent: bool = True) -> str:
    """Disable masquerading in a zone.

    Example::

        salt-g firewalld.remove_masquerade dmz
    """
    return run_firewalld("--remove-masquerade", zone=zone, permanent=permanent)


def list_ports(zone: str, permanent: bool = True) -> list[str]:
    """Return the ports open in a zone.

    Example::

        salt-g firewalld.list_ports public
    """
    return run_firewalld("--list-ports", zone=zone, permanent=permanent).split()


def add_port(zone: str, port: str, permanent: bool = True, force_masquerade: bool = False) -> str:
    """Open a port in a zone; `force_masquerade` also enables masquerading, always permanently.

    Example::

        salt-g firewalld.add_port internal 443/tcp
    """
    _masquerade(zone, force_masquerade)
    return run_firewalld(f"--add-port={port}", zone=zone, permanent=permanent)


def remove_port(zone: str, port: str, permanent: bool = True) -> str:
    """Close a port in a zone.

    Example::

        salt-g firewalld.remove_port internal 443/tcp
    """
    return run_firewalld(f"--remove-port={port}", zone=zone, permanent=permanent)


def list_port_fwd(zone: str, permanent: bool = True) -> list[dict[str, str]]:
    """Return {"Source port", "Protocol", "Destination port", "Destination address"} of each forwarding.

    Example::

        salt-g firewalld.list_port_fwd public
    """
    found = []
    for line in run_firewalld("--list-forward-ports", zone=zone, permanent=permanent).splitlines():
        # `port=80:proto=tcp:toport=8080:toaddr=`, an IPv6 address may hold colons.
        given = dict(part.split("=", 1) for part in line.split(":", 3))
        found.append({title: given.get(key, "") for key, title in _FORWARDING.items()})
    return found


def add_port_fwd(
    zone: str,
    src: Any,
    dest: Any,
    proto: str = "tcp",
    dstaddr: str = "",
    permanent: bool = True,
    force_masquerade: bool = False,
) -> str:
    """Forward the port `src` of a zone to the port `dest`, optionally at the address `dstaddr`.

    `force_masquerade` is that of `firewalld.add_port`.

    Example::

        salt-g firewalld.add_port_fwd public 80 443 tcp
    """
    _masquerade(zone, force_masquerade)
    word = f"--add-forward-port={_forwarding(src, dest, proto, dstaddr)}"
    return run_firewalld(word, zone=zone, permanent=permanent)


def remove_port_fwd(
    zone: str, src: Any, dest: Any, proto: str = "tcp", dstaddr: str = "", permanent: bool = True
) -> str:
    """Stop forwarding a port; the arguments are those of `firewalld.add_port_fwd`.

    Example::

        salt-g firewalld.remove_port_fwd public 80 443 tcp
    """
    word = f"--remove-forward-port={_forwarding(src, dest, proto, dstaddr)}"
    return run_firewalld(word, zone=zone, permanent=permanent)


def get_icmp_types(permanent: bool = True) -> list[str]:
    """Return the known ICMP types.

    Example::

        salt-g firewalld.get_icmp_types
    """
    return run_firewalld("--get-icmptypes", permanent=permanent).split()


def list_icmp_block(zone: str, permanent: bool = True) -> list[str]:
    """Return the ICMP types that a zone blocks.

    Example::

        salt-g firewalld.list_icmp_block public
    """
    return run_firewalld("--list-icmp-blocks", zone=zone, permanent=permanent).split()


def block_icmp(zone: str, icmp: str, permanent: bool = True) -> str | bool:
    """Block an ICMP type in a zone; return False for an unknown type.

    Example::

        salt-g firewalld.block_icmp public echo-reply
    """
    return _switch_icmp(zone, icmp, permanent, is_blocked=True)


def allow_icmp(zone: str, icmp: str, permanent: bool = True) -> str | bool:
    """Unblock an ICMP type in a zone; return False for an unknown type.

    Example::

        salt-g firewalld.allow_icmp public echo-reply
    """
    return _switch_icmp(zone, icmp, permanent, is_blocked=False)


def get_interfaces(zone: str, permanent: bool = True) -> list[str]:
    """Return the interfaces of a zone.

    Example::

        salt-g firewalld.get_interfaces public
    """
    return run_firewalld("--list-interfaces", zone=zone, permanent=permanent).split()


def add_interface(zone: str, interface: str, permanent: bool = True) -> str:
    """Add an interface to a zone.

    Example::

        salt-g firewalld.add_interface public eth0
    """
    return run_firewalld(f"--add-interface={interface}", zone=zone, permanent=permanent)


def remove_interface(zone: str, interface: str, permanent: bool = True) -> str:
    """Remove an interface from a zone.

    Example::

        salt-g firewalld.remove_interface public eth0
    """
    return run_firewalld(f"--remove-interface={interface}", zone=zone, permanent=permanent)


def get_sources(zone: str, permanent: bool = True) -> list[str]:
    """Return the sources of a zone.

    Example::

        salt-g firewalld.get_sources public
    """
    return run_firewalld("--list-sources", zone=zone, permanent=permanent).split()


def add_source(zone: str, source: str, permanent: bool = True) -> str:
    """Bind an address or network to a zone as a source.

    Example::

        salt-g firewalld.add_source public 10.0.0.0/8
    """
    return run_firewalld(f"--add-source={source}", zone=zone, permanent=permanent)


def remove_source(zone: str, source: str, permanent: bool = True) -> str:
    """Unbind an address or network from a zone.

    Example::

        salt-g firewalld.remove_source public 10.0.0.0/8
    """
    return run_firewalld(f"--remove-source={source}", zone=zone, permanent=permanent)


def get_rich_rules(zone: str, permanent: bool = True) -> list[str]:
    """Return the rich rules of a zone.

    Example::

        salt-g firewalld.get_rich_rules public
    """
    return run_firewalld("--list-rich-rules", zone=zone, permanent=permanent).splitlines()


def add_rich_rule(zone: str, rule: str, permanent: bool = True) -> str:
    """Add a rich rule to a zone.

    Example::

        salt-g firewalld.add_rich_rule public 'rule service name=ssh accept'
    """
    return run_firewalld(f"--add-rich-rule={rule}", zone=zone, permanent=permanent)


def remove_rich_rule(zone: str, rule: str, permanent: bool = True) -> str:
    """Remove a rich rule from a zone.

    Example::

        salt-g firewalld.remove_rich_rule public 'rule service name=ssh accept'
    """
    return run_firewalld(f"--remove-rich-rule={rule}", zone=zone, permanent=permanent)


def _masquerade(zone: str, wanted: bool) -> None:
    if wanted and not get_masquerade(zone):
        add_masquerade(zone)


def _forwarding(src: Any, dest: Any, proto: str, dstaddr: str) -> str:
    return f"port={src}:proto={proto}:toport={dest}:toaddr={dstaddr}"


def _switch_icmp(zone: str, icmp: str, permanent: bool, *, is_blocked: bool) -> str | bool:
    if icmp not in get_icmp_types(permanent):
        log.error("Invalid ICMP type %s", icmp)
        return False
    if (icmp in list_icmp_block(zone, permanent)) is is_blocked:
        return "success"
    verb = "add" if is_blocked else "remove"
    return run_firewalld(f"--{verb}-icmp-block={icmp}", zone=zone, permanent=permanent)
