"""Look-up of one TCP connection in the kernel by its two ends, through netlink.

The kernel finds the connection by its addresses, whereas `/proc/net/tcp` lists all of them: with ten
thousand connections a look-up takes microseconds here and tens of milliseconds there.
Shapes: an end of a connection is an address as `getsockname` returns it.
Errors: OSError if the kernel, the rules of a container or another operating system do not allow the look-up.
Source: sock_diag(7).
"""

from __future__ import annotations

import errno
import functools
import ipaddress
import os
import socket
import struct
from typing import Any, NamedTuple

_SOCK_DIAG_BY_FAMILY = 20
_NETLINK_SOCK_DIAG = 4
_NLM_F_REQUEST, _NLM_F_DUMP = 0x1, 0x300
_NLMSG_ERROR, _NLMSG_DONE = 2, 3
_LISTENING = 1 << 10
#: `inet_diag_sockid.idiag_cookie` of a socket that is not yet known.
_NO_COOKIE = 0xFFFFFFFF
#: Netlink message header: length, type, flags, sequence number, port.
_HEADER = struct.Struct("=IHHII")
#: Query: family, protocol, extensions, padding, states, followed by the two ends, interface and cookie.
_QUERY = struct.Struct("=BBBBI")
_ENDS = struct.Struct("=2s2s16s16sIII")
#: Answer: family, state, timer, retransmissions; the ends; expiry, unread, unsent, user id, inode.
_ANSWER = struct.Struct(f"=BBBB{_ENDS.size}sIIIII")
#: Time limit for the kernel's response (s), and buffer size for one part of it (bytes).
_TIMEOUT, _PART = 1.0, 32 * 1024


class TcpConnection(NamedTuple):
    """State number of a connection (1: established), bytes not read yet, owner, inode (0: closed)."""

    state: int
    unread: int
    uid: int
    inode: int


def find(local: tuple[Any, ...], remote: tuple[Any, ...]) -> TcpConnection | None:
    """Return a connection, seen from its end `local`, or None if it does not exist."""
    _check_offered()
    addresses = [_packed(str(end[0])) for end in (local, remote)]
    ports = [struct.pack("!H", end[1]) for end in (local, remote)]
    ends = (*ports, *(address.ljust(16, b"\0") for address in addresses))
    family = socket.AF_INET if all(len(address) == 4 for address in addresses) else socket.AF_INET6
    kind, body = _ask(family, 0xFFFFFFFF, _NLM_F_REQUEST, ends)
    if kind == _NLMSG_ERROR:
        number = -int(struct.unpack_from("=i", body)[0])
        if number == errno.ENOENT:
            return None
        raise OSError(number, os.strerror(number))
    _, state, _, _, found, _, unread, _, uid, inode = _ANSWER.unpack_from(body)
    # If no such connection exists, the kernel returns the listening socket of the local end.
    return TcpConnection(state, unread, uid, inode) if _ENDS.unpack(found)[1] == ports[1] else None


@functools.cache
def _check_offered() -> None:
    """Raise OSError unless the kernel supports look-ups of TCP sockets.

    Without this check, a kernel without support would seem to have no such connection, because both cases
    have the same error number.
    """
    kind, _ = _ask(socket.AF_INET, _LISTENING, _NLM_F_REQUEST | _NLM_F_DUMP, (b"\0\0", b"\0\0", b"", b""))
    if kind == _NLMSG_ERROR:
        raise OSError(errno.EOPNOTSUPP, "the kernel cannot look up TCP connections")


def _ask(family: int, states: int, flags: int, ends: tuple[bytes, ...]) -> tuple[int, bytes]:
    """Return the type and the body of the first message of the kernel's answer."""
    query = _QUERY.pack(family, socket.IPPROTO_TCP, 0, 0, states) + _ENDS.pack(
        *ends, 0, _NO_COOKIE, _NO_COOKIE
    )
    header = _HEADER.pack(_HEADER.size + len(query), _SOCK_DIAG_BY_FAMILY, flags, 1, 0)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _NETLINK_SOCK_DIAG) as kernel:
        kernel.settimeout(_TIMEOUT)
        kernel.sendto(header + query, (0, 0))
        data = kernel.recv(_PART)
    length, kind, *_ = _HEADER.unpack_from(data)
    return kind, data[_HEADER.size : length]


def _packed(host: str) -> bytes:
    """Return the bytes of an address; the kernel keeps mapped IPv4 addresses as IPv4."""
    ip = ipaddress.ip_address(host.partition("%")[0])
    return (getattr(ip, "ipv4_mapped", None) or ip).packed
