"""Membership of a master in a cluster, and its connection to the parts of the master."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from salt_g.cluster.cluster_settings import ClusterSettings
from salt_g.cluster.log import Log, LogHandlers
from salt_g.cluster.membership import Membership
from salt_g.cluster.sealing import Sealing
from salt_g.cluster.shared_banks import KIND, SharedBanks
from salt_g.cluster.shared_invitations import SharedInvitations
from salt_g.cluster.shared_keys import SharedKeys
from salt_g.cluster.shared_resources import SharedResourceTable
from salt_g.cluster.shared_tokens import SharedTokens
from salt_g.cluster.tables import RECENT_PUBLICATIONS, SLOTS
from salt_g.keys.admission import ACCEPTED
from salt_g.keys.files import KeyFiles
from salt_g.master.cluster.cluster import Cluster, SharedPublishing
from salt_g.master.cluster.evacuation import Evacuation
from salt_g.master.cluster.fence import Fence
from salt_g.master.cluster.key_renewals import LONGEST
from salt_g.master.cluster.missed_jobs import MissedJobs
from salt_g.master.cluster.relay import EVENT, Relay
from salt_g.master.cluster.shared_publish_keys import SharedPublishKeys
from salt_g.master.composition.network import NetworkParts
from salt_g.master.composition.persistence import Persistence
from salt_g.process.offload import offload
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.wire.aes import Crypticle
from salt_g.wire.rsa import PrivateKey

if TYPE_CHECKING:
    from collections.abc import Callable

    from salt_g.master.composition.master_parts import MasterParts


def join_cluster(settings: ClusterSettings, persistence: Persistence, key: PrivateKey) -> Cluster:
    """Join the cluster with this master, whose store has been started. Raise StoreError, ClusterRefused."""
    sealing = Sealing(key)
    membership = Membership(persistence.store, settings.id, sealing)
    joined = membership.join(lambda: offload(Crypticle.generate).text)
    keys = cast(SharedKeys, persistence.key_files)
    shared = Log(persistence.store, settings.url, membership)
    shared.start(joined.serial)
    keys.ledger.import_files(KeyFiles(keys.pki_dir))
    keys.ledger.start(shared.ring)
    cast(SharedTokens, persistence.tokens).start(sealing)
    persistence.jobs.take_slot(membership.member.slot, SLOTS)
    return Cluster(
        membership=membership,
        log=shared,
        keys=keys,
        banks=cast(SharedBanks, persistence.banks),
        publish_keys=SharedPublishKeys(key, persistence.store, sealing, joined),
        store=persistence.store,
        jobs=persistence.jobs,
        invitations=SharedInvitations(keys.pki_dir, persistence.store),
        fence=Fence(membership.check_lease),
        resources=SharedResourceTable(persistence.store),
        drops_repeated=persistence.drops_repeated,
    )


def start_cluster(cluster: Cluster, parts: MasterParts, network: NetworkParts) -> None:
    """Connect a member to the parts of its master, start its loops, and accept minions."""
    shared, registration, missed = parts.publishing.shared, parts.targeting.shared_registration, parts.missed
    left = parts.records.left
    assert shared is not None
    assert registration is not None
    assert missed is not None
    assert left is not None
    relay = _relay(cluster, shared, missed, parts, network)
    handlers = LogHandlers(
        relay.publish,
        relay.deliver_return,
        relay.is_return_wanted,
        {
            EVENT: relay.deliver_event,
            KIND: partial(_drop_data, parts),
            "key": partial(_follow_key, cluster, parts, network),
            "publish key": relay.adopt_key,
            **registration.handlers(),
        },
    )
    cluster.banks.start(cluster.log.announce)
    # From this beat on, the other masters wait until this master has read their key changes. `ledger.start`
    # reads the earlier ones, however long startup has taken.
    cluster.membership.try_to_beat(parts.publishing.presence.addresses)
    cluster.keys.ledger.start(cluster.log.ring)
    network.topics.allow(cluster.keys.accepted())
    spawn = network.supervisor.spawn
    spawn(cluster.membership.run, parts.publishing.presence.addresses, name="cluster beats")
    spawn(cluster.membership.watch, name="cluster watch")
    spawn(cluster.log.run, handlers, name="cluster log")
    spawn(cluster.log.listen, name="cluster hints")
    spawn(cluster.log.ring_when_asked, name="cluster bell")
    rollouts = parts.calls.rollouts.rollouts
    spawn(left.run, parts.calls.resumers(), rollouts.abandon, name="cluster calls")
    spawn(registration.run, name="cluster resources")
    spawn(relay.send_all, name="cluster publications")
    spawn(relay.send_events, name="cluster events")
    spawn(missed.run, name="cluster missed jobs")
    renew = PeriodicLoop("cluster renewals", cluster.try_to_renew, LONGEST)
    spawn(renew.run, name="cluster renewals")
    evacuation = Evacuation(network.publisher, cluster.membership.silent, cluster.membership.set_aside)
    spawn(evacuation.run, name="cluster evacuation")
    # Not before the accepted keys are known, because peers do not repeat a subscription that was refused.
    network.publisher.accept(
        partial(_with_minion, network, missed.note_subscribed),
        partial(_with_minion, network, missed.note_left),
    )


def _relay(
    cluster: Cluster, shared: SharedPublishing, missed: MissedJobs, parts: MasterParts, network: NetworkParts
) -> Relay:
    """Return the relay, after giving it the publications of the last minutes."""
    resources = parts.targeting.resources
    relay = Relay(
        bus=network.bus,
        jobs=cluster.jobs,
        publish_keys=cluster.publish_keys,
        running=parts.returns.expected,
        sender=shared.sender,
        sessions=parts.publishing.sessions,
        shared=cluster.log,
        rotation=parts.publishing.rotation,
        missed=missed,
        asked_about=resources.jobs.asked_about,
        on_job=resources.takeover_notice.note,
        sealing=cluster.membership.sealing,
    )
    for job, ids, age in cluster.store.read(RECENT_PUBLICATIONS):
        relay.note_earlier(bytes(job), bytes(ids), age)
    return relay


def _with_minion(network: NetworkParts, note: Callable[[str], None], topic: bytes) -> None:
    """Call `note` with the accepted minion that a topic names, if there is one."""
    id = network.topics.minion_of(topic)
    if id is not None:
        note(id)


def _follow_key(cluster: Cluster, parts: MasterParts, network: NetworkParts, id: str, body: bytes) -> None:
    """Apply a key change by another master; a session ends with its key."""
    accepted = cluster.keys.ledger.directories[ACCEPTED]
    before = accepted.read(id)
    cluster.keys.ledger.refresh(id)
    now = accepted.read(id)
    if before == now:
        return
    if now is None:
        network.topics.forget(id)
        parts.serving.pillar_cache.forget(id)
    else:
        network.topics.allow((id,))
    _drop_minion(parts, id)
    parts.publishing.sessions.end_replaced(id)
    # Not left to the next job, because the other masters rely on the new key once this row counts as read.
    cluster.publish_keys.current()


def _drop_data(parts: MasterParts, name: str, body: bytes) -> None:
    """Drop the in-memory copy of a value that another master has stored or removed."""
    _drop_minion(parts, name.partition("/")[2])


def _drop_minion(parts: MasterParts, id: str) -> None:
    parts.serving.minion_data.reread_one(id)
    parts.admission.owners.reread_one(id)
