"""Stock's `salt.utils.timeutil`: times and durations."""

import datetime
import re
from typing import Any

#: {unit: length (s)}
_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


def get_timestamp_at(time_in: Any = None, time_at: Any = None) -> int:
    """Return the time (s since 1970) that is `time_in` from now (`1h30m`) or the next `time_at` (`15:30`)."""
    now = datetime.datetime.now()
    if time_in is not None:
        return int((now + datetime.timedelta(seconds=_seconds(str(time_in)))).timestamp())
    hour, minute = str(time_at).upper().split(":", 1)
    clock = datetime.datetime.strptime(f"{hour}:{minute}", "%I:%M%p" if minute[-1:] == "M" else "%H:%M")
    then = now.replace(hour=clock.hour, minute=clock.minute, second=0, microsecond=0)
    return int((then if then > now else then + datetime.timedelta(days=1)).timestamp())


def get_time_at(time_in: Any = None, time_at: Any = None, out_fmt: str = "%Y-%m-%dT%H:%M:%S") -> str:
    """Return the time of `get_timestamp_at` as text."""
    return datetime.datetime.fromtimestamp(get_timestamp_at(time_in, time_at)).strftime(out_fmt)


def timestring_map(val: Any) -> float | None:
    """Return a duration such as `60m` or `1.5h` in seconds; None for None."""
    if val is None or isinstance(val, (int, float)):
        return None if val is None else float(val)
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([smhd]?)\s*", str(val))
    if found is None:
        raise RuntimeError(f"not a duration: {val!r}")
    return float(found[1]) * _UNITS[found[2]]


def _seconds(text: str) -> float:
    """Return a duration such as `1h30m` in seconds; a number without a unit means hours."""
    if text.isdigit():
        return float(text) * 3600
    return sum(float(number) * _UNITS[unit] for number, unit in re.findall(r"(\d+)([smhd])", text))


def utcnow() -> datetime.datetime:
    """Return the current time in UTC as a datetime without a time zone."""
    return datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)


def utcfromtimestamp(timestamp: float) -> datetime.datetime:
    """Return a time, given in seconds since 1970, in UTC as a datetime without a time zone."""
    return datetime.datetime.fromtimestamp(timestamp, datetime.timezone.utc).replace(tzinfo=None)


__all__ = ["get_time_at", "get_timestamp_at", "timestring_map"]
__all__ += ["utcfromtimestamp", "utcnow"]
