"""Periodic event with statistics of the master's requests, by command (setting `master_stats`).

Stock fires an event for each of its workers; here one process answers all requests, so `worker` names the
master.
Units: seconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.event import payloads
from salt_g.event.bus import Bus
from salt_g.telemetry.metric_registry import MetricRegistry

#: Part of the tag where stock has the name of a worker.
WORKER = "master"
_METRIC = "salt_g_request_seconds"


class Statistics:
    """Request statistics per interval; `fire` ends an interval and fires its event."""

    def __init__(
        self, metrics: MetricRegistry, bus: Bus, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._metrics = metrics
        self._bus = bus
        self._clock = clock
        self._began: float | None = None
        self._before: Mapping[str, Any] = {}

    def fire(self) -> None:
        """Fire the event of the interval since the last call; the first call only begins an interval."""
        now, requests = self._clock(), self._metrics.map()[_METRIC]
        if self._began is not None:
            event = payloads.master_stats(WORKER, now - self._began, _between(self._before, requests))
            self._bus.fire(event.tag, event.data)
        self._began, self._before = now, requests


def _between(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """Return {command: {runs, mean}} of the requests between two readings."""
    found = {}
    for command, reading in after.items():
        earlier = before.get(command, {"count": 0, "sum": 0.0})
        runs = reading["count"] - earlier["count"]
        if runs:
            found[command] = {"runs": runs, "mean": (reading["sum"] - earlier["sum"]) / runs}
    return found
