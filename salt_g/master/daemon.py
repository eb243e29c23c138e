"""The master daemon: the order of start and stop of its parts, which `composition/` creates.

Lifecycle: `start` (raises the errors that make a start impossible), `supervisor.wait`, `stop`.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Any

from salt_g.cache.store_choice import check_alone
from salt_g.keys.pair import log_if_readable
from salt_g.master.admission import session_persistence
from salt_g.master.admission.master_identity import NAME, load_identity, warm_up
from salt_g.master.background import maintenance
from salt_g.master.composition.master_parts import MasterParts, compose_master
from salt_g.master.composition.network import compose_network
from salt_g.master.composition.persistence import compose_persistence
from salt_g.master.composition.publishing import Publishing
from salt_g.master.lifecycle import Lifecycle
from salt_g.master.settings import MasterIdentitySettings
from salt_g.process.offload import offload
from salt_g.process.supervisor import Supervisor
from salt_g.shapes import Opts
from salt_g.telemetry.daemon_metrics import DaemonMetrics
from salt_g.transport.zeromq import port_of
from salt_g.wire.auth_server import MasterIdentity

if TYPE_CHECKING:
    from salt_g.master.cluster.cluster import Cluster

log = logging.getLogger(__name__)


class Master:
    """Master daemon; `opts` are its settings."""

    def __init__(self, opts: Opts) -> None:
        self.supervisor = Supervisor("master")
        self._opts = opts
        self._metrics = DaemonMetrics(opts, self.supervisor)
        self._running = Lifecycle()
        self._persistence = compose_persistence(opts)
        self._network = compose_network(opts, self._persistence.key_files, self.supervisor)
        #: Bound ports by the names of their settings.
        self._ports = {"publish_port": 0, "ret_port": 0}

    def start(self) -> None:
        """Listen on all sockets, the request port last, so that every request can be answered."""
        self._running.begin(self._persistence.store.start, self._persistence.store.stop)
        self._persistence.user_keys.make()
        publisher = self._network.publisher
        self._running.begin(publisher.bind, publisher.stop)
        self._ports["publish_port"] = port_of(publisher.addresses[0])
        identity = offload(load_identity, MasterIdentitySettings.of(self._opts), self._ports["publish_port"])
        log_if_readable(str(self._opts["pki_dir"]), NAME)
        warm_up(identity)
        cluster = self._join(identity)
        parts = compose_master(
            self._opts, self._persistence, self._network, identity, self._metrics.registry, cluster
        )
        parts.targeting.resources.start()
        if cluster is None:
            publisher.accept()
            self._restore_sessions(parts.publishing)
            self._running.at_the_end(partial(self._save_sessions, parts.publishing))
        else:
            # No sessions to restore: they end with a master of a cluster, because its minions move to other
            # masters.
            parts.publishing.barrier.begin()
            self._running.at_the_end(parts.publishing.barrier.note_at_the_end)
            from salt_g.master.composition.cluster import start_cluster

            start_cluster(cluster, parts, self._network)
        self._begin_background(parts)
        # Pending publications are sent before the greenlets end, because one of the greenlets sends them.
        self._running.at_the_end(self.supervisor.stop, publisher.drain)
        self._begin_servers(parts)
        for own in parts.records.own:
            own.resume(parts.calls.resumers(), parts.publishing.barrier.wait_for_all)
            self._running.at_the_end(own.close)
        if parts.records.left is not None:
            self._running.at_the_end(parts.records.left.close)
        self._ports["ret_port"] = port_of(parts.servers.requests.addresses[0])
        log.info("listening on ports %(publish_port)d (publish) and %(ret_port)d (requests)", self._ports)

    def _join(self, identity: MasterIdentity) -> Cluster | None:
        """Join the cluster if the setting `cluster` is on; raises StoreError."""
        if not self._opts.get("cluster"):
            check_alone(self._persistence.store, self._opts)
            return None
        # Imported lazily: a master alone needs nothing of a cluster.
        from salt_g.cluster.cluster_settings import ClusterSettings
        from salt_g.master.composition.cluster import join_cluster

        settings = ClusterSettings.of(self._opts)
        assert settings is not None
        cluster = join_cluster(settings, self._persistence, identity.key)
        self._running.at_the_end(cluster.end)
        return cluster

    def status(self) -> dict[str, Any]:
        """Return the status fields for the service manager."""
        return {
            "STATUS": f"{len(self._persistence.key_files.accepted())} accepted keys",
            "X_RET_PORT": self._ports["ret_port"],
            "X_PUBLISH_PORT": self._ports["publish_port"],
        }

    def stop(self) -> bool:
        """Stop the parts in reverse order; return whether all pending work was finished in time."""
        return self._running.end()

    def _begin_servers(self, parts: MasterParts) -> None:
        servers = parts.servers
        for part in (self._metrics, self._network.event_sockets, servers.local, servers.front_ends):
            if part is not None:
                self._running.begin(part.start, part.stop)
        self._running.begin(servers.requests.start, servers.requests.stop)

    def _begin_background(self, parts: MasterParts) -> None:
        maintenance.begin(parts.background.tasks, self.supervisor)
        takeover_notice = parts.targeting.resources.takeover_notice
        parts.returns.steps.start(self.supervisor)
        self.supervisor.spawn(takeover_notice.run, parts.publishing.gate.send, name="takeover notice")
        self.supervisor.spawn(parts.calls.mail.delivery.run, name="mailbox")
        parts.background.automation.start()
        if parts.background.history is not None:
            self.supervisor.spawn(parts.background.history.run, name="history")
        if parts.background.read_sets is not None:
            self.supervisor.spawn(parts.background.read_sets.run, name="read-sets")
        if parts.background.external_cache is not None:
            parts.background.external_cache.start(self.supervisor)

    def _restore_sessions(self, publishing: Publishing) -> None:
        """Restore the sessions of the last run."""
        number = session_persistence.restore_sessions(
            self._opts["cachedir"], self._persistence.key_files, publishing.sessions, publishing.keys
        )
        publishing.barrier.begin()
        log.info("%d sessions of the last run restored", number)

    def _save_sessions(self, publishing: Publishing) -> None:
        """Save the session state and the connected minions for the next run."""
        publishing.barrier.note_at_the_end()
        session_persistence.save_sessions(self._opts["cachedir"], publishing.sessions, publishing.keys)
