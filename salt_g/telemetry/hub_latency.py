"""Hub latency: the delay before a ready greenlet runs.

`minion/background/hub_watchdog.py` reports the stack that blocks the hub for long; this module
measures continuously, at the cost of a wake-up per `INTERVAL`.
Units: seconds.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable

import gevent

from salt_g.telemetry.metric_registry import Histogram

#: Pause between two measurements (s).
INTERVAL = 0.05
#: Number of measurements in the latest figures, which cover one minute.
KEPT = 1200


class HubLatency:
    """Measurement of hub latency as the overrun of sleeps. `watch` is the body of a greenlet.

    `histogram` covers the time since the start, `lately` the last minute.
    """

    def __init__(
        self,
        *,
        clock: Callable[[], float] = time.perf_counter,
        sleep: Callable[[float], None] = gevent.sleep,
    ) -> None:
        self.histogram = Histogram()
        self._clock = clock
        self._sleep = sleep
        self._latest = array("d", [0.0]) * KEPT
        self._place = 0

    def watch(self) -> None:
        """Measure in an endless loop."""
        while True:
            self.measure()

    def measure(self) -> None:
        """Sleep once, and record the overrun."""
        began = self._clock()
        self._sleep(INTERVAL)
        late = max(0.0, self._clock() - began - INTERVAL)
        self.histogram.observe(late)
        self._latest[self._place % KEPT] = late
        self._place += 1

    def lately(self) -> dict[str, float]:
        """Return the median ("0.5"), 99th percentile ("0.99") and maximum ("1") of the last minute."""
        measured = sorted(self._latest[: min(self._place, KEPT)]) or [0.0]
        last = len(measured) - 1
        return {share: measured[round(float(share) * last)] for share in ("0.5", "0.99", "1")}
