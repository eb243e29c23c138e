"""Stock's `salt.utils.dateutils`: parsing and formatting of dates."""

import datetime
from typing import Any


def date_cast(date: Any = None) -> datetime.datetime:
    """Return a date, given as seconds since 1970, text or datetime, as a datetime; None means now."""
    if date is None:
        return datetime.datetime.now()
    if isinstance(date, datetime.datetime):
        return date
    text = str(date).strip()
    if text.isdigit() or isinstance(date, (int, float)):
        return datetime.datetime.fromtimestamp(float(text))
    try:
        return datetime.datetime.fromisoformat(text)
    except ValueError:
        return _read(text)


def _read(text: str) -> datetime.datetime:
    """Return the datetime of text that dateutil can parse; raise RuntimeError for other text."""
    try:
        from dateutil import parser
    except ImportError:
        raise RuntimeError(
            f"cannot parse {text!r}; install python-dateutil or write the date in ISO format"
        ) from None
    try:
        found: datetime.datetime = parser.parse(text)
    except (ValueError, OverflowError) as exc:
        raise RuntimeError(f"cannot parse the date {text!r}: {exc}") from exc
    return found


def strftime(date: Any = None, format: str = "%Y-%m-%d") -> str:
    """Return a date formatted with a format of strftime."""
    return date_cast(date).strftime(format)


def total_seconds(td: datetime.timedelta) -> float:
    """Return a duration in seconds."""
    return td.total_seconds()


__all__ = ["date_cast", "strftime", "total_seconds"]
