"""Addresses of the local event buses: UNIX sockets, or loopback ports (`ipc_mode: tcp`).

Shared by servers and clients of a bus, with a hub or without one.
Shapes: an address is the path of a UNIX socket or a `LoopbackPort`.
Units: seconds. Errors: OSError when no daemon listens on an address.
Source: wire specification, section 11; names and ports are stock's.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from typing import Any, NamedTuple


class LoopbackPort(NamedTuple):
    """Loopback port."""

    host: str
    number: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.number}" if ":" in self.host else f"{self.host}:{self.number}"


class EventBusAddresses(NamedTuple):
    """Addresses of a bus: one for outgoing and one for incoming events."""

    pub: str | LoopbackPort
    pull: str | LoopbackPort


def of_master(opts: Mapping[str, Any]) -> EventBusAddresses:
    """Return the addresses of a master's bus from the master's settings."""
    if is_tcp(opts):
        return _ports(opts, "tcp_master_pub_port", "tcp_master_pull_port")
    return _sockets(opts, "master_event")


def of_minion(opts: Mapping[str, Any]) -> EventBusAddresses:
    """Return the addresses of a minion's bus from its settings; socket names contain a hash of the id."""
    if is_tcp(opts):
        return _ports(opts, "tcp_pub_port", "tcp_pull_port")
    import hashlib

    kind = str(opts.get("hash_type") or "sha256")
    return _sockets(opts, f"minion_event_{hashlib.new(kind, str(opts['id']).encode()).hexdigest()[:10]}")


def is_tcp(opts: Mapping[str, Any]) -> bool:
    """Return whether buses use ports instead of UNIX sockets."""
    return opts.get("ipc_mode") == "tcp"


def connect(place: str | LoopbackPort, timeout: float | None = None) -> socket.socket:
    """Connect to an address and return the socket."""
    family, address = address_of(place)
    connection = socket.socket(family, socket.SOCK_STREAM)
    connection.settimeout(timeout)
    try:
        connection.connect(address)
    except OSError:
        connection.close()
        raise
    return connection


def wait_until_read(connection: socket.socket) -> None:
    """Wait until the daemon has read all data sent by TCP, because it cannot identify a closed sender."""
    if connection.family != socket.AF_UNIX:
        from salt_g.net import tcp_table

        tcp_table.wait_until_read(connection)


def address_of(place: str | LoopbackPort) -> tuple[socket.AddressFamily, Any]:
    """Return the address family and the address as Python's sockets expect it."""
    if isinstance(place, str):
        return socket.AF_UNIX, place
    return (socket.AF_INET6 if ":" in place.host else socket.AF_INET), tuple(place)


def _ports(opts: Mapping[str, Any], pub: str, pull: str) -> EventBusAddresses:
    host = "::1" if opts.get("ipv6") else "127.0.0.1"
    return EventBusAddresses(LoopbackPort(host, int(opts[pub])), LoopbackPort(host, int(opts[pull])))


def _sockets(opts: Mapping[str, Any], name: str) -> EventBusAddresses:
    folder = str(opts["sock_dir"])
    return EventBusAddresses(*(os.path.join(folder, f"{name}_{end}.ipc") for end in ("pub", "pull")))
