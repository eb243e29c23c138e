"""Times in certificates and arguments: UTC, whole seconds."""

from __future__ import annotations

import datetime

from salt_g.errors import InvocationError

#: Format of times in arguments and results, in UTC.
FORMAT = "%Y-%m-%d %H:%M:%S"


def now() -> datetime.datetime:
    """Return the current time."""
    return datetime.datetime.now(tz=datetime.timezone.utc)


def moment(text: object) -> datetime.datetime:
    """Parse a time such as `2030-01-31 12:00:00`."""
    try:
        return datetime.datetime.strptime(str(text), FORMAT).replace(tzinfo=datetime.timezone.utc)
    except ValueError as exc:
        raise InvocationError(str(exc)) from exc


def in_days(days: float) -> datetime.datetime:
    """Return the time that is `days` days from now."""
    return now() + datetime.timedelta(days=days)


def after(when: datetime.datetime, seconds: float) -> datetime.datetime:
    """Return the time a number of seconds later."""
    return when + datetime.timedelta(seconds=seconds)


def shown(when: datetime.datetime | None) -> str:
    """Format a time as text, '' for None."""
    return when.strftime(FORMAT) if when else ""
