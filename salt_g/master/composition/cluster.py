"""Membership of a master in a cluster, and its connection to the parts of the master."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from salt_g.cluster.cluster_settings import ClusterSettings
from salt_g.cluster.log import Log
from salt_g.cluster.membership import Membership
from salt_g.cluster.running_calls import RunningCalls
from salt_g.cluster.sealing import Sealing
from salt_g.cluster.shared_banks import KIND, SharedBanks
from salt_g.cluster.shared_invitations import SharedInvitations
from salt_g.cluster.shared_keys import SharedKeys
from salt_g.cluster.shared_resources import SharedResourceTable
from salt_g.cluster.shared_tokens import SharedTokens
from salt_g.cluster.tables import RECENT_PUBLICATIONS, SLOTS
from salt_g.data.run_record import RunHooks
from salt_g.keys.admission import ACCEPTED
from salt_g.keys.files import KeyFiles
from salt_g.master.cluster.cluster import Cluster, SharedPublishing
from salt_g.master.cluster.evacuation import Evacuation
from salt_g.master.cluster.fence import Fence
from salt_g.master.cluster.key_renewals import LONGEST
from salt_g.master.cluster.left_calls import LeftCalls
from salt_g.master.cluster.relay import EVENT, Relay
from salt_g.master.cluster.shared_publish_keys import SharedPublishKeys
from salt_g.master.composition.network import Network
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


def start_cluster(cluster: Cluster, parts: MasterParts, network: Network) -> LeftCalls:
    """Connect a member to the parts of its master, and start its loops; return the watcher of left calls."""
    shared, registration = parts.publishing.shared, parts.targeting.registration
    assert shared is not None
    assert registration is not None
    shared.missed.held_by = parts.targeting.resources.names_of
    relay = _relay(cluster, shared, parts, network)
    cluster.log.on_publication = relay.publish
    cluster.log.on_return, cluster.log.is_return_wanted = relay.deliver_return, relay.is_return_wanted
    cluster.log.kinds = {
        EVENT: relay.deliver_event,
        KIND: partial(_drop_data, parts),
        "key": partial(_follow_key, cluster, parts, network),
        "publish key": relay.adopt_key,
        **registration.handlers(),
    }
    cluster.banks.announce = cluster.log.announce
    network.publisher.on_named = partial(_with_minion, network, shared.missed.note_subscribed)
    network.publisher.on_unnamed = partial(_with_minion, network, shared.missed.note_left)
    # From this beat on, the other masters wait for this master with their decisions. Their earlier decisions
    # are read here, however long the start of this master has taken.
    cluster.membership.try_to_beat(parts.publishing.presence.addresses)
    cluster.keys.ledger.start(cluster.log.ring)
    network.topics.allow(cluster.keys.accepted())
    spawn = network.supervisor.spawn
    spawn(cluster.membership.run, parts.publishing.presence.addresses, name="cluster beats")
    spawn(cluster.membership.watch, name="cluster watch")
    spawn(cluster.log.run, name="cluster log")
    spawn(cluster.log.listen, name="cluster hints")
    spawn(cluster.log.ring_when_asked, name="cluster bell")
    left_calls = _left_calls(cluster, shared, parts, network)
    spawn(left_calls.run, name="cluster calls")
    spawn(registration.run, name="cluster resources")
    spawn(relay.send_all, name="cluster publications")
    spawn(relay.send_events, name="cluster events")
    spawn(shared.missed.run, name="cluster missed jobs")
    renew = PeriodicLoop("cluster renewals", cluster.try_to_renew, LONGEST)
    spawn(renew.run, name="cluster renewals")
    evacuation = Evacuation(network.publisher, cluster.membership.silent, cluster.membership.set_aside)
    spawn(evacuation.run, name="cluster evacuation")
    return left_calls


def _relay(cluster: Cluster, shared: SharedPublishing, parts: MasterParts, network: Network) -> Relay:
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
        missed=shared.missed,
        asked_about=resources.jobs.asked_about,
        on_job=resources.succession.note,
        sealing=cluster.membership.sealing,
    )
    for job, ids, age in cluster.store.read(RECENT_PUBLICATIONS):
        relay.note_earlier(bytes(job), bytes(ids), age)
    return relay


def _with_minion(network: Network, note: Callable[[str], None], topic: bytes) -> None:
    """Call `note` with the accepted minion that a topic names, if there is one."""
    id = network.topics.minion_of(topic)
    if id is not None:
        note(id)


def _left_calls(
    cluster: Cluster, shared: SharedPublishing, parts: MasterParts, network: Network
) -> LeftCalls:
    """Return the watcher that records this master's calls and resumes those left by other masters."""
    running = RunningCalls(cluster.store, cluster.membership)
    left = LeftCalls(
        running,
        cluster.jobs,
        network.bus,
        leads=cluster.membership.is_leader,
        settle=shared.presence.wait_for_minions_of,
    )
    runners, batches = parts.calls.runner_calls, parts.calls.batches
    rollouts = parts.calls.rollouts.rollouts
    left.resume_batch, left.resume_function = batches.resume, runners.resume
    left.resume_rollout, left.abandon_rollout = rollouts.resume, rollouts.abandon
    for calls in (runners, batches, rollouts):
        calls.hooks = RunHooks(left.begin, left.end, running.recipients, shared.gate.wait, running.is_noted)
    return left


def _follow_key(cluster: Cluster, parts: MasterParts, network: Network, id: str, body: bytes) -> None:
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
