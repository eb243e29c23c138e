"""Metrics of a master in its cluster: live masters, the leader, delays of the database and the relay.

Units: seconds.
"""

from __future__ import annotations

from salt_g.cluster.log import Log
from salt_g.cluster.membership import Membership
from salt_g.telemetry.metric_registry import MetricRegistry


def add_cluster(add: MetricRegistry, membership: Membership, shared: Log) -> None:
    """Register the metrics of a cluster."""
    add.gauge(
        "salt_g_cluster_masters",
        "Masters of the cluster, by state.",
        lambda: _masters(membership),
        label="state",
    )
    add.gauge("salt_g_cluster_leader", "1 at the leader, else 0.", lambda: int(membership.is_leader()))
    add.gauge("salt_g_cluster_silent_seconds", "Time since the last beat that was stored.", membership.silent)
    add.histogram("salt_g_cluster_beat_seconds", "Duration of a beat in the database.", membership.durations)
    add.histogram(
        "salt_g_cluster_relay_seconds",
        "Time from the beginning of a publication's transaction to its relay here.",
        shared.delays,
    )


def _masters(membership: Membership) -> dict[str, float]:
    live = len(membership.live()) + 1
    return {"live": live, "away": max(0, len(membership.others) + 1 - live)}
