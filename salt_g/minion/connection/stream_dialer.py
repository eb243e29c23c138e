"""Connections to a master with `transport: tcp` or `ws`.

Errors: ConfigError for settings of transport and TLS that cannot work.
Source: wire specification, section 19.
"""

from __future__ import annotations

from collections.abc import Callable

from salt_g.errors import ConfigError
from salt_g.minion.settings import ConnectorSettings
from salt_g.transport.port_probe import Kind, Service
from salt_g.transport.streams.client_stream import StreamClientSettings, stream_client
from salt_g.transport.streams.stream_probe import stream_service_at
from salt_g.transport.streams.stream_requests import StreamRequests
from salt_g.transport.streams.stream_subscriber import StreamSubscriber
from salt_g.wire.publications import topic_of


class StreamDialer:
    """Factory of clients for a master's two ports; addresses must be resolved already."""

    def __init__(self, settings: ConnectorSettings) -> None:
        self._settings = settings
        self._client = _client(settings)

    def requests(self, address: str, connections: int) -> StreamRequests:
        """Return a client of a request server."""
        return StreamRequests(address, self._client, connections=connections)

    def subscriber(self, address: str, registration: Callable[[], bytes]) -> StreamSubscriber:
        """Return a subscriber of a publisher; it calls `registration` at each connection."""
        settings = self._settings
        return StreamSubscriber(
            address,
            self._client,
            topic=topic_of(settings.id),
            registration=registration,
            reconnect=(settings.recon_default, settings.recon_max),
        )

    def service_at(self, address: str, port: int, wanted: Kind) -> Service:
        """Return the kind of service at a port."""
        return stream_service_at(address, port, self._client, wanted)


def _client(settings: ConnectorSettings) -> StreamClientSettings:
    client = stream_client(settings.transport, settings.ssl, keepalive_idle=settings.tcp_keepalive_idle)
    if client is None:
        raise ConfigError([f"transport: {settings.transport!r} does not use streams"])
    return client
