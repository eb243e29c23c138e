"""Status of the master."""

from __future__ import annotations

from salt_g.api import services
from salt_g.services.daemons import MasterServices
from salt_g.shapes.loads import MetricValues


def metrics() -> MetricValues:
    """Return the master's metrics, by their Prometheus names.

    A value is a number, or {label: number}; for histograms {count, sum, p50, p99}. Names that end in `_total`
    are counters since the start of the master; durations are in seconds. `metrics_port` serves the same over
    HTTP.

    Example::

        salt-g run status.metrics
    """
    return services(MasterServices).metrics.map()
