"""Scheduled jobs of the minion.

`schedule/` determines due jobs for a given time; this file reads the clock and starts jobs.
Units: seconds.
"""

from __future__ import annotations

import datetime
import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.config.daemon_written import write_own
from salt_g.data import jid as jids
from salt_g.minion.call_data import CallData
from salt_g.minion.settings import MinionScheduleSettings
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.schedule import Due, Schedule
from salt_g.schedule.changes import ScheduleChanges
from salt_g.schedule.scheduled_call import arguments_of, metadata_of, returners_of
from salt_g.shapes import ScheduleSettings
from salt_g.shapes.loads import JobLoad

log = logging.getLogger(__name__)

#: Maximum pause between two checks of the clock (s): stock's minions check once a second.
PAUSE = 1.0


class MinionSchedule:
    """Runner of the schedule of one minion.

    `run_job(load)` starts a job, `is_running(jid)` returns whether it is still running; `fire(tag, data)`
    answers on the minion's own bus; `call_data()` returns the call data with grains and pillar.
    """

    def __init__(
        self,
        settings: MinionScheduleSettings,
        *,
        run_job: Callable[[JobLoad], object],
        is_running: Callable[[str], bool],
        fire: Callable[[str, Mapping[str, Any]], object],
        call_data: Callable[[], CallData],
        clock: Callable[[], datetime.datetime] = datetime.datetime.now,
    ) -> None:
        pause = min(settings.loop_interval, PAUSE)
        self.schedule = Schedule(settings.schedule, loop_interval=pause, running=self._count)
        self._settings = settings
        self._pause = pause
        self._run_job = run_job
        self._is_running = is_running
        self._fire = fire
        self._call_data = call_data
        self._clock = clock
        self._changes = ScheduleChanges(self.schedule, self._save, clock=clock)
        self._started: dict[str, list[str]] = {}

    def run(self) -> None:
        """Start due jobs repeatedly, forever."""
        self.refresh()
        PeriodicLoop("schedule", self.start_due, self._pause).run()

    def start_due(self) -> None:
        """Start the jobs that are due now."""
        for due in self.schedule.due(self._clock()):
            self._start(due)

    def refresh(self) -> None:
        """Update the jobs from pillar, and the named times (`whens`) from grains and pillar."""
        call_data = self._call_data()
        whens: dict[str, Any] = {}
        for source in (call_data.grains, call_data.pillar):
            named = source.get("whens")
            whens.update(named if isinstance(named, Mapping) else {})
        self.schedule.set_pillar(call_data.pillar.get("schedule") or {}, whens)

    def handle(self, question: Mapping[str, Any]) -> None:
        """Execute a request (`manage_schedule` event) and fire the answer."""
        answer = self._changes.handle(question)
        if answer.run is not None:
            self._start(answer.run)
        if answer.tag:
            self._fire(answer.tag, answer.data)

    def _start(self, due: Due) -> None:
        load = job_load(due, self._settings.schedule_returner, time.time())
        late = f" (runtime missed by {due.late:.0f} seconds)" if due.late > PAUSE else ""
        log.info("Running scheduled job: %s%s with jid %s", due.name, late, load["jid"])
        self._started.setdefault(due.name, []).append(load["jid"])
        self._run_job(load)

    def _count(self, name: str) -> int:
        """Return the number of running instances of the scheduled job `name`."""
        under_way = [jid for jid in self._started.get(name, ()) if self._is_running(jid)]
        self._started[name] = under_way
        return len(under_way)

    def _save(self, settings: ScheduleSettings) -> None:
        try:
            write_own(self._settings.own_file, "schedule", settings)
        except OSError as exc:
            log.error("Failed to persist the updated schedule: %s", exc)


def job_load(due: Due, default_returner: Any, now: float) -> JobLoad:
    """Return the load of a scheduled job in the form of a publication; `now` is in seconds since the epoch.

    The master assigns a new jid to the job's return (`req`), or keeps it out of the job cache (`nocache`).
    """
    settings = due.settings
    args, kwargs = arguments_of(settings)
    load: JobLoad = {
        "jid": jids.make(int(now * 1e9)),
        "fun": due.fun,
        "arg": [*args, {"__kwarg__": True, **kwargs}] if kwargs else args,
        "schedule": due.name,
        "ret": ",".join(returners_of(settings.get("returner"), default_returner)),
        "return_job": settings.get("return_job", True) is not False,
        "return_jid": "nocache" if settings.get("return_job") == "nocache" else "req",
    }
    metadata = metadata_of(settings, now)
    if metadata:
        load["metadata"] = metadata
    if settings.get("return_config"):
        load["ret_config"] = settings["return_config"]
    if settings.get("return_kwargs"):
        load["ret_kwargs"] = settings["return_kwargs"]
    return load
