"""All parts of a master, created in one pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from salt_g.master.background import master_metrics
from salt_g.master.composition.admission import Admission, compose_admission
from salt_g.master.composition.background import Background, compose_background
from salt_g.master.composition.calls import CallParts, compose_calls
from salt_g.master.composition.network import NetworkParts
from salt_g.master.composition.persistence import Persistence
from salt_g.master.composition.publishing import Publishing, compose_publishing
from salt_g.master.composition.returns import Returns, compose_returns
from salt_g.master.composition.run_records import RunRecords, compose_run_records
from salt_g.master.composition.served_data import Serving, compose_serving
from salt_g.master.composition.servers import Servers, compose_servers
from salt_g.master.composition.targeting import Targeting, compose_targeting
from salt_g.shapes import Opts
from salt_g.telemetry.metric_registry import MetricRegistry
from salt_g.wire.auth_server import MasterIdentity

if TYPE_CHECKING:
    from salt_g.master.cluster.cluster import Cluster
    from salt_g.master.cluster.missed_jobs import MissedJobs


@dataclass(frozen=True)
class MasterParts:
    """Groups of a master's parts, in the order in which they are created; nothing is started."""

    publishing: Publishing
    serving: Serving
    targeting: Targeting
    admission: Admission
    returns: Returns
    records: RunRecords
    calls: CallParts
    servers: Servers
    background: Background
    #: Resending of jobs to minions that move between the masters of a cluster, None for a master alone.
    missed: MissedJobs | None = None


def compose_master(
    opts: Opts,
    persistence: Persistence,
    network: NetworkParts,
    identity: MasterIdentity,
    metrics: MetricRegistry,
    cluster: Cluster | None = None,
) -> MasterParts:
    """Create all parts; the store must be running and the publish port bound, because some parts use them."""
    base = (opts, persistence, network)
    publishing = compose_publishing(*base, identity, cluster)
    serving = compose_serving(*base, publishing, identity.key)
    targeting = compose_targeting(*base, serving, cluster)
    missed = _missed_jobs(publishing, targeting, cluster)
    admission = compose_admission(*base, publishing, serving, targeting, missed, identity, cluster)
    returns = compose_returns(*base, publishing, targeting, is_owned=admission.owners.has, key=identity.key)
    records = compose_run_records(*base, publishing, key=identity.key, cluster=cluster)
    calls = compose_calls(
        *base, publishing, serving, targeting, admission, returns, records, key=identity.key, metrics=metrics
    )
    serving.pillars.use_calls(calls.runner_calls)
    servers = compose_servers(
        *base, publishing, serving, targeting, admission, returns, calls, metrics=metrics, cluster=cluster
    )
    background = compose_background(
        *base,
        publishing,
        serving,
        returns,
        calls,
        metrics=metrics,
        is_leader=None if cluster is None else cluster.membership.is_leader,
    )
    parts = MasterParts(
        publishing, serving, targeting, admission, returns, records, calls, servers, background, missed
    )
    _measure(parts, persistence, network, metrics)
    if cluster is not None:
        cluster.measure(metrics)
    return parts


def _missed_jobs(publishing: Publishing, targeting: Targeting, cluster: Cluster | None) -> MissedJobs | None:
    if cluster is None:
        return None
    assert publishing.shared is not None
    return cluster.make_missed_jobs(publishing.shared, publishing.presence, targeting.resources.names_of)


def _measure(
    parts: MasterParts, persistence: Persistence, network: NetworkParts, metrics: MetricRegistry
) -> None:
    """Register the metrics of the parts."""
    master_metrics.add_requests(metrics, parts.servers.requests, network.publisher, parts.returns.intake)
    master_metrics.add_minions(
        metrics,
        persistence.key_files,
        parts.publishing.sessions,
        parts.publishing.presence,
        parts.admission.authentication,
    )
    master_metrics.add_inner(metrics, network.bus, persistence.store, parts.calls.runner_calls)
