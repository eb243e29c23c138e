"""TCP connections of this machine, read from /proc/net.

Source: proc_net(5): addresses are hexadecimal, in four-byte words, each in the host's byte order.
"""

from __future__ import annotations

import dataclasses
import os
import socket
import sys

#: State of an established connection in /proc/net/tcp.
ESTABLISHED = "01"
#: Files and the address family of each.
TABLES = {"tcp": socket.AF_INET, "tcp6": socket.AF_INET6}


@dataclasses.dataclass(frozen=True)
class End:
    """One end of a connection."""

    address: str
    port: int


def established(root: str = "/") -> list[tuple[End, End]]:
    """Return (local, remote) of all established TCP connections, IPv4 first."""
    found = []
    for name, family in TABLES.items():
        for line in _rows(os.path.join(root, "proc/net", name)):
            _, local, remote, state, *_ = line.split()
            if state == ESTABLISHED:
                found.append((_end(local, family), _end(remote, family)))
    return found


def _rows(path: str) -> list[str]:
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            return file.read().splitlines()[1:]
    except OSError:
        return []


def _end(text: str, family: int) -> End:
    address, _, port = text.partition(":")
    raw = bytes.fromhex(address)
    if sys.byteorder == "little":
        raw = b"".join(raw[i : i + 4][::-1] for i in range(0, len(raw), 4))
    written = socket.inet_ntop(family, raw)
    # An IPv4 connection on an IPv6 socket.
    return End(written.removeprefix("::ffff:"), int(port, 16))
