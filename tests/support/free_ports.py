"""Ports for servers that must know theirs before they start."""

from __future__ import annotations

import random
import socket

#: Below the ports of outgoing connections (`net.ipv4.ip_local_port_range`), one of which could take a port
#: before its server does.
_PORTS = range(12000, 32000)
#: Not the module's generator, which pytest-randomly seeds alike in all workers.
_RANDOM = random.SystemRandom()


def free_port(host: str = "127.0.0.1") -> int:
    """Return a port of a local address on which no process listens."""
    return free_ports(1, host)[0]


def free_ports(count: int, host: str = "127.0.0.1") -> list[int]:
    """Return several ports of a local address on which no process listens."""
    found: list[int] = []
    for port in _RANDOM.sample(_PORTS, len(_PORTS)):
        if len(found) == count:
            break
        if _is_free(host, port):
            found.append(port)
    return found


def _is_free(host: str, port: int) -> bool:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True
