"""Metrics of a master in its cluster."""

from salt_g.master.cluster.cluster_metrics import add_cluster
from salt_g.telemetry.metric_registry import Histogram, MetricRegistry


class Membership:
    others = {"b": None, "c": None}
    durations = Histogram()

    def live(self):
        return frozenset({"b"})

    def is_leader(self):
        return True

    def silent(self):
        return 0.5


class Log:
    delays = Histogram()


def test_living_masters_the_leader_and_the_time_to_take_over():
    registry = MetricRegistry()
    add_cluster(registry, Membership(), Log())
    Log.delays.observe(0.002)

    values = registry.map()

    assert values["salt_g_cluster_masters"] == {"live": 2, "away": 1}
    assert values["salt_g_cluster_leader"] == 1
    assert values["salt_g_cluster_silent_seconds"] == 0.5
    assert values["salt_g_cluster_relay_seconds"]["count"] == 1
    assert values["salt_g_cluster_beat_seconds"]["count"] == 0
