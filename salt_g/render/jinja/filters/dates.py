"""Date filters: `strftime` and its alias `date_format`."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

#: Date formats that can be parsed without the package timelib.
_WRITTEN = (
    "%Y/%m/%d",
    "%Y/%m/%d %H:%M",
    "%Y/%m/%d %H:%M:%S",
    "%d %b %Y",
    "%d %B %Y",
    "%b %d, %Y",
    "%B %d, %Y",
    "%d.%m.%Y",
    "%m/%d/%Y",
    "%a, %d %b %Y %H:%M:%S",
)


def strftime(date: Any = None, format: str = "%Y-%m-%d") -> str:
    """Return a date in a format of `strftime(3)`; a date is a timestamp, text or None (now)."""
    return read_date(date).strftime(format)


def read_date(date: Any) -> datetime.datetime:
    """Parse a value as local date and time without a zone; raise RuntimeError if that fails."""
    if date is None:
        return datetime.datetime.now()
    if isinstance(date, datetime.datetime):
        return date
    try:
        return datetime.datetime.fromtimestamp(float(date))
    except (ValueError, TypeError, OverflowError):
        return _read_written(str(date))


def _read_written(text: str) -> datetime.datetime:
    try:
        return datetime.datetime.fromisoformat(text)
    except ValueError:
        pass
    for layout in _WRITTEN:
        try:
            return datetime.datetime.strptime(text, layout)
        except ValueError:
            continue
    return _read_with_timelib(text)


def _read_with_timelib(text: str) -> datetime.datetime:
    try:
        import timelib  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        raise RuntimeError(f"Unable to parse {text}. Consider installing timelib") from None
    read: datetime.datetime = timelib.strtodatetime(text.encode())
    return read


FILTERS: dict[str, Callable[..., Any]] = {"strftime": strftime, "date_format": strftime}
