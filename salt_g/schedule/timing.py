"""Firing times of a job: at intervals, at given times, once, or by a crontab expression.

Each kind answers one query: the first firing time after another time.
Units: seconds.
Errors: ScheduleProblem says, in stock's words, why a job has no timing.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import salt_g.schedule.dates as dates
from salt_g.shapes import ScheduleSettings

#: {time element: length (s)}
UNITS = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86400}
#: Settings that cannot be combined with each other, or with time elements.
WAYS = ("when", "cron", "once")
ISO = "%Y-%m-%dT%H:%M:%S"
#: Arbitrary time used to validate settings.
SOME_DAY = datetime.datetime(2000, 1, 1)


class ScheduleProblem(ValueError):
    """Raised for a job that cannot be scheduled as defined."""


class Timing(Protocol):
    """Firing times of one job."""

    def after(self, moment: datetime.datetime) -> datetime.datetime | None:
        """Return the first firing time after `moment`, or None if none is known."""


class Interval(NamedTuple):
    """Fixed interval, counted from the last run."""

    seconds: int

    def after(self, moment: datetime.datetime) -> datetime.datetime | None:
        """Return the time one interval later, or None if outside the calendar."""
        try:
            return moment + datetime.timedelta(seconds=self.seconds)
        except OverflowError:
            return None


class Once(NamedTuple):
    """A single time."""

    at: datetime.datetime

    def after(self, moment: datetime.datetime) -> datetime.datetime | None:
        """Return the time unless it has passed."""
        return self.at if self.at > moment else None


class When(NamedTuple):
    """Given times; those without a date repeat daily or weekly."""

    names: tuple[Any, ...]

    def after(self, moment: datetime.datetime) -> datetime.datetime | None:
        """Return the earliest time after `moment`; names are read as of its day and the next day."""
        tomorrow = moment + datetime.timedelta(days=1)
        found = [dates.moment(name, day) for name in self.names for day in (moment, tomorrow)]
        return min((at for at in found if at > moment), default=None)


class Cron(NamedTuple):
    """Times of a crontab expression."""

    expression: str

    def after(self, moment: datetime.datetime) -> datetime.datetime | None:
        """Return the next time of the expression, or None if there is none (30 February)."""
        from croniter import CroniterBadDateError, croniter

        try:
            found: datetime.datetime = croniter(self.expression, moment).get_next(datetime.datetime)
        except CroniterBadDateError:
            return None
        return found


def timing_of(name: str, settings: ScheduleSettings, whens: Mapping[str, Any]) -> Timing | None:
    """Return the timing of a job, or None if its settings contain none.

    `whens` are named times from pillar and grains. Raises ScheduleProblem.
    """
    ways = [way for way in WAYS if way in settings]
    elements = [unit for unit in UNITS if unit in settings]
    if len(ways) > 1:
        raise ScheduleProblem('Unable to use "{}" options together. Ignoring.'.format('", "'.join(WAYS)))
    if ways and elements:
        raise ScheduleProblem(
            'Unable to use "{}" with "{}" options. Ignoring'.format('", "'.join(UNITS), '", "'.join(WAYS))
        )
    if elements:
        return _interval(name, settings, elements)
    return _READERS[ways[0]](name, settings, whens) if ways else None


def _interval(name: str, settings: ScheduleSettings, elements: Sequence[str]) -> Interval:
    try:
        seconds = sum(int(settings[unit]) * UNITS[unit] for unit in elements)
    except (TypeError, ValueError, OverflowError):
        raise ScheduleProblem(f"Invalid time in {', '.join(elements)}. Ignoring job {name}.") from None
    # A job with a shorter interval would always be due.
    return Interval(max(seconds, 1))


def _once(name: str, settings: ScheduleSettings, whens: Mapping[str, Any]) -> Once:
    once, form = settings["once"], settings.get("once_fmt", ISO)
    if isinstance(once, datetime.datetime):
        return Once(dates.moment(once, once))
    try:
        return Once(dates.local(datetime.datetime.strptime(once, form)))
    except (TypeError, ValueError):
        raise ScheduleProblem(
            f"Date string could not be parsed: {once}, {form}. Ignoring job {name}."
        ) from None


def _when(name: str, settings: ScheduleSettings, whens: Mapping[str, Any]) -> When:
    when = settings["when"]
    said = when if isinstance(when, list) else [when]
    names = tuple(whens.get(one, one) if isinstance(one, str) else one for one in said)
    for given, meant in zip(said, names, strict=True):
        try:
            dates.moment(meant, SOME_DAY)
        except ValueError as exc:
            raise ScheduleProblem(f"Invalid date string {given}. Ignoring job {name}. ({exc})") from exc
    return When(names)


def _cron(name: str, settings: ScheduleSettings, whens: Mapping[str, Any]) -> Cron:
    try:
        from croniter import croniter
    except ImportError:
        raise ScheduleProblem(
            f"Missing python-croniter. Ignoring job {name}. Install salt-g[schedule]"
        ) from None
    expression = str(settings["cron"])
    if not croniter.is_valid(expression) or Cron(expression).after(SOME_DAY) is None:
        raise ScheduleProblem(f"Invalid cron string. Ignoring job {name}.")
    return Cron(expression)


_READERS: dict[str, Callable[[str, Mapping[str, Any], Mapping[str, Any]], Timing]] = {
    "once": _once,
    "when": _when,
    "cron": _cron,
}
