"""Parts of a master that shares a database with other masters; created with the setting `cluster` only."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from salt_g.cache.jobs import Jobs
from salt_g.cache.store import Store
from salt_g.cluster import tables
from salt_g.cluster.log import Log
from salt_g.cluster.membership import Membership
from salt_g.cluster.running_calls import RunningCalls
from salt_g.cluster.shared_banks import SharedBanks
from salt_g.cluster.shared_invitations import SharedInvitations
from salt_g.cluster.shared_keys import SharedKeys
from salt_g.cluster.shared_resources import SharedResourceTable
from salt_g.errors import StoreError
from salt_g.keys.acceptance import KeyChange
from salt_g.master.cluster.cluster_metrics import add_cluster
from salt_g.master.cluster.fence import Fence
from salt_g.master.cluster.key_renewals import KeyRenewals
from salt_g.master.cluster.left_calls import LeftCalls
from salt_g.master.cluster.missed_jobs import MissedJobs
from salt_g.master.cluster.shared_gate import SharedGate
from salt_g.master.cluster.shared_presence import SharedPresence
from salt_g.master.cluster.shared_publish_keys import SharedPublishKeys
from salt_g.master.cluster.shared_registration import SharedRegistration

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from salt_g.event.bus import Bus
    from salt_g.master.background.presence import Presence
    from salt_g.master.publishing.newcomers import Newcomers
    from salt_g.master.publishing.publication_sender import PublicationSender
    from salt_g.master.publishing.publish_key_rollout import PublishKeyRollout
    from salt_g.master.publishing.restart_barrier import RestartBarrier
    from salt_g.master.resources.facade import Resources
    from salt_g.telemetry.metric_registry import MetricRegistry

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class SharedPublishing:
    """Publishing in a cluster: the gate of this master's jobs, and the minions of all masters."""

    sender: PublicationSender
    gate: SharedGate
    presence: SharedPresence


@dataclass(frozen=True)
class Cluster:
    """Parts of one master of a cluster, created and started by `composition/cluster.py`; `end` leaves it."""

    membership: Membership
    log: Log
    keys: SharedKeys
    banks: SharedBanks
    publish_keys: SharedPublishKeys
    store: Store
    jobs: Jobs
    invitations: SharedInvitations
    fence: Fence
    resources: SharedResourceTable
    #: Function that returns whether a minion drops a job that it has received before.
    drops_repeated: Callable[[str], bool]
    renewals: KeyRenewals = field(default_factory=KeyRenewals)

    def share_presence(self, own: Presence) -> SharedPresence:
        """Return the presence of the minions of all masters."""
        return SharedPresence(own, self.store, self.membership)

    def share_publishing(
        self,
        sender: PublicationSender,
        everywhere: SharedPresence,
        *,
        barrier: RestartBarrier,
        newcomers: Newcomers,
        rotation: PublishKeyRollout,
    ) -> SharedPublishing:
        """Return the gate of this master's jobs."""
        gate = SharedGate(
            self.store, self.membership, self.log, barrier=barrier, newcomers=newcomers, rotation=rotation
        )
        return SharedPublishing(sender, gate, everywhere)

    def make_missed_jobs(
        self, shared: SharedPublishing, own: Presence, resources_of: Callable[[str], Iterable[str]]
    ) -> MissedJobs:
        """Return the part that sends missed jobs again; see `MissedJobs` for `resources_of`."""
        return MissedJobs(
            self.jobs,
            own.among,
            shared.presence.was_elsewhere,
            returned=self._returned,
            drops_repeated=self.drops_repeated,
            send=shared.gate.send_many_again,
            resources_of=resources_of,
        )

    def make_left_calls(self, bus: Bus, shared: SharedPublishing) -> LeftCalls:
        """Return the part that records this master's calls, and resumes those left by other masters."""
        return LeftCalls(
            RunningCalls(self.store, self.membership),
            self.jobs,
            bus,
            leads=self.membership.is_leader,
            settle=shared.presence.wait_for_minions_of,
            wait_for_jobs=shared.gate.wait,
        )

    def _returned(self, jids: Sequence[str], names: Sequence[str]) -> set[tuple[str, str]]:
        """Return the pairs (jid, name) that have a stored return; raises StoreError."""
        return {(jid, name) for jid, name in self.store.read(tables.RETURNED, (jids, names))}

    def share_resources(self, resources: Resources) -> SharedRegistration:
        """Return the registration by which the leader decides about all masters' resources."""
        return SharedRegistration(resources, self.resources, self.membership, self.log, self.keys)

    def on_change(
        self, then: Callable[[KeyChange], None], rotate: Callable[[], None], change: KeyChange
    ) -> None:
        """Handle a key change by this master, after `then`; a revoked minion may know the publish key.

        `rotate` makes a new publish key.
        """
        generation = self.publish_keys.generation
        then(change)
        if change.revokes and change.rotates:
            self.renewals.note(rotate, is_new=self.publish_keys.generation != generation)
            if change.offered:
                # A revocation by a sign-in is not part of a command whose end would make the new key.
                self.renewals.renew_pending()
        # Not left to the next job, because a master that still seals under the old key must learn of the new
        # one now.
        self.publish_keys.current()

    def settle(self) -> None:
        """Wait until the other masters know the keys that this one has changed."""
        self._renew_pending()
        self.membership.wait_until_read(max(self.keys.ledger.last, self.publish_keys.last))

    def _renew_pending(self) -> None:
        self.renewals.renew_pending()
        self.publish_keys.current()

    def try_to_renew(self) -> None:
        """Make an overdue publish key; only log a failure, because the next call tries again."""
        try:
            self.renewals.renew_overdue()
            self.publish_keys.current()
        except (StoreError, TimeoutError) as exc:
            log.warning("cannot make a new publish key yet: %s", exc)

    def measure(self, metrics: MetricRegistry) -> None:
        """Register the metrics of the cluster."""
        add_cluster(metrics, self.membership, self.log)

    def end(self) -> None:
        """Leave the cluster, as the last step of this master before its store stops."""
        self.membership.leave()
