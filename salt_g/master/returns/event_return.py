"""Delivery of the master's events to returners (`event_return`).

An ordinary subscriber of the bus: a slow returner loses events, which are counted, and delays no other part.
Shapes: returners receive lists of {tag, data}.
Units: seconds. Bounds: the subscriber's ring (`event/bus.py`), and `MAX_GATHERED` while a returner runs.
Source: stock docs "event_return", `event_return_queue`, `event_return_whitelist`, `event_return_blacklist`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from salt_g import api
from salt_g.api import CallContext
from salt_g.event.bus import Bus, Subscription
from salt_g.event.matching import is_stored
from salt_g.event.tags import is_step
from salt_g.master.settings import EventReturnSettings
from salt_g.process.supervisor import Supervisor
from salt_g.schedule.scheduled_call import returners_of
from salt_g.shapes.loads import EventData, EventFields

log = logging.getLogger(__name__)

#: Maximum number of events in one call of a returner.
MAX_GATHERED = 10_000


class EventReturn:
    """Batching of events for returners. Lifecycle: `start`, ended by its supervisor; `flush` at the end."""

    def __init__(
        self,
        settings: EventReturnSettings,
        *,
        bus: Bus,
        context: Callable[[], CallContext],
        supervisor: Supervisor,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.names = returners_of(settings.event_return)
        self._white = settings.event_return_whitelist
        self._black = settings.event_return_blacklist
        self._limit = max(1, min(settings.event_return_queue, MAX_GATHERED))
        self._seconds = settings.event_return_queue_max_seconds
        self._bus = bus
        self._context = context
        self._supervisor = supervisor
        self._clock = clock
        self._gathered: list[EventData] = []
        self._since = 0.0

    def start(self) -> None:
        """Start gathering, if there are returners."""
        if self.names:
            watch = self._bus.subscribe_by(self._is_wanted, name="event_return", is_own=True)
            self._supervisor.spawn(self._follow, watch, name="event_return")

    def flush(self) -> None:
        """Send the gathered events to the returners."""
        events, self._gathered = self._gathered, []
        if not events:
            return
        with api.use(self._context()) as context:
            table = context.table("returners")
            for name in self.names:
                function = table.get(f"{name}.event_return")
                if function is None:
                    log.error("event_return: returner %s is not available or does not accept events", name)
                    continue
                try:
                    function(events)
                # A plugin may raise anything, and may call sys.exit; later events are still sent.
                except (Exception, SystemExit) as exc:
                    log.error("event_return: %d events not saved by returner %s: %s", len(events), name, exc)

    def _is_wanted(self, tag: str) -> bool:
        # There are many live steps, and none in stock, so they are stored only if there is a whitelist.
        return is_stored(tag, self._white, self._black) and bool(self._white or not is_step(tag))

    def _follow(self, watch: Subscription) -> None:
        try:
            while True:
                event = watch.get(self._wait())
                if event is not None:
                    self._gather(event.tag, event.data)
                if self._is_time():
                    self.flush()
        finally:
            self.flush()

    def _gather(self, tag: str, data: EventFields) -> None:
        if not self._gathered:
            self._since = self._clock()
        self._gathered.append({"tag": tag, "data": dict(data)})

    def _wait(self) -> float | None:
        """Return how long to wait for the next event: until the gathered ones are due, None for no limit."""
        if not self._gathered or not self._seconds:
            return None
        return max(0.0, self._since + self._seconds - self._clock())

    def _is_time(self) -> bool:
        if len(self._gathered) >= self._limit:
            return True
        return bool(self._gathered and self._seconds and self._clock() - self._since >= self._seconds)
