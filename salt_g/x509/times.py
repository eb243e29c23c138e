"""Times in certificates and arguments (UTC, whole seconds), and spans of time: `30d`, `1.5h`, seconds."""

from __future__ import annotations

import datetime
import re
from typing import Any

from salt_g.errors import InvocationError

#: Format of times in arguments and results, in UTC.
FORMAT = "%Y-%m-%d %H:%M:%S"
#: Length of each unit (s).
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_SPAN = re.compile(r"(\d+(?:\.\d+)?)([smhd]?)", re.ASCII)


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


def span_seconds(span: Any) -> float | None:
    """Return the seconds of a span, or None for None."""
    if span is None:
        return None
    match = _SPAN.fullmatch(str(span))
    if match is None:
        raise InvocationError(f"Invalid time string format: {span}; write seconds, or 30d, 12h, 90m, 30s")
    return float(match[1]) * _UNITS[match[2] or "s"]
