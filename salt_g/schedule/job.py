"""Scheduled job: its next firing time, whether it is due, and the reason if it did not run.

All state of a job between two checks of the clock is here.
Shapes: `settings` is the user's definition; `status()` adds stock's hidden keys (`_next_fire_time`, ...).
Units: seconds.
"""

from __future__ import annotations

import datetime
import logging
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import salt_g.schedule.conditions as conditions
from salt_g.schedule.timing import ISO, Cron, Interval, ScheduleProblem, Timing, timing_of
from salt_g.shapes import ScheduleEntry, ScheduleSettings

log = logging.getLogger(__name__)

#: Maximum delay with which a job for a fixed time still runs, for example after the daemon was busy.
GRACE = datetime.timedelta(seconds=60)
#: Settings that are added by `skip_job`, `postpone_job` and `run_after_skip_range`, not by users.
_NOTED = ("skip_explicit", "run_explicit")


class ScheduleRules(NamedTuple):
    """Rules for all jobs of a schedule.

    `loop` is the maximum time between two checks of the clock; `draw(low, high)` returns a random integer;
    `running(name)` returns the number of running instances of a job.
    """

    loop: datetime.timedelta
    draw: Callable[[int, int], int]
    running: Callable[[str], int]
    is_enabled: bool = True
    splay: Any = None
    skip_function: str = ""
    skip_during_range: Any = None


class Due(NamedTuple):
    """Job to run now; `fun` is its function or the replacement, `late` the delay in seconds."""

    name: str
    fun: str
    settings: ScheduleSettings
    late: float = 0.0


class ScheduledJob:
    """Job of the schedule and its state."""

    def __init__(self, name: str, settings: ScheduleEntry, whens: Mapping[str, Any]) -> None:
        self.name = name
        self.settings = settings
        self.error = ""
        self.next_fire: datetime.datetime | None = None
        self.last_run: datetime.datetime | None = None
        self._splayed: datetime.datetime | None = None
        self._skipped: tuple[str, datetime.datetime] | None = None
        self._timing = self._read(whens)
        self._is_starting = bool(settings.get("run_on_start", isinstance(self._timing, Interval)))

    @property
    def fun(self) -> str:
        """Function of the job, under any of stock's keys for it."""
        return str(
            next((self.settings[key] for key in ("function", "func", "fun") if key in self.settings), "")
        )

    def has_settings(self, settings: ScheduleEntry) -> bool:
        """Return whether the job has these settings; if so, copy its skipped and added times into them."""
        noted = {key: value for key, value in self.settings.items() if key in _NOTED}
        if {**settings, **noted} != self.settings:
            return False
        settings.update(noted)
        self.settings = settings
        return True

    def poll(self, now: datetime.datetime, rules: ScheduleRules) -> Due | None:
        """Return the job if it must run now, and compute the next firing time."""
        if self._timing is None:
            return None
        try:
            self._plan(now, rules)
            return self._due_now(now, rules)
        except ScheduleProblem as exc:
            self._fail(exc)
            self._advance(now, rules)
            return None

    def clock_went_back(self, by: datetime.timedelta) -> None:
        """Move the next firing time of an interval back with the clock; recompute fixed times."""
        if self.next_fire is None or not isinstance(self._timing, Interval):
            self.next_fire = None
            return
        self.next_fire -= by
        self._splayed = self._splayed - by if self._splayed else None

    def forced(self, now: datetime.datetime, rules: ScheduleRules) -> Due | None:
        """Return the job for `schedule.run_job`, or None if `maxrunning` is reached or invalid."""
        try:
            self._check_numbers()
        except ScheduleProblem as exc:
            self._fail(exc)
            return None
        if self._is_crowded(now, rules):
            return None
        return Due(self.name, self.fun, self.settings)

    def fires_after(self, now: datetime.datetime, rules: ScheduleRules) -> datetime.datetime | None:
        """Return the next firing time, even before the first check."""
        if self._timing is not None and self.next_fire is None:
            self._plan(now, rules)
        return self.next_fire

    def add_explicit(self, what: str, time: str, time_fmt: str) -> None:
        """Record a time to skip (`skip_explicit`) or to run at (`run_explicit`)."""
        entries = self.settings.get(what) or []
        # If the setting is not a list, the job does not run, and its error says why.
        if isinstance(entries, list):
            self.settings[what] = [*entries, {"time": time, "time_fmt": time_fmt}]

    def status(self) -> ScheduleEntry:
        """Return the settings and the job's state, under stock's names."""
        shown = {"name": self.name, "jid_include": True, "maxrunning": 1, **self.settings}
        shown["_next_fire_time"] = self.next_fire
        shown["_splay"] = self._splayed
        if isinstance(self._timing, Interval):
            shown["_seconds"] = self._timing.seconds
        if self.last_run:
            shown["_last_run"] = self.last_run
        if self.error:
            shown["_error"] = self.error
        if self._skipped:
            shown.update(_skipped=True, _skip_reason=self._skipped[0], _skipped_time=self._skipped[1])
        return shown

    def _read(self, whens: Mapping[str, Any]) -> Timing | None:
        try:
            if not self.fun:
                raise ScheduleProblem(f"Invalid function: None in scheduled job {self.name}.")
            self._check_numbers()
            return timing_of(self.name, self.settings, whens)
        except ScheduleProblem as exc:
            self._fail(exc)
            return None

    def _check_numbers(self) -> None:
        """Raise ScheduleProblem for settings that would fail at every check of the clock."""
        most = self.settings.get("maxrunning", 1)
        try:
            int(most)
        except (TypeError, ValueError, OverflowError):
            raise ScheduleProblem(f"Invalid maxrunning {most!r}. Ignoring job {self.name}.") from None
        for noted in _NOTED:
            if not isinstance(self.settings.get(noted) or [], list):
                raise ScheduleProblem(f"Invalid {noted}, it must be a list. Ignoring job {self.name}.")

    def _fail(self, exc: ScheduleProblem) -> None:
        if self.error != str(exc):
            self.error = str(exc)
            log.error("schedule: %s", exc)

    def _plan(self, now: datetime.datetime, rules: ScheduleRules) -> None:
        """Compute the next firing time, unless there is a valid one."""
        if self.next_fire is None:
            self._advance(now if isinstance(self._timing, Interval | Cron) else now - rules.loop, rules)
        elif not isinstance(self._timing, Interval | Cron) and self._due_at() < now - GRACE:
            self._advance(now, rules)

    def _advance(self, moment: datetime.datetime, rules: ScheduleRules) -> None:
        self.next_fire = self._timing.after(moment) if self._timing else None
        splay = self._splay(rules) if self.next_fire else 0
        try:
            self._splayed = (
                self.next_fire + datetime.timedelta(seconds=splay) if self.next_fire and splay else None
            )
        except OverflowError:
            self.next_fire = self._splayed = None

    def _splay(self, rules: ScheduleRules) -> int:
        splay = self.settings.get("splay", rules.splay)
        if not splay:
            return 0
        ends = (splay.get("start"), splay.get("end")) if isinstance(splay, Mapping) else (1, splay)
        try:
            low, high = map(int, ends)
        except (TypeError, ValueError, OverflowError):
            log.error("schedule: Invalid Splay %r. Ignoring splay of %s.", splay, self.name)
            return 0
        if high >= low:
            return rules.draw(low, high)
        log.error("schedule: Invalid Splay, end must be larger than start. Ignoring splay of %s.", self.name)
        return 0

    def _due_at(self) -> datetime.datetime:
        return self._splayed or self.next_fire or datetime.datetime.max

    def _due_now(self, now: datetime.datetime, rules: ScheduleRules) -> Due | None:
        starting, self._is_starting = self._is_starting, False
        if not (rules.is_enabled and self.settings.get("enabled", True)):
            self._skip("disabled", now)
            if self._due_at() <= now:
                self._advance(now, rules)
            return None
        due, explicit = self._due_at(), self._take_explicit(now)
        if not starting and explicit is None and due > now:
            return None
        if starting or due <= now or isinstance(self._timing, Interval):
            # An interval counts from the last run, however it was triggered.
            self._advance(now, rules)
        due = now if starting else explicit or due
        fun = self.fun
        if not starting:
            fun = self._check_conditions(conditions.Moment(self.name, now, due, rules.loop), rules)
        if not fun or self._is_crowded(now, rules):
            return None
        self._skipped, self.error, self.last_run = None, "", now
        if self.settings.get("dry_run"):
            log.debug("schedule: %s has dry_run set and does not run", self.name)
            return None
        return Due(self.name, fun, self.settings, (now - due).total_seconds())

    def _take_explicit(self, now: datetime.datetime) -> datetime.datetime | None:
        """Return a postponed time that is now due; drop times that have passed."""
        entries = self.settings.get("run_explicit") or []
        reached = [one for one in entries if conditions.explicit_moment(one, self.name) <= now]
        if not reached:
            return None
        self.settings["run_explicit"] = [one for one in entries if one not in reached]
        latest = max(conditions.explicit_moment(one, self.name) for one in reached)
        return latest if latest >= now - GRACE else None

    def _check_conditions(self, at: conditions.Moment, rules: ScheduleRules) -> str:
        """Return the function to run, or '' if a condition forbids it."""
        settings = {"skip_during_range": rules.skip_during_range, **self.settings}
        reason = conditions.why_not(settings, at)
        if not reason:
            return self.fun
        if (
            reason == "in_skip_range"
            and settings["skip_during_range"]
            and settings.get("run_after_skip_range")
        ):
            self._run_later(conditions.end_of_skipped_range(settings, at))
        if rules.skip_function and reason in conditions.WITH_SUBSTITUTE:
            return rules.skip_function
        self._skip(reason, at.now)
        return ""

    def _run_later(self, moment: datetime.datetime) -> None:
        time = moment.strftime(ISO)
        if {"time": time, "time_fmt": ISO} not in (self.settings.get("run_explicit") or ()):
            self.add_explicit("run_explicit", time, ISO)

    def _is_crowded(self, now: datetime.datetime, rules: ScheduleRules) -> bool:
        if not self.settings.get("jid_include", True):
            return False
        if rules.running(self.name) < int(self.settings.get("maxrunning", 1)):
            return False
        log.debug("schedule: skipping %s, it has reached maxrunning", self.name)
        self._skip("maxrunning", now)
        return True

    def _skip(self, reason: str, now: datetime.datetime) -> None:
        self._skipped = (reason, now)
