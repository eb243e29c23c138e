"""Retention of dated files in a directory.

Shapes: files are grouped by the parts of their time, {year: {month: {day: {hour: {(time, name): name}}}}}.
Source: stock docs of `file.retention_schedule`; conformance case `file/retention`.
"""

from __future__ import annotations

import datetime
import os
import sys
from typing import Any

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import failed, outcome

#: Number of time parts that each rule compares.
_DEPTHS = {"first_of_year": 1, "first_of_month": 2, "first_of_day": 3, "first_of_hour": 4, "most_recent": 5}
_WEEKS_DEPTH = 2

Tree = dict[Any, Any]


def retention_schedule(
    name: str, retain: dict[str, Any], strptime_format: str | None = None, timezone: Any = None
) -> StateReturn:
    """Remove the files of a directory that no `retain` rule keeps.

    Rules: `most_recent`, `first_of_hour`, `first_of_day`, `first_of_week`, `first_of_month`, `first_of_year`,
    each with a number or `all`. A file's time is parsed from its name with `strptime_format`; without a
    format it is the modification time, in `timezone` (`UTC`, `Europe/Berlin`, or a `tzinfo` from SLS files in
    Python; by default that of the machine). Files whose names do not match are kept.

    Example::

        /var/backups/app:
          file.retention_schedule:
            - retain:
                most_recent: 5
                first_of_month: all
            - strptime_format: app_%Y%m%d.tgz
    """
    name = os.path.expanduser(name)
    if not name:
        return failed(name, "Must provide name to file.retention_schedule")
    if not os.path.isdir(name):
        return failed(name, "Name provided to file.retention must be a directory")
    try:
        zone = None if strptime_format else _zone(timezone)
    except (LookupError, ValueError, OSError):
        return failed(name, f"{timezone} is not the name of a timezone on this machine")
    names = call("file.readdir", name)
    times = {entry: _time_of(name, entry, strptime_format, zone) for entry in names}
    dated = {entry: when for entry, when in times.items() if when is not None}
    kept = _kept(dated, retain)
    deleted = sorted(set(dated) - kept, reverse=True)
    changes = {
        "retained": sorted(kept, reverse=True),
        "deleted": deleted,
        "ignored": sorted(set(names) - set(dated), reverse=True),
    }
    if opts["test"]:
        said = f"{len(deleted)} backups would have been removed from {name}.\n"
        return outcome(name, None if deleted else True, said, changes if deleted else {})
    for entry in deleted:
        call("file.remove", os.path.join(name, entry))
    said = f"{len(deleted)} backups were removed from {name}.\n"
    return outcome(name, True, said, changes if deleted else {})


def _zone(timezone: Any) -> datetime.tzinfo | None:
    """Return a timezone by its name, None for that of the machine; raises KeyError, ValueError or OSError."""
    import zoneinfo  # Imported lazily: few SLS files name a timezone.

    # Stock's example has `timezone: None`, which YAML reads as a text.
    if timezone in (None, "", "None"):
        return None
    if isinstance(timezone, datetime.tzinfo):
        return timezone
    # Known also where no time zone data is installed.
    return datetime.timezone.utc if timezone == "UTC" else zoneinfo.ZoneInfo(str(timezone))


def _time_of(
    folder: str, entry: str, strptime_format: str | None, zone: datetime.tzinfo | None
) -> datetime.datetime | None:
    if strptime_format:
        try:
            return datetime.datetime.strptime(entry, strptime_format)
        except ValueError:
            return None
    if entry in (os.curdir, os.pardir):
        return None
    found = call("file.lstat", os.path.join(folder, entry))
    return datetime.datetime.fromtimestamp(found["st_mtime"], zone) if found else None


def _kept(dated: dict[str, datetime.datetime], retain: dict[str, Any]) -> set[str]:
    by_date: Tree = {}
    by_week: Tree = {}
    for entry, when in dated.items():
        # Files of the same time are told apart by their names.
        moment = (when.timestamp(), entry)
        _put(by_date, (when.year, when.month, when.day, when.hour, moment), entry)
        _put(by_week, (when.year, when.isocalendar()[1], when.weekday(), moment), entry)
    kept: set[str] = set()
    for rule, count in retain.items():
        number = sys.maxsize if count == "all" else int(count)
        if rule == "first_of_week":
            # The current week is kept in addition to the requested number.
            kept |= _firsts(by_week, _WEEKS_DEPTH, number + 1)
        else:
            kept |= _firsts(by_date, _DEPTHS[rule], number)
    return kept


def _put(tree: Tree, keys: tuple[Any, ...], entry: str) -> None:
    for key in keys[:-1]:
        tree = tree.setdefault(key, {})
    tree[keys[-1]] = entry


def _firsts(tree: Any, depth: int, count: int) -> set[str]:
    """Return the earliest file of each of the latest `count` branches at this depth of the tree."""
    if depth <= 0:
        while isinstance(tree, dict):
            tree = tree[min(tree)]
        return {tree}
    found: set[str] = set()
    for key in sorted(tree, reverse=True):
        if len(found) >= count:
            break
        found |= _firsts(tree[key], depth - 1, count - len(found))
    return found
