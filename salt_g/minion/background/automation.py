"""Automation of a minion: schedule, beacons and engines, with their event handlers.

A minion has one of each, however many masters it has, so these parts have their own bus subscription.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gevent.event

from salt_g.engines import Engines
from salt_g.event.bus import Bus
from salt_g.minion.background.beacons import Beacons
from salt_g.minion.background.minion_schedule import MinionSchedule
from salt_g.minion.bus import Handlers, serve
from salt_g.minion.call_data import CallData
from salt_g.minion.jobs.running_jobs import RunningJobs
from salt_g.minion.refresh_events import PILLAR_DONE
from salt_g.minion.settings import AutomationSettings
from salt_g.process.supervisor import Supervisor
from salt_g.shapes.loads import JobLoad


class MinionAutomation:
    """Schedule, beacons and engines of a minion. Lifecycle: `start`, ended by the supervisor.

    `connected` is set when a master is connected or none is needed. `run_job(load)` starts a job,
    `send(events)` sends events {tag, data} to the masters.
    """

    def __init__(
        self,
        settings: AutomationSettings,
        *,
        bus: Bus,
        connected: gevent.event.Event,
        jobs: RunningJobs,
        call_data: Callable[[], CallData],
        run_job: Callable[[JobLoad], object],
        send: Callable[[Sequence[Mapping[str, Any]]], object],
        supervisor: Supervisor,
    ) -> None:
        self._settings = settings
        self._bus = bus
        self._supervisor = supervisor
        self._connected = connected
        self._call_data = call_data
        self.scheduling = MinionSchedule(
            settings.schedule,
            run_job=run_job,
            is_running=lambda jid: jobs.find(jid) is not None,
            fire=bus.fire,
            call_data=call_data,
        )
        self.beacons = Beacons(
            settings.beacons,
            context=lambda: call_data().context(),
            send=send,
            running=jobs.running,
            fire=bus.fire,
        )
        self.engines = Engines(settings.engines, context=lambda: call_data().context(), supervisor=supervisor)
        self._handlers: Handlers = {
            "manage_schedule": self.scheduling.handle,
            "manage_beacons": self.beacons.handle,
            "beacons_refresh": lambda data: self._refresh_beacons(),
            PILLAR_DONE: lambda data: self._refresh(),
        }

    def start(self) -> None:
        """Start event handling and the loops, which wait for a master unless the settings say otherwise."""
        subscription = self._bus.subscribe_by(self._handlers.__contains__, name="schedule and beacons")
        spawn = self._supervisor.spawn
        spawn(serve, subscription, self._handlers, name="schedule and beacons")
        early = self._settings
        spawn(self._begin, early.scheduler_before_connect, self.scheduling.run, name="schedule")
        spawn(self._begin, early.beacons_before_connect, self._run_beacons, name="beacons")
        spawn(self._begin, False, self.engines.start, name="engines")

    def _begin(self, before_connect: bool, run: Callable[[], None]) -> None:
        if not before_connect:
            self._connected.wait()
        run()

    def _run_beacons(self) -> None:
        self._refresh_beacons()
        self.beacons.run()

    def _refresh(self) -> None:
        self.scheduling.refresh()
        self._refresh_beacons()

    def _refresh_beacons(self) -> None:
        self.beacons.refresh(self._call_data().pillar.get("beacons") or {})
