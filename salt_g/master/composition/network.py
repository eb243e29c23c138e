"""Sockets of a master that need no other part of it: publish port and event bus, with shared limits."""

from __future__ import annotations

from dataclasses import dataclass

from salt_g.event.bus import Bus
from salt_g.keys.files import KeyFiles
from salt_g.master.calls.clear_command_sources import ClearCommandSources
from salt_g.master.event_sockets import EventSockets
from salt_g.master.publishing.job_readers import JobReaders
from salt_g.master.publishing.subscription_topics import SubscriptionTopics
from salt_g.master.settings import EventSocketSettings
from salt_g.process import fd_limit
from salt_g.process.supervisor import Supervisor
from salt_g.shapes import Opts
from salt_g.transport.carriers import Carrier, carrier_of
from salt_g.transport.connection_limits import ConnectionLimits, shared_by_ports
from salt_g.transport.publisher import Publisher
from salt_g.transport.zeromq import endpoint


@dataclass(frozen=True)
class NetworkParts:
    """Bus and publish port, neither started. `limits` are shared with the request port."""

    supervisor: Supervisor
    bus: Bus
    limits: ConnectionLimits
    topics: SubscriptionTopics
    publisher: Publisher
    readers: JobReaders
    event_sockets: EventSockets
    clear_command_sources: ClearCommandSources
    carrier: Carrier


def compose_network(opts: Opts, key_files: KeyFiles, supervisor: Supervisor) -> NetworkParts:
    """Create the bus and the ports in front of it."""
    bus = Bus(max_event_bytes=opts["max_event_size"])
    limits = shared_by_ports(fd_limit.limit(), opts["max_connections_per_address"])
    topics = SubscriptionTopics()
    topics.allow(key_files.accepted())
    readers = JobReaders()
    carrier = carrier_of(opts)
    return NetworkParts(
        supervisor=supervisor,
        bus=bus,
        limits=limits,
        topics=topics,
        publisher=Publisher(
            [address(opts, "publish_port")],
            supervisor=supervisor,
            high_water=opts["pub_hwm"],
            may_have=topics.may_have,
            places=limits,
            carrier=carrier,
        ),
        readers=readers,
        event_sockets=EventSockets(EventSocketSettings.of(opts), bus, supervisor, readers.of),
        clear_command_sources=ClearCommandSources(opts["clear_commands_from"]),
        carrier=carrier,
    )


def address(opts: Opts, name: str) -> str:
    """Return the address of a port by the name of its setting; 0 is any free port."""
    return endpoint(opts["interface"], opts[name] or "*")
