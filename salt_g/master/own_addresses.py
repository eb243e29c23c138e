"""Which addresses are this host's own.

Why its own file: commands in the clear carry secrets, so they are taken from this host only.
Units: seconds.
"""

from __future__ import annotations

import ipaddress
import socket
import time

#: How long an answer holds; addresses come and go with interfaces.
KEPT = 60.0
#: Most answers that are kept.
CAPACITY = 4096


class OwnAddresses:
    """Tells own addresses from others'."""

    def __init__(self) -> None:
        self._answers: dict[str, bool] = {}
        self._since = 0.0

    def __contains__(self, address: str) -> bool:
        now = time.monotonic()
        if now - self._since > KEPT or len(self._answers) > CAPACITY:
            self._answers, self._since = {}, now
        if address not in self._answers:
            self._answers[address] = _is_own(address)
        return self._answers[address]


def _is_own(address: str) -> bool:
    """Return whether a socket can be bound to an address, which says it even for new interfaces."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(ip, "ipv4_mapped", None)
    ip = mapped or ip
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
