"""Common parts of all connecting ZeroMQ sockets: the green socket, options, addresses.

Faults of green sockets are worked around here, with these rules:

* Waiting never uses a poller. The FD of a ZeroMQ socket also signals internal commands; a green poller
  takes it for readable, finds nothing and spins (pyzmq 27.3, seen after peers disconnected). The
  socket's own watcher reads the events each time, which clears the FD.
* The FD is edge-triggered, and every send or receive may consume the edge that the other direction waits
  for. pyzmq checks again after each operation; if an edge is lost nevertheless, it checks after 11.6 s
  (27.3). `GreenSocket` checks every second.
* A second greenlet waiting in the same direction ends in an AssertionError (27.3), so each socket has one
reader and one writer. Closing a socket raises an error in a greenlet that waits on it, so owners end the
greenlets first.

Units: seconds, except where a ZeroMQ option expects ms.
"""

from __future__ import annotations

import ipaddress
import os
from typing import Any

import zmq.green as zmq

#: Maximum size of a peer's message (bytes); libzmq closes the connection if a message is larger.
MAX_MESSAGE = 64 * 1024 * 1024
#: ZMTP heartbeats (ms): interval between pings, and silence after which a peer is considered dead.
HEARTBEAT_INTERVAL_MS = 10_000
HEARTBEAT_TIMEOUT_MS = 30_000


class GreenSocket(zmq.Socket):  # type: ignore[type-arg]  # not subscriptable at run time
    """ZeroMQ socket that switches greenlets when it waits; `_gevent_bug_timeout` is pyzmq's name."""

    _gevent_bug_timeout = 1.0


class GreenContext(zmq.Context):  # type: ignore[type-arg]  # not subscriptable at run time
    """Factory of green sockets; one per daemon."""

    _socket_class = GreenSocket

    def socket(self, *args: Any, **kwargs: Any) -> Any:
        """Return a new socket; raises OSError when the process has no free file descriptor."""
        try:
            return super().socket(*args, **kwargs)
        except zmq.ZMQError as exc:
            number = exc.errno or 0
            raise OSError(number, f"cannot create a socket: {os.strerror(number)}") from exc


def endpoint(host: str, port: int | str) -> str:
    """Return the ZeroMQ address of a host (name, IPv4 or IPv6) and port ('*': any free one)."""
    bare = host.strip("[]")
    return f"tcp://[{bare}]:{port}" if is_ipv6(bare) else f"tcp://{bare}:{port}"


def is_ipv6(host: str) -> bool:
    """Return whether `host` is an IPv6 address."""
    try:
        return ipaddress.ip_address(host.strip("[]").partition("%")[0]).version == 6
    except ValueError:
        return False


def set_link_options(socket: Any, address: str, *, idle: int, max_message: int = MAX_MESSAGE) -> None:
    """Set options of a connecting socket: size limit, heartbeats, keepalive (`idle` in s), IPv6 if needed.

    The receive queue is unlimited, because libzmq stops reading when it is full, and aborts the process when
    such a connection breaks while a PING waits to be answered or sent (4.3.5).
    """
    socket.setsockopt(zmq.MAXMSGSIZE, max_message)
    socket.setsockopt(zmq.RCVHWM, 0)
    socket.setsockopt(zmq.TCP_KEEPALIVE, 1)
    socket.setsockopt(zmq.TCP_KEEPALIVE_IDLE, idle)
    socket.setsockopt(zmq.HEARTBEAT_IVL, HEARTBEAT_INTERVAL_MS)
    socket.setsockopt(zmq.HEARTBEAT_TIMEOUT, HEARTBEAT_TIMEOUT_MS)
    if address.startswith("tcp://[") or ";[" in address:
        socket.setsockopt(zmq.IPV6, 1)


def port_of(address: str) -> int:
    """Return the port of a ZeroMQ address."""
    return int(address.rpartition(":")[2])
