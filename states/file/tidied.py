"""Removal of old and large files: tidied, pruned.

Units: ages in whole days, sizes in bytes.
Source: stock docs of `file.tidied`, `file.pruned`.
"""

from __future__ import annotations

import datetime
import logging
import os
import re
import stat
from collections.abc import Iterator
from typing import Any, NamedTuple

from salt_g import safe_files
from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, would_change

log = logging.getLogger(__name__)

_UNITS = "bkmgtpezy"


class _Rule(NamedTuple):
    """Selection of paths to remove."""

    age: int
    size: int
    matches: list[re.Pattern[str]]
    exclude: list[re.Pattern[str]]
    whole_path: bool
    time: str
    both: bool
    only: str
    rmdirs: bool
    rmlinks: bool

    def removes(self, path: str, today: datetime.date) -> bool:
        """Return whether the age or size, the name and the type of a path allow removal."""
        found = os.lstat(path) if os.path.islink(path) else os.stat(path)
        if stat.S_ISLNK(found.st_mode):
            may_go, size = self.rmlinks, 0
        elif stat.S_ISDIR(found.st_mode):
            may_go, size = self.rmdirs, 0
        else:
            may_go, size = True, found.st_size
        changed_on = datetime.date.fromtimestamp(getattr(found, f"st_{self.time}"))
        return may_go and self._is_due(abs(today - changed_on).days, size) and self._is_named(path)

    def _is_due(self, days: int, size: int) -> bool:
        if self.only:
            return days >= self.age if self.only == "age" else size >= self.size
        conditions = (size >= self.size, days >= self.age)
        return all(conditions) if self.both else any(conditions)

    def _is_named(self, path: str) -> bool:
        name = path if self.whole_path else os.path.basename(path)
        return any(regex.match(name) for regex in self.matches) and not any(
            regex.match(name) for regex in self.exclude
        )


def tidied(
    name: str,
    age: int = 0,
    matches: list[str] | None = None,
    rmdirs: bool = False,
    size: int | str = 0,
    exclude: list[str] | None = None,
    full_path_match: bool = False,
    followlinks: bool = False,
    time_comparison: str = "atime",
    age_size_logical_operator: str = "OR",
    age_size_only: str | None = None,
    rmlinks: bool = True,
    **kwargs: Any,
) -> StateReturn:
    """Remove the files below a directory that are at least `age` days old or at least `size` large.

    `size` is in bytes or a text (`10kb`, `1GiB`). The default 0 of either applies to every file, so to go by
    one of them set `age_size_only` to `age` or `size`, or `age_size_logical_operator` to `AND`, which
    requires both. `matches` and `exclude` are lists of regular expressions for names, or with
    `full_path_match` for paths. `time_comparison` is `atime`, `mtime` or `ctime`. `rmdirs` (default: False)
    and `rmlinks` (default: True) also remove directories and links.

    Example::

        /tmp:
          file.tidied:
            - age: 7
            - age_size_only: age
            - matches:
              - .*\\.log
    """
    name = os.path.expanduser(name)
    if not os.path.isabs(name):
        return failed(name, f"Specified file {name} is not an absolute path")
    if not os.path.isdir(name):
        return failed(name, f"{name} does not exist or is not a directory.")
    rule = _Rule(
        age=age,
        size=bytes_of(size) if isinstance(size, str) else size,
        matches=[re.compile(regex) for regex in matches or [".*"]],
        exclude=[re.compile(regex) for regex in exclude or []],
        whole_path=full_path_match,
        time=_one_of(time_comparison, ("atime", "ctime", "mtime"), "atime"),
        both=_one_of(age_size_logical_operator, ("and", "or"), "or") == "and",
        only=_one_of(age_size_only, ("age", "size"), ""),
        rmdirs=rmdirs,
        rmlinks=rmlinks,
    )
    found = list(_due(name, rule, followlinks))
    if not found:
        return as_wanted(name, f"Nothing to remove from directory {name}")
    if opts["test"]:
        return would_change(name, f"{name} is set for tidy", {"removed": found})
    return _removed(name, found)


def pruned(
    name: str, recurse: bool = False, ignore_errors: bool = False, older_than: int | None = None
) -> StateReturn:
    """Remove a directory if it is empty; `recurse` also removes all empty directories below it.

    `ignore_errors` recurses, and succeeds if some directories could be removed. `older_than` keeps
    directories changed within this number of days.

    Example::

        /var/cache/app:
          file.pruned:
            - recurse: True
    """
    name = os.path.expanduser(name)
    recurse = recurse or ignore_errors
    if not os.path.isdir(name):
        return as_wanted(name, f"Directory {name} is not present")
    if opts["test"]:
        return would_change(name, f"Directory {name} is set for removal", {"deleted": name})
    done = call("file.rmdir", name, recurse=recurse, verbose=True, older_than=older_than)
    succeeded = done.pop("result")
    if recurse and done["deleted"] and (succeeded or ignore_errors):
        said = f"Recursively removed empty directories under {name}"
        return changed(name, said, {"deleted": sorted(done["deleted"])})
    if not succeeded:
        return failed(name, f"Failed to remove directory {name}", done)
    if recurse:
        return as_wanted(name)
    return changed(name, f"Removed directory {name}", {"deleted": name})


def bytes_of(size: str) -> int:
    """Return the bytes of a size like `10`, `1.5MB` (decimal) or `1MiB`, `1M` (binary); 0 if invalid."""
    found = re.match(r"([0-9.]*)\s*(.*)$", size.strip())
    unit = (found.group(2).lower() or "b") if found else ""
    if found is None or not re.fullmatch(r"b|[kmgtpezy](b|ib)?", unit):
        return 0
    try:
        number = float(found.group(1))
    except ValueError:
        return 0
    base = 1000 if re.fullmatch(r"[kmgtpezy]b", unit) else 1024
    return int(number * base ** _UNITS.index(unit[0]))


def _removed(name: str, found: list[str]) -> StateReturn:
    removed: list[str] = []
    try:
        for path in found:
            call("file.remove", path)
            removed.append(path)
    except CommandExecutionError as exc:
        return failed(name, str(exc), {"removed": removed})
    said = f"Removed {len(found)} files or directories from directory {name}"
    return changed(name, said, {"removed": removed})


def _due(name: str, rule: _Rule, followlinks: bool) -> Iterator[str]:
    today = datetime.date.today()
    levels = os.walk(name, topdown=False, followlinks=True) if followlinks else None
    for folder, folders, names in levels or safe_files.walk(name, topdown=False):
        for entry in names + folders:
            path = os.path.join(folder, entry)
            try:
                if rule.removes(path, today):
                    yield path
            except FileNotFoundError:
                continue
            except PermissionError:
                log.warning("%s: cannot be read and is kept", path)


def _one_of(value: Any, known: tuple[str, ...], default: str) -> str:
    if value is None:
        return default
    if isinstance(value, str) and value.lower() in known:
        return value.lower()
    log.warning("file.tidied: %r is not one of %s; using %r", value, ", ".join(known), default)
    return default
