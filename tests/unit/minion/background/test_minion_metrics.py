"""Metrics of a minion, read from its parts when they are scraped."""

from types import SimpleNamespace

from salt_g.event.bus import Bus
from salt_g.minion.background.minion_metrics import make_metrics
from salt_g.minion.jobs.spool import Spool
from salt_g.process.supervisor import Supervisor


class Jobs:
    """Jobs of which two are running and one waits."""

    waiting, begun = 1, 9

    def __len__(self):
        return 2


def test_the_parts_of_a_minion_are_counted(tmp_path):
    bus = Bus()
    bus.fire("x", {})
    sessions = [SimpleNamespace(is_connected=connected, connections=3) for connected in (True, False)]

    made = make_metrics(
        {"metrics_port": 0},
        Supervisor("test"),
        jobs=Jobs(),
        spool=Spool(str(tmp_path), max_bytes=1000),
        bus=bus,
        sessions=lambda: sessions,
    )

    lines = made.registry.text().splitlines()
    for line in (
        "salt_g_jobs_running 2",
        "salt_g_jobs_waiting 1",
        "salt_g_jobs_total 9",
        "salt_g_returns_waiting 0",
        "salt_g_returns_waiting_bytes 0",
        "salt_g_events_total 1",
        "salt_g_events_dropped_total 0",
        "salt_g_masters_connected 1",
        "salt_g_connections_total 6",
    ):
        assert line in lines
