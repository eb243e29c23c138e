"""Port probe: the kind of service behind a port, by the greeting that every ZeroMQ peer sends first.

Used when a master does not answer, to say why; `streams/stream_probe.py` does the same for `tcp` and `ws`.
One connection is opened and closed; nothing but our own greeting is sent, so a master notices nothing worth a
log line.
Units: seconds; the whole probe takes at most `timeout`.
Source: wire specification, section 2.1; ZeroMQ RFC 37 for greeting and READY.
"""

from __future__ import annotations

import socket
from typing import Literal, NamedTuple

from salt_g.errors import WireError
from salt_g.process.supervisor import deadline_in, seconds_until
from salt_g.wire import zmtp

#: Kind of service: a port of a master (requests, publications), another ZeroMQ socket (zeromq), another
#: protocol (foreign), a port that accepts connections and closes them, as that of a master with another
#: `transport` (refusing), one that accepts connections and sends nothing (silent), or none (closed).
Kind = Literal["requests", "publications", "zeromq", "foreign", "refusing", "silent", "closed"]

#: Timeout of a probe (s): ZeroMQ peers send their greeting as soon as they have accepted a connection.
TIMEOUT = 3.0
_KINDS: dict[str, Kind] = {"ROUTER": "requests", "PUB": "publications", "XPUB": "publications"}
#: Maximum number of bytes read (a greeting and a READY are shorter), and of bytes quoted from a foreign
#: service.
_MOST = 1024
_QUOTED = 40


class Service(NamedTuple):
    """Result of a probe; `detail` is a socket type, a foreign service's first line, or the error."""

    kind: Kind
    detail: str = ""


def service_at(host: str, port: int, *, timeout: float = TIMEOUT) -> Service:
    """Return the kind of service at a port."""
    deadline = deadline_in(timeout)
    try:
        peer = socket.create_connection((host, port), timeout)
    except TimeoutError:
        return Service("closed", f"no answer within {timeout:g} s")
    except OSError as exc:
        return Service("closed", exc.strerror or str(exc))
    with peer:
        try:
            return _greeted(peer, deadline)
        except ConnectionError:
            return Service("refusing")
        except OSError:
            return Service("silent")


def _greeted(peer: socket.socket, deadline: float) -> Service:
    """Exchange greetings and return the kind of service that the peer's READY announces."""
    session = zmtp.ServerSession("DEALER", zmtp.SOCKET_TYPES, max_message=_MOST, max_frames=1)
    peer.sendall(session.take_output())
    received = b""
    while len(received) < _MOST:
        peer.settimeout(max(0.001, seconds_until(deadline) or 0.0))
        data = peer.recv(_MOST)
        if not data:
            return Service("refusing")
        received += data
        session.feed(data)
        try:
            session.next_message()
        except WireError:
            return Service("foreign", _quoted(received))
        if session.is_ready:
            return Service(_KINDS.get(session.peer_type, "zeromq"), session.peer_type)
    return Service("silent")


def _quoted(received: bytes) -> str:
    """Return the first line sent by a foreign service; characters that cannot be printed become `?`."""
    line = received.splitlines()[0][:_QUOTED].decode("ascii", "replace")
    return "".join(char if char.isprintable() else "?" for char in line)
