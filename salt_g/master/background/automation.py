"""Automation of a master: reactor, schedule, engines, returners of events and jobs.

A part without settings costs nothing, except for the reactor, whose reactions may be added later.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from salt_g.api import CallContext
from salt_g.engines import Engines
from salt_g.event.bus import Bus
from salt_g.master.background.master_schedule import MasterSchedule
from salt_g.master.background.reactor import Reactor
from salt_g.master.returns.event_return import EventReturn
from salt_g.master.returns.external_job_cache import ExternalJobCache
from salt_g.master.settings import EventReturnSettings, JobCacheSettings, ReactorSettings, ScheduleSettings
from salt_g.process.supervisor import Supervisor
from salt_g.services.daemons import Calls
from salt_g.shapes import Opts


class MasterAutomation:
    """Automatic parts of one master. Lifecycle: `start`, ended by the supervisor.

    `context()` creates the context of a call on the master (see `call_context.py`), `make_client(user)` a
    client that publishes jobs.
    """

    def __init__(
        self,
        opts: Opts,
        *,
        bus: Bus,
        calls: Calls,
        make_client: Callable[[str], Any],
        context: Callable[[], CallContext],
        supervisor: Supervisor,
        is_leader: Callable[[], bool] | None = None,
    ) -> None:
        """Initialize; `is_leader` returns whether this master is the leader of its cluster."""
        lasting = _Lasting(context, float(opts.get("reactor_refresh_interval") or 60))
        parts: dict[str, Any] = {"bus": bus, "context": lasting, "supervisor": supervisor}
        self.reactor = Reactor(ReactorSettings.of(opts), calls=calls, make_client=make_client, **parts)
        self.scheduling = MasterSchedule(
            ScheduleSettings.of(opts), calls=calls, supervisor=supervisor, is_leader=is_leader or _always
        )
        self.engines = Engines(
            opts.get("engines"), context=context, supervisor=supervisor, is_leader=is_leader
        )
        self.event_return = EventReturn(EventReturnSettings.of(opts), **parts)
        self.external_job_cache = ExternalJobCache(JobCacheSettings.of(opts), **parts)

    def start(self) -> None:
        """Start all parts that the settings enable."""
        for part in (self.event_return, self.external_job_cache, self.reactor, self.scheduling, self.engines):
            part.start()


def _always() -> bool:
    """Return True, because a master without a cluster runs everything."""
    return True


class _Lasting:
    """Call context reused for `seconds`, because creating one loads plugins and grains."""

    def __init__(self, make: Callable[[], CallContext], seconds: float) -> None:
        self._make = make
        self._seconds = seconds
        self._made: tuple[float, CallContext] | None = None

    def __call__(self) -> CallContext:
        now = time.monotonic()
        if self._made is None or now - self._made[0] > self._seconds:
            self._made = (now, self._make())
        return self._made[1]
