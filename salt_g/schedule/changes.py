"""Requests of the `schedule.*` functions to a running daemon: list, add, enable, skip, ....

Requests arrive as events on the minion's bus (`manage_schedule`), from our functions and from stock's. They
are answered by events; the shapes of both must not change.
Shapes: a request is {func, name, schedule, where, persist, ...}; an answer {tag, data, run}.
Source: stock's events `/salt/minion/minion_schedule_*_complete`.
"""

from __future__ import annotations

import datetime
import logging
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from salt_g.schedule.schedule import Due, Schedule
from salt_g.schedule.timing import ISO
from salt_g.shapes import ScheduleEntry

log = logging.getLogger(__name__)

_TAG = "/salt/minion/minion_schedule_"


class ScheduleAnswer(NamedTuple):
    """Event with the result (`tag` '' for no event), and a job to run now."""

    tag: str = ""
    data: Mapping[str, Any] = {}
    run: Due | None = None


class ScheduleChanges:
    """Handler of requests about one schedule; `save(settings)` writes it to the daemon's own file."""

    def __init__(
        self,
        schedule: Schedule,
        save: Callable[[Mapping[str, Any]], None],
        *,
        clock: Callable[[], datetime.datetime] = datetime.datetime.now,
    ) -> None:
        self._schedule = schedule
        self._save = save
        self._clock = clock
        self._known: dict[str, Callable[[Mapping[str, Any]], ScheduleAnswer]] = {
            "add": self._add,
            "delete": self._delete,
            "modify": self._modify,
            "enable": self._enable,
            "disable": self._disable,
            "enable_job": self._enable_job,
            "disable_job": self._disable_job,
            "run_job": self._run_job,
            "postpone_job": self._postpone_job,
            "skip_job": self._skip_job,
            "reload": self._reload,
            "list": self._list,
            "save_schedule": self._save_schedule,
            "get_next_fire_time": self._get_next_fire_time,
            "job_status": self._job_status,
        }

    def handle(self, question: Mapping[str, Any]) -> ScheduleAnswer:
        """Carry out a request and return the event with its result."""
        found = self._known.get(str(question.get("func")))
        if found is None:
            log.error("schedule: unknown function %r", question.get("func"))
            return ScheduleAnswer()
        answer = found(question)
        if question.get("persist"):
            self._save(self._schedule.to_save())
        return answer

    def _complete(self, word: str) -> ScheduleAnswer:
        return ScheduleAnswer(
            f"{_TAG}{word}_complete", {"complete": True, "schedule": self._schedule.merged()}
        )

    def _is_own(self, name: str) -> bool:
        """Return whether a job is in the settings, where it can be changed; jobs of pillar cannot."""
        if name in self._schedule.own:
            return True
        if name in self._schedule.pillar:
            log.warning("schedule: job %s is in the pillar and cannot be changed here", name)
        return False

    def _add(self, question: Mapping[str, Any]) -> ScheduleAnswer:
        for name, settings in _mapping(question.get("schedule")).items():
            if name in self._schedule.own or name not in self._schedule.pillar:
                self._schedule.put(name, {"enabled": True, **_mapping(settings)})
            else:
                log.warning("schedule: cannot update job %s, it's in the pillar!", name)
        return self._complete("add")

    def _delete(self, question: Mapping[str, Any]) -> ScheduleAnswer:
        name = str(question.get("name"))
        if self._is_own(name):
            self._schedule.remove(name)
        return self._complete("delete")

    def _modify(self, question: Mapping[str, Any]) -> ScheduleAnswer:
        name = str(question.get("name"))
        if name in self._schedule.own or name not in self._schedule.pillar:
            self._schedule.put(name, _mapping(question.get("schedule")))
        else:
            log.warning("schedule: cannot modify job %s, it's in the pillar!", name)
        # Stock removes the job before adding it again, and callers wait for the event of the removal.
        return self._complete("delete")

    def _enable(self, question: Mapping[str, Any]) -> ScheduleAnswer:
        self._schedule.own["enabled"] = True
        return self._complete("enabled")

    def _disable(self, question: Mapping[str, Any]) -> ScheduleAnswer:
        self._schedule.own["enabled"] = False
        return self._complete("disabled")

    def _enable_job(self, question: Mapping[str, Any]) -> ScheduleAnswer:
        return self._set_enabled(str(question.get("name")), True, "enabled_job")

    def _disable_job(self, question: Mapping[str, Any]) -> ScheduleAnswer:
        return self._set_enabled(str(question.get("name")), False, "disabled_job")

    def _set_enabled(self, name: str, is_enabled: bool, word: str) -> ScheduleAnswer:
        if self._schedule.job(name) and self._is_own(name):
            self._schedule.own[name]["enabled"] = is_enabled
        return self._complete(word)

    def _run_job(self, question: Mapping[str, Any]) -> ScheduleAnswer:
        return ScheduleAnswer(run=self._schedule.forced(str(question.get("name")), self._clock()))

    def _postpone_job(self, question: Mapping[str, Any]) -> ScheduleAnswer:
        self._note(question, skip_explicit="time", run_explicit="new_time")
        return self._complete("postpone_job")

    def _skip_job(self, question: Mapping[str, Any]) -> ScheduleAnswer:
        self._note(question, skip_explicit="time")
        return self._complete("skip_job")

    def _note(self, question: Mapping[str, Any], **fields: str) -> None:
        name = str(question.get("name"))
        job = self._schedule.job(name)
        if job is None or not self._is_own(name):
            return
        for what, field in fields.items():
            job.add_explicit(what, str(question.get(field)), str(question.get("time_fmt") or ISO))

    def _reload(self, question: Mapping[str, Any]) -> ScheduleAnswer:
        schedule = _mapping(question.get("schedule"))
        self._schedule.replace(_mapping(schedule.get("schedule", schedule)))
        return ScheduleAnswer()

    def _list(self, question: Mapping[str, Any]) -> ScheduleAnswer:
        parts = {"pillar": self._schedule.of_pillar, "opts": self._schedule.of_settings}
        shown = parts.get(str(question.get("where")), self._schedule.merged)()
        return ScheduleAnswer(f"{_TAG}list_complete", {"complete": True, "schedule": shown})

    def _save_schedule(self, question: Mapping[str, Any]) -> ScheduleAnswer:
        self._save(self._schedule.to_save())
        return ScheduleAnswer(f"{_TAG}saved", {"complete": True})

    def _get_next_fire_time(self, question: Mapping[str, Any]) -> ScheduleAnswer:
        job = self._schedule.job(str(question.get("name")))
        at = job.fires_after(self._clock(), self._schedule.rules()) if job else None
        fires = at.strftime(ISO) if at else None
        return ScheduleAnswer(f"{_TAG}next_fire_time_complete", {"complete": True, "next_fire_time": fires})

    def _job_status(self, question: Mapping[str, Any]) -> ScheduleAnswer:
        job = self._schedule.job(str(question.get("name")))
        data = {"complete": True, "data": job.status() if job else {}}
        return ScheduleAnswer(f"{_TAG}job_status_complete", data if question.get("fire_event") else {})


def _mapping(value: Any) -> ScheduleEntry:
    return dict(value) if isinstance(value, Mapping) else {}
