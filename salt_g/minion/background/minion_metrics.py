"""Metrics of a minion, which are served if `metrics_port` is set.

The minion's parts count in their own fields; the metrics are named here.
Units: bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from salt_g.event.bus import Bus
from salt_g.minion.connection.session import MasterSession
from salt_g.minion.jobs.running_jobs import RunningJobs
from salt_g.minion.jobs.spool import Spool
from salt_g.process.supervisor import Supervisor
from salt_g.shapes import Opts
from salt_g.telemetry.daemon_metrics import DaemonMetrics


def make_metrics(
    opts: Opts,
    supervisor: Supervisor,
    *,
    jobs: RunningJobs,
    spool: Spool,
    bus: Bus,
    sessions: Callable[[], Iterable[MasterSession]],
) -> DaemonMetrics:
    """Return the metrics server of a minion, which the caller starts and stops."""
    made = DaemonMetrics(opts, supervisor)
    add = made.registry
    add.gauge("salt_g_jobs_running", "Running jobs.", lambda: len(jobs))
    add.gauge("salt_g_jobs_waiting", "Jobs waiting for a slot.", lambda: jobs.waiting)
    add.counter("salt_g_jobs_total", "Jobs started.", lambda: jobs.begun)
    add.gauge("salt_g_returns_waiting", "Unacknowledged returns.", lambda: spool.waiting[0])
    add.gauge("salt_g_returns_waiting_bytes", "Disk space of those returns.", lambda: spool.waiting[1])
    add.counter("salt_g_events_total", "Events on the minion's own bus.", lambda: bus.fired)
    add.counter("salt_g_events_dropped_total", "Events lost by slow subscribers.", lambda: bus.dropped)
    add.gauge(
        "salt_g_masters_connected",
        "Masters connected.",
        lambda: sum(session.is_connected for session in sessions()),
    )
    add.counter(
        "salt_g_connections_total",
        "Connections to masters, including reconnections.",
        lambda: sum(session.connections for session in sessions()),
    )
    return made
