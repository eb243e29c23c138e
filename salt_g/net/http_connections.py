"""Connections of a public HTTP port, in which slow peers cannot lock out others.

At the limit, a further connection replaces the oldest one whose request is not complete: from the same
address if that is at its own limit, otherwise from the address with the most connections. It is refused if
every connection that it could replace has a complete request.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import logging
import socket
from typing import Any

log = logging.getLogger(__name__)


@dataclasses.dataclass(eq=False)
class HttpConnection:
    """One connection, its progress, and the greenlet that serves it."""

    host: str
    connection: Any
    greenlet: Any = None
    has_head: bool = False
    is_answered: bool = False

    def hang_up(self) -> None:
        """Close the connection; also stop its greenlet, which alone has the socket during a TLS handshake."""
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
        if self.greenlet is not None:
            self.greenlet.kill(block=False)

    def hang_up_without_head(self) -> None:
        """Close the connection if the head of its request has not arrived."""
        if not self.has_head:
            self.hang_up()


class HttpConnections:
    """Connections of one port by the address and port of the peer, the oldest first."""

    def __init__(self, connections: int, per_address: int) -> None:
        self._most = connections
        self._most_of_one = per_address
        self._taken: dict[Any, HttpConnection] = {}

    def __len__(self) -> int:
        return len(self._taken)

    def get(self, peer: Any) -> HttpConnection | None:
        """Return the connection of a peer, or None if it was replaced."""
        return self._taken.get(peer)

    def take(self, peer: Any, connection: Any, *, is_shared: bool = False) -> HttpConnection | None:
        """Register a connection and return it, or None if there is no slot and no connection to replace.

        With `is_shared`, for the address of a proxy, one address can have all connections.
        """
        host = str(peer[0])
        if not self._make_room(host, self._most if is_shared else self._most_of_one):
            return None
        place = self._taken[peer] = HttpConnection(host, connection)
        return place

    def leave(self, peer: Any, connection: Any) -> None:
        """Remove a connection, unless the same address and port already belong to a newer one."""
        place = self._taken.get(peer)
        if place is not None and connection is place.connection:
            del self._taken[peer]

    def _make_room(self, host: str, most_of_one: int) -> bool:
        of_hosts = collections.Counter(place.host for place in self._taken.values())
        if of_hosts[host] >= most_of_one:
            return self._drop_oldest(host)
        if len(self._taken) < self._most:
            return True
        return any(self._drop_oldest(busiest) for busiest, _ in of_hosts.most_common())

    def _drop_oldest(self, host: str) -> bool:
        for peer, place in self._taken.items():
            if place.host == host and not place.is_answered:
                log.info("%s: dropped a connection without a request in favour of a new one", host)
                del self._taken[peer]
                place.hang_up()
                return True
        return False
