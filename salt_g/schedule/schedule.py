"""The jobs of one daemon's schedule, from its settings and from pillar, and what of them is due.

Why its own file: jobs come, go and change while the daemon runs, and each keeps its own memory.
Shapes: `settings` is the setting `schedule`: {job: settings} and a few keys that hold for all jobs
(`GLOBALS`). A job of the settings hides one of the same name in pillar.
"""

from __future__ import annotations

import datetime
import logging
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from salt_g.schedule.job import Due, ScheduledJob, ScheduleRules

__all__ = ["Due", "Schedule"]

log = logging.getLogger(__name__)

#: Keys among the jobs that hold for all of them.
GLOBALS = ("enabled", "skip_function", "skip_during_range", "splay")


class Schedule:
    """Which jobs are due; `settings` stays the schedule's own and is what is saved.

    `loop_interval` (s) is how far apart two looks at the clock may lie, `draw` makes random numbers for
    `splay`, `running(name)` says how many runs of a job are under way.
    """

    def __init__(
        self,
        settings: Mapping[str, Any],
        *,
        loop_interval: float = 1.0,
        draw: Callable[[int, int], int] = random.randint,
        running: Callable[[str], int] = lambda name: 0,
    ) -> None:
        self.own = _copied(settings)
        self.pillar: dict[str, Any] = {}
        self._loop = datetime.timedelta(seconds=loop_interval)
        self._draw = draw
        self._running = running
        self._whens: Mapping[str, Any] = {}
        self._jobs: dict[str, ScheduledJob] = {}
        self._looked = datetime.datetime.min + self._loop
        self._settle()

    def set_pillar(self, schedule: Any, whens: Mapping[str, Any]) -> None:
        """Take over the jobs of pillar, and the moments that `when` may name."""
        if not isinstance(schedule, Mapping):
            log.error("schedule: pillar's `schedule` is %r and not a map; ignored", schedule)
            schedule = {}
        is_new = whens != self._whens
        self.pillar, self._whens = _copied(schedule), dict(whens)
        self._settle(anew=is_new)

    def due(self, now: datetime.datetime) -> list[Due]:
        """Return the jobs that are to run now."""
        rules = self.rules()
        if now < self._looked - self._loop:
            # Somebody, or the end of summer time, has set the clock back.
            for job in self._jobs.values():
                job.clock_went_back(self._looked - now)
        self._looked = now
        found = (job.look(now, rules) for job in list(self._jobs.values()))
        return [due for due in found if due is not None]

    def next_fire(self) -> datetime.datetime | None:
        """Return the earliest moment at which a job fires, as far as it is known."""
        return min((job.next_fire for job in self._jobs.values() if job.next_fire), default=None)

    def forced(self, name: str, now: datetime.datetime) -> Due | None:
        """Return a job to run at once, None when there is none or it runs as often as it may."""
        job = self._jobs.get(name)
        return job.forced(now, self.rules()) if job else None

    def job(self, name: str) -> ScheduledJob | None:
        """Return a job by its name."""
        return self._jobs.get(name)

    def put(self, name: str, settings: Any) -> None:
        """Add a job to the settings, or replace it."""
        self.own[name] = dict(settings) if isinstance(settings, Mapping) else settings
        self._jobs.pop(name, None)
        self._settle()

    def remove(self, name: str) -> bool:
        """Remove a job from the settings; False when it is not there."""
        is_there = self.own.pop(name, None) is not None
        self._settle()
        return is_there

    def replace(self, settings: Mapping[str, Any]) -> None:
        """Take over settings that were read from a file; jobs that they do not name stay."""
        self.own.update(_copied(settings))
        self._jobs.clear()
        self._settle()

    def merged(self) -> dict[str, Any]:
        """Return all jobs with what is known of their fate, as stock shows them."""
        return {**self.of_pillar(), **self.of_settings()}

    def of_settings(self) -> dict[str, Any]:
        """Return the jobs of the settings."""
        return {name: self._shown(name, value) for name, value in self.own.items()}

    def of_pillar(self) -> dict[str, Any]:
        """Return the jobs of pillar."""
        hidden = self.own.keys()
        return {
            name: value if name in hidden else self._shown(name, value) for name, value in self.pillar.items()
        }

    def to_save(self) -> dict[str, Any]:
        """Return the settings without what belongs to this run of the daemon."""
        return {name: dict(_lasting(value)) if _is_job(value) else value for name, value in self.own.items()}

    def rules(self) -> ScheduleRules:
        """Return what holds for all jobs."""
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

    def _settle(self, *, anew: bool = False) -> None:
        """Make the jobs that the settings describe; one that did not change keeps its memory."""
        before = {} if anew else self._jobs
        self._jobs = {}
        for name, value in {**self.pillar, **self.own}.items():
            if name in GLOBALS:
                continue
            if not isinstance(value, dict):
                log.error('Scheduled job "%s" should have a dict value, not %s', name, type(value))
                continue
            known = before.get(name)
            if known is None or not known.is_still(value):
                known = ScheduledJob(name, value, self._whens)
            self._jobs[name] = known

    def _shown(self, name: str, value: Any) -> Any:
        job = self._jobs.get(name)
        return job.status() if job else value


def _copied(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: dict(value) if isinstance(value, Mapping) else value for name, value in settings.items()}


def _is_job(value: Any) -> bool:
    return isinstance(value, dict)


def _lasting(settings: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    return ((key, value) for key, value in settings.items() if not key.startswith("_"))
