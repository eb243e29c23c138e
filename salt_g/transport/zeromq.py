"""What all connecting ZeroMQ sockets of salt-g share: the green socket, options, addresses.

Why its own file: the faults of green sockets are worked around once, here and in the rules below.

* Waiting never uses a poller. The FD of a ZeroMQ socket tells of internal commands too; a green
  poller takes it for readable, finds nothing and spins (pyzmq 27.3, seen after peers went away). The
  sockets' own watcher reads the events each time, which clears the FD.
* The FD is edge-triggered, and every send or receive may consume the edge that the other
  direction waits for. pyzmq looks again after each operation; where an edge is lost all the same it
  looks after 11.6 s (27.3). `GreenSocket` looks every second.
* A second greenlet waiting in the same direction ends in an AssertionError (27.3): one reader, one
  writer. A socket closed under a waiting greenlet raises in it: owners end the greenlets first.

Units: seconds, except where a ZeroMQ option wants ms.
"""

from __future__ import annotations

import ipaddress
import os
from typing import Any

import zmq.green as zmq

#: Largest message that a peer may send (bytes); libzmq closes the connection of a larger one.
MAX_MESSAGE = 64 * 1024 * 1024
#: ZMTP heartbeats (ms): how often to ping, and how long without a sign of life a peer is gone.
HEARTBEAT_INTERVAL_MS = 10_000
HEARTBEAT_TIMEOUT_MS = 30_000


class GreenSocket(zmq.Socket):  # type: ignore[type-arg]  # not subscriptable at run time
    """A ZeroMQ socket that waits as a greenlet; `_gevent_bug_timeout` is pyzmq's own name."""

    _gevent_bug_timeout = 1.0


class GreenContext(zmq.Context):  # type: ignore[type-arg]  # not subscriptable at run time
    """Makes green sockets; one for each daemon."""

    _socket_class = GreenSocket

    def socket(self, *args: Any, **kwargs: Any) -> Any:
        """Return a new socket; raises OSError when the process has no descriptors for it."""
        try:
            return super().socket(*args, **kwargs)
        except zmq.ZMQError as exc:
            number = exc.errno or 0
            raise OSError(number, f"no socket can be made: {os.strerror(number)}") from exc


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
    """Set what a connecting socket needs: size limit, signs of life, IPv6 where it is used; `idle` in s.

    The queue of what came has no limit in messages: libzmq stops reading where it is full, and ends the
    process when such a connection breaks while a PING waits to be answered or sent (4.3.5).
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
