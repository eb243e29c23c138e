"""Schedule of one daemon: its jobs, from settings and pillar, and those that are due.

Jobs are added, removed and changed while the daemon runs; each keeps its own state.
Shapes: `settings` is the setting `schedule`: {job: settings} and a few keys for all jobs (`GLOBALS`). A job
in the settings overrides one of the same name in pillar.
"""

from __future__ import annotations

import datetime
import logging
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from salt_g.schedule.job import Due, ScheduledJob, ScheduleRules
from salt_g.shapes import PillarDict, ScheduleEntries, ScheduleSettings

__all__ = ["Due", "Schedule"]

log = logging.getLogger(__name__)

#: Keys next to the jobs that apply to all of them.
GLOBALS = ("enabled", "skip_function", "skip_during_range", "splay")


class Schedule:
    """Jobs of a schedule; changes are made in a copy of `settings`, which can be saved.

    `loop_interval` (s) is the maximum time between two checks of the clock, `draw` returns random numbers for
    `splay`, `running(name)` returns the number of running instances of a job.
    """

    def __init__(
        self,
        settings: ScheduleSettings,
        *,
        loop_interval: float = 1.0,
        draw: Callable[[int, int], int] = random.randint,
        running: Callable[[str], int] = lambda name: 0,
    ) -> None:
        self.own = _copied(settings)
        self.pillar: PillarDict = {}
        self._loop = datetime.timedelta(seconds=loop_interval)
        self._draw = draw
        self._running = running
        self._whens: Mapping[str, Any] = {}
        self._jobs: dict[str, ScheduledJob] = {}
        self._looked = datetime.datetime.min + self._loop
        self._rebuild_jobs()

    def set_pillar(self, schedule: Any, whens: Mapping[str, Any]) -> None:
        """Replace the jobs of pillar, and the named times for `when`."""
        if not isinstance(schedule, Mapping):
            log.error("schedule: ignoring `schedule` in pillar, which must be a mapping, not %r", schedule)
            schedule = {}
        is_new = whens != self._whens
        self.pillar, self._whens = _copied(schedule), dict(whens)
        self._rebuild_jobs(anew=is_new)

    def due(self, now: datetime.datetime) -> list[Due]:
        """Return the jobs to run now."""
        rules = self.rules()
        if now < self._looked - self._loop:
            # The clock was set back, by a user or at the end of daylight saving time.
            for job in self._jobs.values():
                job.clock_went_back(self._looked - now)
        self._looked = now
        found = (job.poll(now, rules) for job in list(self._jobs.values()))
        return [due for due in found if due is not None]

    def next_fire(self) -> datetime.datetime | None:
        """Return the earliest known firing time of any job."""
        return min((job.next_fire for job in self._jobs.values() if job.next_fire), default=None)

    def forced(self, name: str, now: datetime.datetime) -> Due | None:
        """Return a job to run now, or None if it is unknown, or its `maxrunning` is reached or invalid."""
        job = self._jobs.get(name)
        return job.forced(now, self.rules()) if job else None

    def job(self, name: str) -> ScheduledJob | None:
        """Return a job by its name."""
        return self._jobs.get(name)

    def put(self, name: str, settings: Any) -> None:
        """Add or replace a job in the settings."""
        self.own[name] = dict(settings) if isinstance(settings, Mapping) else settings
        self._jobs.pop(name, None)
        self._rebuild_jobs()

    def remove(self, name: str) -> bool:
        """Remove a job from the settings; return False if it does not exist."""
        is_there = self.own.pop(name, None) is not None
        self._rebuild_jobs()
        return is_there

    def replace(self, settings: ScheduleSettings) -> None:
        """Replace jobs of the settings by those read from a file; jobs missing there are kept."""
        self.own.update(_copied(settings))
        self._jobs.clear()
        self._rebuild_jobs()

    def merged(self) -> ScheduleEntries:
        """Return all jobs with their state, as stock shows them."""
        return {**self.of_pillar(), **self.of_settings()}

    def of_settings(self) -> ScheduleEntries:
        """Return the jobs of the settings."""
        return {name: self._with_status(name, value) for name, value in self.own.items()}

    def of_pillar(self) -> ScheduleEntries:
        """Return the jobs of pillar."""
        hidden = self.own.keys()
        return {
            name: value if name in hidden else self._with_status(name, value)
            for name, value in self.pillar.items()
        }

    def to_save(self) -> ScheduleEntries:
        """Return the settings to be saved, without the jobs' state."""
        return {name: dict(_to_save(value)) if _is_job(value) else value for name, value in self.own.items()}

    def rules(self) -> ScheduleRules:
        """Return the rules for all jobs."""
        said = {**self.pillar, **self.own}
        return ScheduleRules(
            loop=self._loop,
            draw=self._draw,
            running=self._running,
            is_enabled=bool(said.get("enabled", True)),
            splay=said.get("splay"),
            skip_function=str(said.get("skip_function") or ""),
            skip_during_range=said.get("skip_during_range"),
        )

    def _rebuild_jobs(self, *, anew: bool = False) -> None:
        """Create the jobs of settings and pillar; unchanged jobs keep their state, unless `anew`."""
        before = {} if anew else self._jobs
        self._jobs = {}
        for name, value in {**self.pillar, **self.own}.items():
            if name in GLOBALS:
                continue
            if not isinstance(value, dict):
                log.error('Scheduled job "%s" should have a dict value, not %s', name, type(value))
                continue
            known = before.get(name)
            if known is None or not known.has_settings(value):
                known = ScheduledJob(name, value, self._whens)
            self._jobs[name] = known

    def _with_status(self, name: str, value: Any) -> Any:
        job = self._jobs.get(name)
        return job.status() if job else value


def _copied(settings: ScheduleSettings) -> ScheduleEntries:
    return {name: dict(value) if isinstance(value, Mapping) else value for name, value in settings.items()}


def _is_job(value: Any) -> bool:
    return isinstance(value, dict)


def _to_save(settings: ScheduleSettings) -> Iterator[tuple[str, Any]]:
    return ((key, value) for key, value in settings.items() if not key.startswith("_"))
