"""System clock: reading and setting it together with the hardware clock.

Shapes: an offset from UTC is text such as `+0100`; None is the local time.
"""

from __future__ import annotations

import datetime
import re
from typing import Any

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules._programs import is_installed, run

_TIMES = ("%I:%M:%S %p", "%I:%M %p", "%H:%M:%S", "%H:%M")
_DATES = ("%Y-%m-%d", "%m-%d-%Y", "%m-%d-%y", "%m/%d/%Y", "%m/%d/%y", "%Y/%m/%d")


def get_system_time(utc_offset: str | None = None) -> str:
    """Return the time of day as `11:20:00 AM`.

    utc_offset
        Offset of the time zone from UTC, such as `+0100`; on a command line use two pairs of quotes.

    Example::

        salt-g system.get_system_time "'+0100'"
    """
    return _now(utc_offset).strftime("%I:%M:%S %p")


def get_system_date(utc_offset: str | None = None) -> str:
    """Return the day as `Thu 01/31/2030`. `utc_offset` is as in `system.get_system_time`.

    Example::

        salt-g system.get_system_date
    """
    return _now(utc_offset).strftime("%a %m/%d/%Y")


def get_system_date_time(utc_offset: str | None = None) -> str:
    """Return day and time as `2030-01-31 11:20:00`. `utc_offset` is as in `system.get_system_time`.

    Example::

        salt-g system.get_system_date_time
    """
    return _now(utc_offset).strftime("%Y-%m-%d %H:%M:%S")


def set_system_time(newtime: str, utc_offset: str | None = None) -> bool:
    """Set the time of day; return whether the text is a time (`11:20`, `11:20:30`, `11:20 PM`).

    `utc_offset` is as in `system.get_system_time`.

    Example::

        salt-g system.set_system_time "'11:20'"
    """
    new = _parsed(newtime, _TIMES)
    if new is None:
        return False
    return set_system_date_time(hours=new.hour, minutes=new.minute, seconds=new.second, utc_offset=utc_offset)


def set_system_date(newdate: str, utc_offset: str | None = None) -> bool:
    """Set the day; return True.

    newdate
        `2030-01-31`, `2030/01/31`, `01-31-2030`, `01/31/2030`, `01-31-30` or `01/31/30`.

    `utc_offset` is as in `system.get_system_time`.

    Example::

        salt-g system.set_system_date "'2030-01-31'"
    """
    new = _parsed(newdate, _DATES)
    if new is None:
        raise InvocationError("Invalid date format")
    return set_system_date_time(years=new.year, months=new.month, days=new.day, utc_offset=utc_offset)


def set_system_date_time(
    years: int | None = None,
    months: int | None = None,
    days: int | None = None,
    hours: int | None = None,
    minutes: int | None = None,
    seconds: int | None = None,
    utc_offset: str | None = None,
) -> bool:
    """Set parts of day and time, and the hardware clock if there is one; return True.

    Parts that are not given stay unchanged.

    `utc_offset` is as in `system.get_system_time`.

    Example::

        salt-g system.set_system_date_time 2030 1 31 11 37 53 "'-0500'"
    """
    parts = {
        "year": years,
        "month": months,
        "day": days,
        "hour": hours,
        "minute": minutes,
        "second": seconds,
    }
    given: dict[str, Any] = {name: value for name, value in parts.items() if value is not None}
    try:
        new = _now(utc_offset).replace(**given)
    except (TypeError, ValueError) as exc:
        raise InvocationError(f"{exc} (asked for {given})") from exc
    _set(new)
    if has_settable_hwclock():
        done = run(["hwclock", "--systohc"])
        if done["retcode"]:
            raise CommandExecutionError(
                f"hwclock failed to set hardware clock from software clock: {done['stderr']}"
            )
    return True


def has_settable_hwclock() -> bool:
    """Return whether there is a hardware clock that can be set.

    Example::

        salt-g system.has_settable_hwclock
    """
    return is_installed("hwclock") and run(["hwclock", "--test", "--systohc"])["retcode"] == 0


def _set(moment: datetime.datetime) -> None:
    """Set the clock; a time with an offset is set in UTC."""
    words = ["date"]
    if moment.tzinfo is not None:
        moment = moment.astimezone(datetime.timezone.utc)
        words.append("-u")
    done = run([*words, moment.strftime("%m%d%H%M%Y.%S")])
    if done["retcode"]:
        raise CommandExecutionError(f"date failed: {done['stderr']}")


def _now(utc_offset: Any) -> datetime.datetime:
    """Return the local time without an offset, or the time at an offset."""
    if utc_offset is None:
        return datetime.datetime.now()
    found = re.fullmatch(r"([+-])?(\d\d)(\d\d)", utc_offset) if isinstance(utc_offset, str) else None
    if found is None:
        raise InvocationError(f"Invalid UTC offset {utc_offset!r}: expected text such as \"'+0100'\"")
    minutes = int(found[2]) * 60 + int(found[3])
    offset = datetime.timedelta(minutes=-minutes if found[1] == "-" else minutes)
    return datetime.datetime.now(datetime.timezone(offset))


def _parsed(text: Any, forms: tuple[str, ...]) -> datetime.datetime | None:
    for form in forms:
        try:
            return datetime.datetime.strptime(str(text), form)
        except ValueError:
            continue
    return None
