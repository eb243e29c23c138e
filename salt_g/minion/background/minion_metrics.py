"""The metrics of a minion, for one that has a `metrics_port`: without it nothing is measured.

Why its own file: the minion's parts count for themselves, in fields of theirs; here the figures get names.
Units: bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from salt_g.event.bus import Bus
from salt_g.minion.connection.session import Session
from salt_g.minion.jobs.running_jobs import RunningJobs
from salt_g.minion.jobs.spool import Spool
from salt_g.process.supervisor import Supervisor
from salt_g.telemetry.daemon_metrics import DaemonMetrics


def metering(
    opts: Mapping[str, Any],
    supervisor: Supervisor,
    *,
    jobs: RunningJobs,
    spool: Spool,
    bus: Bus,
    sessions: Callable[[], Iterable[Session]],
) -> DaemonMetrics:
    """Return what measures a minion; the caller starts and stops it."""
    made = DaemonMetrics(opts, supervisor)
    add = made.registry
    add.gauge("salt_g_jobs_running", "Jobs that run.", lambda: len(jobs))
    add.gauge("salt_g_jobs_waiting", "Jobs that wait for a place.", lambda: jobs.waiting)
    add.counter("salt_g_jobs_total", "Jobs that have begun.", lambda: jobs.begun)
    add.gauge("salt_g_returns_waiting", "Returns no master has acknowledged.", lambda: spool.waiting[0])
    add.gauge("salt_g_returns_waiting_bytes", "Disk space of those returns.", lambda: spool.waiting[1])
    add.counter("salt_g_events_total", "Events on the minion's own bus.", lambda: bus.fired)
    add.counter(
        "salt_g_events_dropped_total", "Events that subscribers were too slow for.", lambda: bus.dropped
    )
    add.gauge(
        "salt_g_masters_connected",
        "Masters that this minion takes jobs from.",
        lambda: sum(session.is_connected for session in sessions()),
    )
    add.counter(
        "salt_g_connections_total",
        "How often a master has taken this minion; more than once are reconnections.",
        lambda: sum(session.connections for session in sessions()),
    )
    return made
