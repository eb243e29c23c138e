"""Connections to a master: name resolution and sockets.

Shared by the daemon and `salt-g call`; tests use a replacement.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from salt_g.errors import NoReply, SaltGError, WireError
from salt_g.minion.connection import masters, port_check
from salt_g.minion.connection.channel import Channel
from salt_g.minion.connection.masters import MasterAddress
from salt_g.minion.connection.minion_identity import MinionIdentity, load_identity
from salt_g.minion.connection.port_check import PortProblem
from salt_g.minion.connection.session import Network
from salt_g.minion.connection.source_address import leaving_from
from salt_g.minion.settings import ConnectorSettings, MasterAccessSettings
from salt_g.transport.port_probe import Kind, Service, service_at
from salt_g.transport.protocols import RequestTransport, SubscribeTransport
from salt_g.transport.request_client import RequestClient
from salt_g.transport.subscriber import Subscriber
from salt_g.transport.zeromq import GreenContext

if TYPE_CHECKING:
    from salt_g.minion.connection.stream_dialer import StreamDialer

log = logging.getLogger(__name__)

#: Maximum number of pending requests to one master.
CONNECTIONS = 4


class Connector:
    """Connector to masters over the network, one for each program. Implements `session.Network`."""

    def __init__(self, settings: ConnectorSettings) -> None:
        self._settings = settings
        self._context = GreenContext()
        self._streams = _stream_dialer(settings)

    def connect(self, place: MasterAddress) -> RequestTransport:
        """Return a client of a master's request server; the master's name is resolved again each time."""
        settings = self._settings
        own_port = settings.source.source_ret_port
        resolved = masters.resolve(place, settings.resolver)
        address = leaving_from(settings.source, resolved, place.port, own_port=own_port)
        # A local port can have only one connection to the same destination.
        connections = 1 if own_port else CONNECTIONS
        if self._streams is not None:
            return self._streams.requests(address, connections)
        return RequestClient(
            address,
            context=self._context,
            connections=connections,
            keepalive_idle=settings.tcp_keepalive_idle,
        )

    def subscribe(
        self,
        place: MasterAddress,
        port: int,
        topics: Sequence[bytes],
        registration: Callable[[], bytes],
    ) -> SubscribeTransport:
        """Return a subscriber of a master's publisher."""
        settings = self._settings
        resolved = masters.resolve(place, settings.resolver)
        address = leaving_from(settings.source, resolved, port, own_port=settings.source.source_publish_port)
        if self._streams is not None:
            return self._streams.subscriber(address, registration)
        return Subscriber(
            address,
            context=self._context,
            topics=topics,
            id=settings.id,
            reconnect=(settings.recon_default, settings.recon_max),
            keepalive_idle=settings.tcp_keepalive_idle,
        )

    def is_alive(self, place: MasterAddress, *, timeout: float) -> bool:
        """Return whether a master's request server accepts connections."""
        try:
            address = masters.resolve(place, self._settings.resolver.once())
        except OSError:
            return False
        return answers(address, place.port, timeout=timeout)

    def request_problem(self, place: MasterAddress) -> PortProblem | None:
        """Return why a master's request server does not answer, or None if the server is listening."""
        address = self._address(place)
        return port_check.of_requests(self._service(address, place.port, "requests"), place, address)

    def publish_problem(self, place: MasterAddress, port: int, announced: int) -> PortProblem | None:
        """Return why no jobs arrive from a master's publish port, or None if a publisher is listening.

        `announced` is the port that the master announced.
        """
        address = self._address(place)
        return port_check.of_publications(
            self._service(address, port, "publications"), address, port, announced
        )

    def _service(self, address: str, port: int, wanted: Kind) -> Service:
        if self._streams is None:
            return service_at(address, port)
        return self._streams.service_at(address, port, wanted)

    def _address(self, place: MasterAddress) -> str:
        """Return a master's address, or the master's name if it cannot be resolved now."""
        try:
            return masters.resolve(place, self._settings.resolver.once())
        except OSError:
            return place.host


def _stream_dialer(settings: ConnectorSettings) -> StreamDialer | None:
    """Return the dialer for `transport: tcp` or `ws`, None for ZeroMQ; raise ConfigError if unusable."""
    if settings.transport == "zeromq":
        return None
    # Imported lazily: it is rarely used, and needs two megabytes with TLS.
    from salt_g.minion.connection.stream_dialer import StreamDialer

    return StreamDialer(settings)


def answers(address: str, port: int, *, timeout: float) -> bool:
    """Return whether a server accepts connections at this address and port."""
    try:
        with socket.create_connection((address, port), timeout):
            return True
    except OSError:
        return False


def open_channel(settings: MasterAccessSettings) -> Channel:
    """Return a program's channel to the first master that accepts us; see `first_channel`."""
    return first_channel(settings, load_identity(settings.identity), Connector(settings.connector))


def first_channel(settings: MasterAccessSettings, identity: MinionIdentity, dialer: Network) -> Channel:
    """Return a channel to the first master that accepts us; if none does, raise the error of the last one.

    If a master does not answer at once, the reason is logged; if another service has its port, that is an
    error, and the next master is tried.
    """
    error: SaltGError | OSError = NoReply("master", 0)
    names = masters.configured(settings.masters)
    for place in masters.places_of(names, settings.masters):
        channel = Channel(settings.channel, identity, partial(dialer.connect, place))
        try:
            channel.sign_in_or_report(partial(_report_silence, dialer, place))
        except (SaltGError, OSError) as exc:
            channel.close()
            error = exc
        else:
            return channel
    raise error


def _report_silence(dialer: Network, place: MasterAddress) -> None:
    """Log why a master does not answer; raise WireError if waiting cannot help."""
    problem = dialer.request_problem(place)
    if problem is None:
        return
    if problem.is_final:
        raise WireError(problem.text)
    log.error("%s", problem.text)
