"""Listening ports of the loopback, and who is at the other end of a connection to one.

Why its own file: `unix_socket.py` asks the kernel through the socket. Of a TCP connection on one machine the
kernel's table of connections says to which user the other end belongs.
Errors: OSError for a port that is taken.
Source: proc(5), `/proc/net/tcp`: addresses are 32-bit words of the machine, in hex.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from gevent import socket

from salt_g.bus_places import Port
from salt_g.transport.unix_socket import Credentials

_TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
#: What IPv4 looks like inside of IPv6.
_MAPPED = b"\0" * 10 + b"\xff\xff"


def listen_on(port: Port) -> Any:
    """Bind a port of the loopback."""
    family = socket.AF_INET6 if ":" in port.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(tuple(port))
    except OSError as exc:
        listener.close()
        raise OSError(exc.errno, f"{port} cannot be bound: {exc.strerror}") from exc
    listener.listen(128)
    return listener


def owner_of(peer: tuple[Any, ...], own: tuple[Any, ...]) -> Credentials | None:
    """Return whose the other end of a connection is; None when it is gone.

    `peer` and `own` are the addresses of the two ends. The kernel names the user alone, the rest is -1.
    """
    ends = [_in_table(peer, own), _in_table(peer, own, is_mapped=True)]
    for local, remote, uid in _connections():
        if (local, remote) in ends:
            return Credentials(pid=-1, uid=uid, gid=-1)
    return None


def _connections() -> Iterator[tuple[str, str, int]]:
    """Yield (local end, remote end, user) of each TCP connection, ends as the kernel writes them."""
    for table in _TABLES:
        try:
            with open(table, encoding="ascii") as lines:
                next(lines, None)
                for line in lines:
                    # sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid ...
                    _, local, remote, _, _, _, _, uid, *_ = line.split(None, 8)
                    yield local, remote, int(uid)
        except OSError:
            # Without IPv6 there is one table; without any, nobody is let in.
            continue


def _in_table(*ends: tuple[Any, ...], is_mapped: bool = False) -> tuple[str, ...]:
    """Return the ends of a connection as the kernel writes them."""
    return tuple(f"{_words(end[0], is_mapped)}:{end[1]:04X}" for end in ends)


def _words(host: str, is_mapped: bool) -> str:
    packed = socket.inet_pton(socket.AF_INET6 if ":" in host else socket.AF_INET, host)
    if is_mapped and len(packed) == 4:
        packed = _MAPPED + packed
    return "".join(f"{word:08X}" for (word,) in struct.iter_unpack("=I", packed))
