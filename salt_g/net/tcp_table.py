"""Owners and unread bytes of TCP connections, from the kernel's socket diagnosis or from /proc/net/tcp.

Shapes: an end of a connection is an address as `getsockname` returns it. Units: bytes, seconds.
Source: proc(5), `/proc/net/tcp`: addresses are 32-bit words in machine order, in hex. A connection that
its program has closed stays listed for a while, with inode 0 and user 0, and has no owner.
"""

from __future__ import annotations

import ipaddress
import socket
import struct
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from salt_g.net import socket_diag
from salt_g.net.socket_diag import TcpConnection

_TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
#: State of a connection that is open at both ends.
_ESTABLISHED = 1
#: Prefix of IPv4 addresses mapped to IPv6.
_MAPPED = b"\0" * 10 + b"\xff\xff"
#: Time limit of `wait_until_read`, and pause between its checks (s).
_READING, _LOOK = 5.0, 0.005


def owner(local: tuple[Any, ...], remote: tuple[Any, ...]) -> int | None:
    """Return the user id that owns the end `local` of an established connection, or None if unknown."""
    return owner_among(rows(local, remote))


def owner_among(found: Iterable[TcpConnection]) -> int | None:
    """Return the owner of the established connections among these, or None unless there is exactly one."""
    owners = {row.uid for row in found if row.state == _ESTABLISHED and row.inode}
    # Only one socket can be this end, so two owners mean that the table changed while it was read.
    return owners.pop() if len(owners) == 1 else None


def rows(local: tuple[Any, ...], remote: tuple[Any, ...]) -> Iterable[TcpConnection]:
    """Return the kernel's entries for a connection, seen from its end `local`."""
    try:
        found = socket_diag.find(local, remote)
    except OSError:
        # Some containers forbid socket diagnostics, and some kernels lack them.
        return listed(local, remote)
    return () if found is None else (found,)


def listed(
    local: tuple[Any, ...], remote: tuple[Any, ...], tables: Iterable[str] = _TABLES
) -> Iterator[TcpConnection]:
    """Yield the rows of the tables for a connection, seen from its end `local`."""
    wanted = {f" {one[0]} {one[1]} ".encode("ascii") for one in _forms(local, remote)}
    for table in tables:
        try:
            with open(table, "rb") as file:
                data = file.read()
        except OSError:
            # A system without IPv6 has only one table; without any table, nothing is known.
            continue
        for needle in wanted:
            yield from _found(data, needle)


def wait_until_read(connection: socket.socket, *, pause: Callable[[float], Any] = time.sleep) -> None:
    """Wait until the other end, on this machine, has read all sent data, or a time limit passes.

    The connection must stay open meanwhile, because a closed one has no owner.
    """
    if connection.family == socket.AF_UNIX:
        return
    deadline = time.monotonic() + _READING
    try:
        ends = connection.getpeername(), connection.getsockname()
    except OSError:
        return
    while any(row.unread and row.state == _ESTABLISHED for row in rows(*ends)):
        if time.monotonic() > deadline:
            return
        pause(_LOOK)


def _found(data: bytes, needle: bytes) -> Iterator[TcpConnection]:
    place = data.find(needle)
    while place >= 0:
        # sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode ...
        rest = data[place + len(needle) :].split(b"\n", 1)[0].split()
        if len(rest) >= 7:
            unread = int(rest[1].partition(b":")[2], 16)
            yield TcpConnection(int(rest[0], 16), unread, int(rest[4]), int(rest[6]))
        place = data.find(needle, place + 1)


def _forms(*ends: tuple[Any, ...]) -> set[tuple[str, ...]]:
    """Return the notations of both ends that the kernel may use: unchanged, as IPv4, and as mapped IPv4."""
    packed = [_packed(str(end[0])) for end in ends]
    forms = [packed]
    if all(len(address) == 4 for address in packed):
        forms.append([_MAPPED + address for address in packed])
    return {
        tuple(f"{_words(address)}:{end[1]:04X}" for address, end in zip(form, ends, strict=True))
        for form in forms
    }


def _packed(host: str) -> bytes:
    ip = ipaddress.ip_address(host.partition("%")[0])
    return (getattr(ip, "ipv4_mapped", None) or ip).packed


def _words(packed: bytes) -> str:
    return "".join(f"{word:08X}" for (word,) in struct.iter_unpack("=I", packed))
