"""Parser of times in schedules: `5:00pm`, `Monday 17:00`, `2026-01-31T08:00`.

`when`, `range`, `until` and other settings use such text. The formats in stock's documentation are parsed
here, all others by python-dateutil if installed.
Shapes: times are naive local times.
Errors: ValueError for malformed text.
"""

from __future__ import annotations

import datetime
import re

#: Pattern of a time of day at the end of a text: `17:00`, `5pm`, `5:00:30 pm`.
_TIME = re.compile(r"(?:^|[\sT])(\d{1,2})(?::(\d{2})(?::(\d{2}))?)?\s*([ap]\.?m\.?)?$", re.IGNORECASE)
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
#: Formats of a date before the time of day.
_DATES = ("%Y-%m-%d", "%Y/%m/%d", "%m/%d/%Y", "%B %d, %Y", "%b %d, %Y", "%B %d %Y", "%b %d %Y", "%d %B %Y")


def moment(value: object, now: datetime.datetime) -> datetime.datetime:
    """Return the time in a setting; a missing day is that of `now`, a missing time of day is midnight."""
    if isinstance(value, datetime.datetime):
        return local(value)
    if isinstance(value, datetime.date):
        return datetime.datetime.combine(value, datetime.time())
    if not isinstance(value, str):
        raise ValueError(f"a time must be text, not {value!r}")
    text = " ".join(value.split())
    found = _iso(text) or _day_and_time(text, now)
    return found if found is not None else _any(text, now)


def local(value: datetime.datetime) -> datetime.datetime:
    """Convert a time, with or without a zone, to a naive local time."""
    return value if value.tzinfo is None else value.astimezone().replace(tzinfo=None)


def _iso(text: str) -> datetime.datetime | None:
    # Python 3.11 would also parse `17` or `202601`, which have other meanings here.
    if not re.match(r"\d{4}-\d{2}-\d{2}", text):
        return None
    try:
        return local(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")))
    except ValueError:
        return None


def _day_and_time(text: str, now: datetime.datetime) -> datetime.datetime | None:
    found = _TIME.search(text)
    time = _time(found) if found else None
    if found and time is not None:
        day = _day(text[: found.start()].strip(), now)
        if day is not None:
            return datetime.datetime.combine(day, time)
    day = _day(text, now) if text else None
    return None if day is None else datetime.datetime.combine(day, datetime.time())


def _time(found: re.Match[str]) -> datetime.time | None:
    hour, minute, second = (int(part or 0) for part in found.group(1, 2, 3))
    half = (found.group(4) or "").lower()
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    elif found.group(2) is None:
        # A bare number is a day or a year, not an hour.
        return None
    try:
        return datetime.time(hour, minute, second)
    except ValueError:
        return None


def _day(text: str, now: datetime.datetime) -> datetime.date | None:
    if not text:
        return now.date()
    word = text.rstrip(",").lower()
    for number, name in enumerate(_DAYS):
        if word in (name, name[:3]):
            return now.date() + datetime.timedelta(days=(number - now.weekday()) % 7)
    for form in _DATES:
        try:
            return datetime.datetime.strptime(text.rstrip(","), form).date()
        except ValueError:
            continue
    return None


def _any(text: str, now: datetime.datetime) -> datetime.datetime:
    try:
        from dateutil import parser
    except ImportError:
        raise ValueError(
            f"{text!r} cannot be parsed; python-dateutil accepts more formats: install salt-g[schedule]"
        ) from None
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    try:
        found: datetime.datetime = parser.parse(text, default=today)
    except OverflowError as exc:
        raise ValueError(f"{text!r} is outside the calendar") from exc
    return local(found)
