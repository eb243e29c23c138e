"""Status of the master."""

from __future__ import annotations

from typing import Any

from salt_g.api import services


def metrics() -> dict[str, Any]:
    """Return the master's metrics, by their Prometheus names.

    A number, or {label: number}; of histograms {count, sum, p50, p99}. Names that end in `_total` only grow
    until the master begins anew; durations are in seconds. `metrics_port` serves the same over HTTP.

    Example::

        salt-g run status.metrics
    """
    found: dict[str, Any] = services().metrics.map()
    return found
