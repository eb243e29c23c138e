"""Port probe for `tcp` and `ws`: the kind of service that a minion finds at a port.

It is the counterpart of `transport/port_probe.py`. These transports have no greeting that names the port: a
request port is recognized by its answer to a `ping`, a publish port by its silence after the handshake.
Units: seconds; each step of a probe (connection, handshake, answer) takes at most `timeout`.
Source: wire specification, section 19.
"""

from __future__ import annotations

import gevent
import gevent.socket

from salt_g.errors import WireError
from salt_g.transport.port_probe import TIMEOUT, Kind, Service
from salt_g.transport.streams.client_stream import StreamAddress, StreamClientSettings
from salt_g.transport.streams.stream_requests import PATH
from salt_g.wire.packing import pack

#: Silence after the handshake from which a port counts as a publish port, if one is expected (s).
QUIET = 1.0
#: Request that a master answers without doing anything; the version is the one that masters require.
_PING = pack({"enc": "clear", "version": 3, "load": {"cmd": "ping"}})


def stream_service_at(
    host: str, port: int, client: StreamClientSettings, wanted: Kind, *, timeout: float = TIMEOUT
) -> Service:
    """Return the kind of service at a port; a silent port counts as a publish port if that is `wanted`."""
    place = StreamAddress(host, port)
    try:
        with gevent.Timeout(timeout, TimeoutError(f"no answer within {timeout:g} s")):
            connected = client.dial(place)
    except OSError as exc:
        return Service("closed", exc.strerror or str(exc))
    with connected:
        return _service_on(connected, place, client, wanted, timeout)


def _service_on(
    connected: gevent.socket.socket,
    place: StreamAddress,
    client: StreamClientSettings,
    wanted: Kind,
    timeout: float,
) -> Service:
    """Return the kind of service at the other end of a connection."""
    is_open = False
    try:
        with gevent.Timeout(timeout, TimeoutError()):
            stream = client.open_on(connected, place, path=PATH)
            stream.send(stream.messages.encode(_PING))
        is_open = True
        with gevent.Timeout(QUIET if wanted == "publications" else timeout, TimeoutError()):
            stream.receive()
    except TimeoutError:
        return Service("publications" if is_open and wanted == "publications" else "silent")
    except WireError as exc:
        return Service("refusing", str(exc))
    except OSError:
        return Service("refusing")
    return Service("requests")
