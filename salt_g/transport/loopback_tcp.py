"""Listening ports on the loopback interface, and the user at the other end of a connection.

`unix_socket.py` asks the kernel through the socket. For a TCP connection within one machine the kernel's
connection table names the user of the other end.
Errors: OSError for a port that is in use.
"""

from __future__ import annotations

import _socket as plain_sockets
import os
from typing import Any

from gevent import socket

from salt_g.net import tcp_table
from salt_g.net.event_bus_addresses import LoopbackPort
from salt_g.process.offload import offload
from salt_g.transport.unix_socket import PeerCredentials

#: `TCP_ESTABLISHED`, a value of the first byte of `TCP_INFO`.
_ESTABLISHED = 1


def listen_on(port: LoopbackPort) -> Any:
    """Return a socket that listens on a port of the loopback interface."""
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


def owner_of(peer: tuple[Any, ...], own: tuple[Any, ...]) -> PeerCredentials | None:
    """Return the owner of the other end of an established connection, or None if it is closed or unknown.

    `peer` and `own` are the addresses of the two ends. The kernel names only the user; the other fields
    are -1.
    """
    uid = tcp_table.owner(peer, own)
    return None if uid is None else PeerCredentials(pid=-1, uid=uid, gid=-1)


def user_behind(descriptor: int, address: str) -> int | None:
    """Return the local user at the other end of a connection, or None if that is uncertain.

    The descriptor is duplicated, so that the connection stays open during the look-up. The user is uncertain
    unless the peer still has the given address.
    """
    if descriptor < 0:
        return None
    try:
        connection = plain_sockets.socket(fileno=os.dup(descriptor))
    except (OSError, ValueError):
        return None
    try:
        if connection.getpeername()[0] != address:
            return None
        found = other_end(connection)
    except OSError:
        return None
    finally:
        connection.close()
    return None if found is None else found.uid


def other_end(connection: Any) -> PeerCredentials | None:
    """Return the user at the other end of a connection, or None if unknown or an end is closed.

    The table is read first and the connection is checked afterwards: as long as it is established here,
    no later connection can have its addresses, so the table entry belonged to this one.
    """
    try:
        found = offload(owner_of, connection.getpeername(), connection.getsockname())
        info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)
    except OSError:
        return None
    return found if info[0] == _ESTABLISHED else None
