"""Local end of connections to a master: interface, address and ports of this machine.

Four settings determine the first part of a ZeroMQ address.
Source: stock's `source_interface_name`, `source_address`, `source_ret_port`, `source_publish_port`; ZeroMQ's
`tcp://source;destination`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.minion.settings import SourceSettings
from salt_g.shapes import Facts
from salt_g.transport.zeromq import endpoint, is_ipv6

log = logging.getLogger(__name__)

#: {whether the family is IPv6: key of the addresses of an interface}
_FAMILIES = {False: "inet", True: "inet6"}


def _interfaces() -> dict[str, Facts]:
    from salt_g.net.network_interfaces import interfaces  # Imported lazily: rarely set.

    return interfaces()


def leaving_from(
    settings: SourceSettings,
    destination: str,
    port: int,
    *,
    own_port: int,
    interfaces: Callable[[], Mapping[str, Mapping[str, Any]]] = _interfaces,
) -> str:
    """Return the ZeroMQ address of a destination (an IP address), including the configured source, if any.

    `own_port` is the local port, 0 for any. If the interface is missing, down or has no address of the
    destination's family, a warning is logged and the system chooses the source.
    """
    address = _address(settings, is_ipv6(destination), interfaces)
    target = endpoint(destination, port)
    if not address and not own_port:
        return target
    anywhere = "::" if is_ipv6(destination) else "0.0.0.0"
    way_out = endpoint(address or anywhere, own_port)
    return f"{way_out};{target.removeprefix('tcp://')}"


def _address(
    settings: SourceSettings, is_six: bool, interfaces: Callable[[], Mapping[str, Mapping[str, Any]]]
) -> str:
    name = settings.source_interface_name
    if not name:
        return settings.source_address
    entry = interfaces().get(name, {})
    addresses = [found["address"] for found in entry.get(_FAMILIES[is_six], ())]
    if addresses and entry.get("up"):
        return str(addresses[0])
    log.warning("source_interface_name: %s is missing, down or has no address; ignored", name)
    return ""
