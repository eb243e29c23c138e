"""Addresses from which unencrypted commands are accepted.

Unencrypted commands carry secrets, so they are accepted from this host only, and from the hosts named by the
setting `clear_commands_from`.
Units: seconds.
Errors: ConfigError for a value that is neither an address nor a network.
"""

from __future__ import annotations

import ipaddress
import socket
import time
from collections.abc import Iterable
from typing import Any

from salt_g.errors import ConfigError

#: How long an answer is cached (s); addresses change with interfaces.
KEPT = 60.0
#: Maximum number of cached answers.
CAPACITY = 4096


class ClearCommandSources:
    """Set of addresses that may send clear-text commands: this host's, and those in the networks `others`."""

    def __init__(self, others: Iterable[Any] = ()) -> None:
        self._others = [_network(one) for one in others]
        self._answers: dict[str, bool] = {}
        self._since = 0.0

    def __contains__(self, address: str) -> bool:
        now = time.monotonic()
        if now - self._since > KEPT or len(self._answers) > CAPACITY:
            self._answers, self._since = {}, now
        if address not in self._answers:
            self._answers[address] = _is_own(address) or self._is_named(address)
        return self._answers[address]

    def _is_named(self, address: str) -> bool:
        ip = _ip(address)
        return ip is not None and any(ip in network for network in self._others)


def _network(text: Any) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    try:
        return ipaddress.ip_network(str(text), strict=False)
    except ValueError as exc:
        raise ConfigError([f"clear_commands_from: {exc}; write addresses or networks"]) from exc


def _ip(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return an address, IPv4-mapped IPv6 as IPv4; None if invalid."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return getattr(ip, "ipv4_mapped", None) or ip


def _is_own(address: str) -> bool:
    """Return whether an address is this host's: a socket can be bound to it, even on a new interface."""
    ip = _ip(address)
    if ip is None:
        return False
    if ip.is_loopback:
        return True
    if ip.is_unspecified or ip.is_multicast:
        return False
    with socket.socket(socket.AF_INET6 if ip.version == 6 else socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((str(ip), 0))
        except OSError:
            return False
    return True
