"""Scheduled jobs of the minion.

`schedule/` decides what is due and has no clock; the clock and the start of jobs are here.
Units: seconds.
"""

from __future__ import annotations

import datetime
import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

import gevent

from salt_g.config.daemon_written import SCHEDULE, own_file, write_own
from salt_g.data import jid as jids
from salt_g.minion.call_data import CallData
from salt_g.schedule import Due, Schedule
from salt_g.schedule.changes import Changes
from salt_g.schedule.scheduled_call import arguments_of, metadata_of, returners_of

log = logging.getLogger(__name__)

#: Longest pause between two checks of the clock: stock's minions check once a second.
PAUSE = 1.0


class MinionSchedule:
    """Schedule of one minion.

    `run_job(load)` starts a job, `is_running(jid)` returns whether it is still running; `fire(tag, data)`
    answers on the minion's own bus; `facts()` returns the call data with grains and pillar.
    """

    def __init__(
        self,
        opts: Mapping[str, Any],
        *,
        run_job: Callable[[Mapping[str, Any]], object],
        is_running: Callable[[str], bool],
        fire: Callable[[str, Mapping[str, Any]], object],
        facts: Callable[[], CallData],
        clock: Callable[[], datetime.datetime] = datetime.datetime.now,
    ) -> None:
        pause = min(float(opts.get("loop_interval") or PAUSE), PAUSE)
        self.schedule = Schedule(opts.get("schedule") or {}, loop_interval=pause, running=self._count)
        self._opts = opts
        self._pause = pause
        self._run_job = run_job
        self._is_running = is_running
        self._fire = fire
        self._facts = facts
        self._clock = clock
        self._changes = Changes(self.schedule, self._save, clock=clock)
        self._started: dict[str, list[str]] = {}

    def run(self) -> None:
        """Check the clock repeatedly."""
        self.refresh()
        while True:
            self.start_due()
            gevent.sleep(self._pause)

    def start_due(self) -> None:
        """Start the jobs that are due now."""
        for due in self.schedule.due(self._clock()):
            self._start(due)

    def refresh(self) -> None:
        """Update the jobs from pillar and the times from grains."""
        facts = self._facts()
        whens: dict[str, Any] = {}
        for source in (facts.grains, facts.pillar):
            named = source.get("whens")
            whens.update(named if isinstance(named, Mapping) else {})
        self.schedule.set_pillar(facts.pillar.get("schedule") or {}, whens)

    def handle(self, question: Mapping[str, Any]) -> None:
        """Answer an event `manage_schedule`."""
        answer = self._changes.handle(question)
        if answer.run is not None:
            self._start(answer.run)
        if answer.tag:
            self._fire(answer.tag, answer.data)

    def _start(self, due: Due) -> None:
        load = job_load(due, self._opts, time.time())
        late = f" (runtime missed by {due.late:.0f} seconds)" if due.late > PAUSE else ""
        log.info("Running scheduled job: %s%s with jid %s", due.name, late, load["jid"])
        self._started.setdefault(due.name, []).append(load["jid"])
        self._run_job(load)

    def _count(self, name: str) -> int:
        """Return the number of running instances of a job."""
        under_way = [jid for jid in self._started.get(name, ()) if self._is_running(jid)]
        self._started[name] = under_way
        return len(under_way)

    def _save(self, settings: Mapping[str, Any]) -> None:
        try:
            write_own(own_file(self._opts, SCHEDULE), "schedule", settings)
        except OSError as exc:
            log.error("Failed to persist the updated schedule: %s", exc)


def job_load(due: Due, opts: Mapping[str, Any], now: float) -> dict[str, Any]:
    """Return the load of a scheduled job, as that of a publication; `now` is in seconds since the epoch.

    The master gives its return a jid of its own (`req`), or keeps it out of the job cache (`nocache`).
    """
    settings = due.settings
    args, kwargs = arguments_of(settings)
    load: dict[str, Any] = {
        "jid": jids.make(int(now * 1e9)),
        "fun": due.fun,
        "arg": [*args, {"__kwarg__": True, **kwargs}] if kwargs else args,
        "schedule": due.name,
        "ret": ",".join(returners_of(settings.get("returner"), opts.get("schedule_returner"))),
        "return_job": settings.get("return_job", True) is not False,
        "return_jid": "nocache" if settings.get("return_job") == "nocache" else "req",
    }
    metadata = metadata_of(settings, now)
    if metadata:
        load["metadata"] = metadata
    for name, field in (("return_config", "ret_config"), ("return_kwargs", "ret_kwargs")):
        if settings.get(name):
            load[field] = settings[name]
    return load
