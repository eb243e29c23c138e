"""Removal of old and large files of the host.

Units: ages in whole days, sizes in bytes.
Source: stock docs of `file.tidied`.
"""

from __future__ import annotations

import re
import stat
import time
from collections.abc import Callable
from typing import Any

from salt_g.api import opts
from salt_g.errors import SaltGError
from salt_g.resources.ssh import _remote, _undo
from salt_g.resources.ssh.states.file._outcome import Refused, absolute, result
from salt_g.shapes import StateReturn

_FIND = r"""
[ -d "$1" ] || { echo missing; exit 0; }
option=; [ "$2" = 1 ] && option=-L
date +%s
find $option "$1" -mindepth 1 -depth -exec stat -c '%f %s %X %Y %Z %n' {} +
"""
_REMOVE = 'while IFS= read -r path; do rm -rf -- "$path" || exit 1; done'
_TIMES = ("atime", "mtime", "ctime")
_UNITS = "bkmgtpezy"
_DAY = 86400


def tidied(
    name: str, age: int = 0, matches: list[str] | None = None, rmdirs: bool = False, size: int | str = 0,
    exclude: list[str] | None = None, full_path_match: bool = False, followlinks: bool = False,
    time_comparison: str = "atime", age_size_logical_operator: str = "OR",
    age_size_only: str | None = None, rmlinks: bool = True, **kwargs: Any,
) -> StateReturn:  # fmt: skip
    """Remove old or large files below a directory of the host; see `file.tidied` for the options.

    Example::

        /tmp:
          file.tidied:
            - age: 7
            - matches:
              - .*\\.log
    """
    try:
        absolute(name, "tidied")
        is_due = _due(int(age), _bytes(size), age_size_logical_operator, age_size_only)
        is_named = _named(matches or [".*"], exclude or [], full_path_match)
        kinds = {stat.S_IFDIR: rmdirs, stat.S_IFLNK: rmlinks}
        at = _TIMES.index(time_comparison.lower()) if time_comparison.lower() in _TIMES else 0
        found = []
        now, entries = _entries(name, followlinks)
        for mode, length, times, path in entries:
            kind = stat.S_IFMT(mode)
            held = length if kind not in kinds else 0
            if kinds.get(kind, True) and is_due((now - times[at]) // _DAY, held) and is_named(path):
                found.append(path)
        if not found:
            return result(name, True, f"Nothing to remove from directory {name}")
        if opts["test"]:
            return result(name, None, f"{name} is set for tidy", {"removed": found})
        _undo.announce(*found, tree=True)
        _remote.output(_REMOVE, stdin="".join(f"{path}\n" for path in found).encode(), timeout=None)
    except (Refused, SaltGError, re.error) as exc:
        return result(name, False, str(exc))
    said = f"Removed {len(found)} files or directories from directory {name}"
    return result(name, True, said, {"removed": found})


def _entries(name: str, followlinks: bool) -> tuple[int, list[tuple[int, int, list[int], str]]]:
    """Return the host's time, and (mode, size, times, path) of all paths below, deepest first."""
    lines = _remote.output(_FIND, name, str(int(followlinks)), timeout=None).splitlines()
    if lines == ["missing"]:
        raise Refused(f"{name} does not exist or is not a directory.")
    found = []
    for line in lines[1:]:
        mode, size, *times, path = line.split(" ", 5)
        found.append((int(mode, 16), int(size), [int(one) for one in times], path))
    return int(lines[0]) if lines else int(time.time()), found


def _due(age: int, size: int, operator: str, only: str | None) -> Callable[[int, int], bool]:
    """Return a function that decides by age (days) and size (bytes) whether to remove an entry."""
    if only and only.lower() == "age":
        return lambda days, length: days >= age
    if only and only.lower() == "size":
        return lambda days, length: length >= size
    if operator.lower() == "and":
        return lambda days, length: days >= age and length >= size
    return lambda days, length: days >= age or length >= size


def _named(matches: list[str], exclude: list[str], whole_path: bool) -> Callable[[str], bool]:
    wanted = [re.compile(one) for one in matches]
    spared = [re.compile(one) for one in exclude]

    def is_named(path: str) -> bool:
        name = path if whole_path else path.rpartition("/")[2]
        return any(one.match(name) for one in wanted) and not any(one.match(name) for one in spared)

    return is_named


def _bytes(size: int | str) -> int:
    """Parse a size to bytes: a number, or a text like `10`, `1.5MB` (decimal), `1MiB`, `1M` (binary)."""
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]*)?)\s*(b|[kmgtpezy](?:b|ib)?)?", str(size).strip().lower())
    if found is None:
        raise Refused(f"{size!r} is not a valid size")
    unit = found.group(2) or "b"
    base = 1000 if len(unit) == 2 else 1024
    return int(float(found.group(1)) * base ** _UNITS.index(unit[0]))
