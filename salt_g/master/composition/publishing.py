"""Publications of a master: the publish key, the sessions that may read them, and the gate for jobs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from salt_g.master.admission.minion_listeners import MinionListeners
from salt_g.master.admission.sessions import MinionSessions, SessionTable
from salt_g.master.background.presence import Presence
from salt_g.master.composition.network import NetworkParts
from salt_g.master.composition.persistence import Persistence
from salt_g.master.publishing.newcomers import Newcomers
from salt_g.master.publishing.publication_gate import JobGate, PublicationGate
from salt_g.master.publishing.publication_sender import PublicationSender
from salt_g.master.publishing.publish_key_revocation import PublishKeyRevocation
from salt_g.master.publishing.publish_key_rollout import PublishKeyRollout
from salt_g.master.publishing.publish_keys import PublishKeys
from salt_g.master.publishing.restart_barrier import RestartBarrier
from salt_g.master.settings import PublicationSettings
from salt_g.services import daemons as services
from salt_g.shapes import Opts
from salt_g.wire.auth_server import MasterIdentity

if TYPE_CHECKING:
    from salt_g.master.cluster.cluster import Cluster, SharedPublishing


@dataclass(frozen=True)
class Publishing:
    """Publish key, sessions and presence of minions; jobs are sent through `gate`."""

    keys: PublishKeys
    table: SessionTable
    sessions: MinionSessions
    presence: Presence
    rotation: PublishKeyRollout
    revocation: PublishKeyRevocation
    barrier: RestartBarrier
    newcomers: Newcomers
    gate: JobGate
    #: Presence of all minions; in a cluster, also of those that are connected to other masters.
    everywhere: services.Presence
    listeners: MinionListeners
    #: Parts of a cluster, None for a master alone.
    shared: SharedPublishing | None = None


def compose_publishing(
    opts: Opts,
    persistence: Persistence,
    network: NetworkParts,
    identity: MasterIdentity,
    cluster: Cluster | None = None,
) -> Publishing:
    """Create the parts between a job and the publish port."""
    keys = PublishKeys(identity.key) if cluster is None else cluster.publish_keys
    table = SessionTable()
    publisher = network.publisher
    presence = Presence(table, publisher.subscribed, named=publisher.named, nameless=publisher.nameless)
    sender = PublicationSender(
        PublicationSettings.of(opts), key=identity.key, publish_keys=keys, publisher=network.publisher
    )
    rotation = PublishKeyRollout(
        sessions=table,
        publish_keys=keys,
        connected=presence.connected,
        send=sender.send_under_previous,
        supervisor=network.supervisor,
    )
    revocation = PublishKeyRevocation(network.bus, keys, renew=rotation.begin)
    sessions = MinionSessions(
        table, persistence.key_files, lifetime=opts["publish_session"], on_end=revocation.on_end
    )
    newcomers = Newcomers()
    gate: JobGate
    if cluster is None:
        shared = None
        barrier = RestartBarrier(persistence.banks, table, presence)
        gate = PublicationGate(
            sender, barrier=barrier, newcomers=newcomers, rotation=rotation, sessions=sessions
        )
    else:
        everywhere = cluster.share_presence(presence)
        id = cluster.membership.id
        barrier = RestartBarrier(
            persistence.banks, table, presence, master=id, elsewhere=everywhere.elsewhere
        )
        shared = cluster.share_publishing(
            sender, everywhere, barrier=barrier, newcomers=newcomers, rotation=rotation
        )
        gate = shared.gate
    return Publishing(
        keys=keys,
        table=table,
        sessions=sessions,
        presence=presence,
        rotation=rotation,
        revocation=revocation,
        barrier=barrier,
        newcomers=newcomers,
        gate=gate,
        everywhere=presence if shared is None else shared.presence,
        listeners=MinionListeners(),
        shared=shared,
    )
