"""Parts of a master that shares a database with others; created with the setting `cluster` only."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, cast

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
from salt_g.errors import StoreError
from salt_g.keys.admission import ACCEPTED
from salt_g.keys.files import KeyFiles
from salt_g.keys.store import Change
from salt_g.master.cluster.cluster_metrics import add_cluster
from salt_g.master.cluster.evacuation import Evacuation
from salt_g.master.cluster.fence import Fence
from salt_g.master.cluster.key_renewals import LONGEST, KeyRenewals
from salt_g.master.cluster.left_calls import LeftCalls
from salt_g.master.cluster.missed_jobs import MissedJobs
from salt_g.master.cluster.relay import EVENT, Relay
from salt_g.master.cluster.shared_gate import SharedGate
from salt_g.master.cluster.shared_presence import SharedPresence
from salt_g.master.cluster.shared_publish_keys import SharedPublishKeys
from salt_g.master.cluster.shared_registration import SharedRegistration
from salt_g.master.composition.network import Network
from salt_g.master.composition.persistence import Persistence
from salt_g.process.offload import offload
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.wire.aes import Crypticle
from salt_g.wire.rsa import PrivateKey

if TYPE_CHECKING:
    from collections.abc import Callable

    from salt_g.master.background.presence import Presence
    from salt_g.master.composition.master_parts import MasterParts
    from salt_g.master.publishing.newcomers import Newcomers
    from salt_g.master.publishing.publication_sender import PublicationSender
    from salt_g.master.publishing.publish_key_rollout import PublishKeyRollout
    from salt_g.master.publishing.restart_barrier import RestartBarrier
    from salt_g.master.resources.facade import Resources
    from salt_g.telemetry.metric_registry import Registry

log = logging.getLogger(__name__)


@dataclass
class Cluster:
    """Master in its cluster. Life: `join_cluster`, then `begin` once all parts are there, then `end`."""

    membership: Membership
    log: Log
    keys: SharedKeys
    banks: SharedBanks
    publish_keys: SharedPublishKeys
    persistence: Persistence
    invitations: SharedInvitations
    fence: Fence
    resources: SharedResourceTable
    renewals: KeyRenewals = field(default_factory=KeyRenewals)
    registration: SharedRegistration | None = None
    left_calls: LeftCalls | None = None
    gate: SharedGate | None = None
    presence: SharedPresence | None = None
    missed: MissedJobs | None = None
    sender: PublicationSender | None = None

    def make_gate(
        self,
        sender: PublicationSender,
        presence: Presence,
        *,
        barrier: RestartBarrier,
        newcomers: Newcomers,
        rotation: PublishKeyRollout,
    ) -> SharedGate:
        """Create the gate of this master's jobs, and what it knows of all minions."""
        store = self.persistence.store
        waits: dict[str, Any] = {"barrier": barrier, "newcomers": newcomers, "rotation": rotation}
        self.sender = sender
        self.gate = SharedGate(store, self.membership, self.log, **waits)
        self.presence = SharedPresence(presence, store, self.membership)
        self.missed = MissedJobs(
            self.persistence.jobs,
            presence.connected,
            self.presence.was_elsewhere,
            drops_repeated=self._drops_repeated,
            send=self.gate.send_again,
        )
        return self.gate

    def decide_together(self, resources: Resources) -> None:
        """Let the leader decide about resources, for the minions of all masters."""
        self.registration = SharedRegistration(
            resources, self.resources, self.membership, self.log, self.keys
        )
        resources.asked = self.registration.commands
        resources.forget = self.registration.forget
        resources.succession.decides = self.membership.is_leader

    def on_change(self, then: Callable[[Change], None], rotate: Callable[[], None], change: Change) -> None:
        """Handle a change of a key by this master, after `then`; a revoked minion knows the publish key.

        `rotate` makes a new one.
        """
        generation = self.publish_keys.generation
        then(change)
        if change.revokes and change.rotates:
            self.renewals.note(rotate, is_new=self.publish_keys.generation != generation)
            if change.offered:
                # No command of an operator ends.
                self.renewals.pay()
        # Not left to the next job: a master that still seals under the old key must learn of it now.
        self.publish_keys.current()

    def settle(self) -> None:
        """Wait until the other masters know the keys that this one has changed."""
        self._renew_owed()
        self.membership.wait_until_read(max(self.keys.ledger.last, self.publish_keys.last))

    def _renew_owed(self) -> None:
        self.renewals.pay()
        self.publish_keys.current()

    def _try_to_renew(self) -> None:
        try:
            self.renewals.pay_old()
            self.publish_keys.current()
        except (StoreError, TimeoutError) as exc:
            log.warning("no new publish key yet: %s", exc)

    def begin(self, parts: MasterParts, network: Network) -> None:
        """Relay, and beat."""
        assert self.sender is not None and self.missed is not None and self.registration is not None
        resources = parts.targeting.resources
        self.missed.held_by = resources.names_of
        relay = Relay(
            bus=network.bus,
            jobs=self.persistence.jobs,
            publish_keys=self.publish_keys,
            running=parts.returns.expected,
            sender=self.sender,
            sessions=parts.publishing.sessions,
            shared=self.log,
            rotation=parts.publishing.rotation,
            missed=self.missed,
            asked_about=resources.jobs.asked_about,
            heard=resources.succession.note,
            sealing=self.membership.sealing,
        )
        for job, ids, age in self.persistence.store.read(RECENT_PUBLICATIONS):
            relay.note_earlier(bytes(job), bytes(ids), age)
        self.log.on_publication = relay.publish
        self.log.on_return = relay.deliver_return
        self.log.kinds = {
            EVENT: relay.deliver_event,
            KIND: partial(_drop_data, parts),
            "key": partial(self._follow_key, parts, network),
            "publish key": relay.adopt_key,
            **self.registration.handlers(),
        }
        self.banks.tell = self.log.tell
        self.keys.ledger.start(self.log.ring)
        network.topics.allow(self.keys.accepted())
        spawn = network.supervisor.spawn
        spawn(self.membership.run, parts.publishing.presence.addresses, name="cluster beats")
        spawn(self.membership.watch, name="cluster watch")
        spawn(self.log.run, name="cluster log")
        spawn(self.log.listen, name="cluster hints")
        spawn(self.log.ring_when_asked, name="cluster bell")
        self.left_calls = self._left_calls(parts, network)
        spawn(self.left_calls.run, name="cluster calls")
        spawn(self.registration.run, name="cluster resources")
        spawn(relay.send_all, name="cluster publications")
        spawn(relay.tell_events, name="cluster events")
        spawn(self.missed.run, name="cluster missed jobs")
        renew = PeriodicLoop("cluster renewals", self._try_to_renew, LONGEST)
        spawn(renew.run, name="cluster renewals")
        evacuation = Evacuation(network.publisher, self.membership.silent, self.membership.set_aside)
        spawn(evacuation.run, name="cluster evacuation")

    def _left_calls(self, parts: MasterParts, network: Network) -> LeftCalls:
        """Let the other masters know what runs here, and go on with what they leave behind."""
        assert self.presence is not None and self.gate is not None
        running = RunningCalls(self.persistence.store, self.membership)
        left = LeftCalls(
            running,
            self.persistence.jobs,
            network.bus,
            leads=self.membership.is_leader,
            settle=self.presence.wait_for_minions_of,
        )
        runners, batches = parts.calls.runner_calls, parts.calls.batches
        rollouts = parts.calls.rollouts.rollouts
        left.resume_batch, left.resume_function = batches.resume, runners.resume
        left.resume_rollout, left.abandon_rollout = rollouts.resume, rollouts.abandon
        runners.wait_for_jobs = self.gate.wait
        for calls in (runners, batches, rollouts):
            calls.on_begin, calls.on_end = left.begin, left.end
            calls.published = running.published
        return left

    def _drops_repeated(self, id: str) -> bool:
        """Return whether a minion runs a job once that comes twice: ours do, and say so in their grains."""
        return "saltgversion" in self.banks.fetch("grains", id)

    def measure(self, metrics: Registry) -> None:
        """Register the metrics of the cluster."""
        add_cluster(metrics, self.membership, self.log)

    def end(self) -> None:
        """Leave the cluster; the last thing of this master before its store stops."""
        self.membership.leave()

    def _follow_key(self, parts: MasterParts, network: Network, id: str, body: bytes) -> None:
        """Apply a change of a key by another master: a session ends with its key."""
        accepted = self.keys.ledger.directories[ACCEPTED]
        before = accepted.read(id)
        self.keys.ledger.refresh(id)
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
        # Not left to the next job: this row counts as read only then.
        self.publish_keys.current()


def join_cluster(settings: ClusterSettings, persistence: Persistence, key: PrivateKey) -> Cluster:
    """Make this master a member; its store has been started. Raise StoreError, ClusterRefused."""
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
        persistence=persistence,
        invitations=SharedInvitations(keys.pki_dir, persistence.store),
        fence=Fence(membership.check_lease),
        resources=SharedResourceTable(persistence.store),
    )


def _drop_data(parts: MasterParts, name: str, body: bytes) -> None:
    """Forget what is in memory of a value that another master stored."""
    _drop_minion(parts, name.partition("/")[2])


def _drop_minion(parts: MasterParts, id: str) -> None:
    parts.serving.minion_data.reread_one(id)
    parts.admission.owners.reread_one(id)
