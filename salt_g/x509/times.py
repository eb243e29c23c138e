"""Moments as certificates and users have them: UTC, whole seconds."""

from __future__ import annotations

import datetime

from salt_g.errors import InvocationError

#: How users write a moment, and how we show one; UTC.
FORMAT = "%Y-%m-%d %H:%M:%S"


def now() -> datetime.datetime:
    """Return this moment."""
    return datetime.datetime.now(tz=datetime.timezone.utc)


def moment(text: object) -> datetime.datetime:
    """Return the moment of a text such as `2030-01-31 12:00:00`."""
    try:
        return datetime.datetime.strptime(str(text), FORMAT).replace(tzinfo=datetime.timezone.utc)
    except ValueError as exc:
        raise InvocationError(str(exc)) from exc


def in_days(days: float) -> datetime.datetime:
    """Return the moment that is so many days away."""
    return now() + datetime.timedelta(days=days)


def after(when: datetime.datetime, seconds: float) -> datetime.datetime:
    """Return the moment so many seconds later."""
    return when + datetime.timedelta(seconds=seconds)


def shown(when: datetime.datetime | None) -> str:
    """Return a moment as text, '' for none."""
    return when.strftime(FORMAT) if when else ""
