"""Metrics common to all daemons (hub, greenlets, process), and the port that serves them.

Master and minion add their own metrics to `registry`.
Units: seconds, bytes.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from salt_g.process import stats
from salt_g.process.offload import offload
from salt_g.process.supervisor import Supervisor
from salt_g.telemetry.hub_latency import HubLatency
from salt_g.telemetry.metric_registry import MetricRegistry


class DaemonMetrics:
    """The metrics of one daemon. Lifecycle: `start` (raises OSError when the port is in use), `stop`."""

    def __init__(self, opts: Mapping[str, Any], supervisor: Supervisor) -> None:
        self.registry = MetricRegistry()
        self._opts = opts
        self._supervisor = supervisor
        self._hub = HubLatency()
        self._port: Any = None
        _add_process(self.registry, self._hub, supervisor)

    def start(self) -> None:
        """Start measuring, and serve the port if one is configured."""
        self._supervisor.spawn(self._hub.watch, name="hub delay")
        if self._opts["metrics_port"]:
            # Imported lazily: few daemons serve metrics, and an HTTP server takes time to load.
            from salt_g.telemetry.metrics_port import MetricsPort

            self._port = MetricsPort(
                str(self._opts["metrics_interface"]), int(self._opts["metrics_port"]), text=self.registry.text
            )
            self._port.start()

    def stop(self) -> None:
        """Close the port."""
        if self._port is not None:
            self._port.stop()


def _add_process(add: MetricRegistry, hub: HubLatency, supervisor: Supervisor) -> None:
    add.histogram("salt_g_hub_delay_seconds", "Delay before a ready greenlet runs.", hub.histogram)
    add.gauge(
        "salt_g_hub_delay_lately_seconds",
        "Delay in the last minute: median, 99th percentile, longest.",
        hub.lately,
        label="quantile",
    )
    add.gauge("salt_g_greenlets", "Number of greenlets.", lambda: len(supervisor))
    add.gauge(
        "salt_g_memory_bytes",
        "Memory in use; pss counts shared pages proportionally.",
        lambda: {
            "rss": stats.resident_bytes(),
            "pss": offload(stats.proportional_bytes),
        },
        label="kind",
    )
    add.gauge("salt_g_open_files", "Open file descriptors.", stats.open_files)
    add.counter("salt_g_processor_seconds_total", "Processor time used.", stats.processor_seconds)
    began = time.time()
    add.gauge("salt_g_start_time_seconds", "Start time of the daemon, Unix time.", lambda: began)
