"""`file.find`: files by name, kind, owner, size, age and content, and actions on them.

The options form a small language, like those of the program `find`.

Shapes: a criterion takes (path, stat) and returns a bool; an action takes (path, stat) and returns a result
or None.
Source: stock docs of `file.find`; conformance case `modules/file-find`.
"""

from __future__ import annotations

import glob
import grp
import logging
import os
import pwd
import re
import shlex
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from salt_g import safe_files
from salt_g.errors import SaltGError
from salt_g.modules.file.accounts import group_name, user_name
from salt_g.modules.file.hashes import get_hash
from salt_g.modules.file.searching import windows
from salt_g.process.command import decode
from salt_g.process.redaction import Redacted, RedactedOutput

log = logging.getLogger(__name__)

Criterion = Callable[[str, os.stat_result], bool]
Action = Callable[[str, os.stat_result], Any]

_KINDS = {
    "b": stat.S_IFBLK,
    "c": stat.S_IFCHR,
    "d": stat.S_IFDIR,
    "f": stat.S_IFREG,
    "l": stat.S_IFLNK,
    "p": stat.S_IFIFO,
    "s": stat.S_IFSOCK,
}
_LETTERS = {kind: letter for letter, kind in _KINDS.items()}
#: Seconds in each unit of an interval, smallest first.
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_INTERVAL = re.compile(
    r"^\s*([+-]?)" + "".join(rf"\s*(?:(?P<{u}>\d+(?:\.\d*)?)\s*{u})?" for u in "wdhms") + r"\s*$", re.I
)
_SIZE = {"b": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}


class _BadOption(SaltGError, ValueError):
    """Invalid option of `find`; the error's text becomes the result of the function."""


def find(path: str, *args: str, **kwargs: Any) -> list[Any] | str:
    """Find the files at and below a path (wildcards allowed) that meet all criteria.

    Criteria: `name`, `iname` (wildcards) and `regex`, `iregex`, for the last component of the path; `type`
    (letters bcdflps), `owner`, `group`, `size` (`+1m`: at least, `-10k`: at most), `mtime` (`7d`: at least
    that old, `-1h30m`: at most), `grep` (a regular expression for the content).

    Actions: `print` (name, path, size, type, mode, mtime, user, group, md5), `exec` (`{}` is the path),
    `delete` (letters of types, `a` for all). `mindepth` and `maxdepth` limit the depth below the path (0: the
    path itself); `test=True` deletes nothing. Returns the results, sorted, or a text that begins with
    `error:`.

    Example::

        salt-g file.find /var/log name='*.log' mtime=+30d size=+10m print=path,size
    """
    if "delete" in args:
        kwargs["delete"] = "f"
    elif "print" in args:
        kwargs["print"] = "path"
    limits = {name: kwargs.pop(name, default) for name, default in (("mindepth", 0), ("maxdepth", None))}
    test = bool(kwargs.pop("test", False))
    try:
        criteria, actions = _understood(kwargs, test)
    except _BadOption as exc:
        return f"error: {exc}"
    found = [
        result
        for start in glob.glob(os.path.expanduser(path))
        for each in _walk(start, limits["mindepth"], limits["maxdepth"])
        for result in _act(each, criteria, actions)
    ]
    return sorted(found)


def _understood(options: dict[str, Any], test: bool) -> tuple[list[Criterion], list[Action]]:
    criteria: list[Criterion] = []
    actions: list[Action] = []
    for name, value in options.items():
        if name.startswith("_"):
            continue
        if not value:
            raise _BadOption(f'missing value for "{name}" option')
        if name == "delete":
            criteria.append(_by_type("".join(_KINDS) if "a" in value else value))
            actions.append(_listed if test else _deleted)
        elif name in _ACTIONS:
            actions.append(_ACTIONS[name](value))
        elif name in _CRITERIA:
            criteria.append(_CRITERIA[name](str(value)))
        else:
            raise _BadOption(f'invalid option "{name}"')
    # Criteria that read the content come last, so that they run for few files.
    criteria.sort(key=lambda criterion: getattr(criterion, "reads_content", False))
    return criteria, actions or [_listed]


def _walk(start: str, least: int, most: int | None) -> Iterator[str]:
    """Yield the paths from `start` (depth 0) downwards within these depths."""
    if least < 1:
        yield start
    for folder, folders, names in safe_files.walk(start):
        depth = os.path.relpath(folder, start).count(os.sep) + (2 if folder != start else 1)
        if depth >= least and (most is None or most >= depth):
            yield from (os.path.join(folder, name) for name in folders + names)
        if most is not None and depth >= most:
            folders.clear()


def _act(path: str, criteria: Iterable[Criterion], actions: Iterable[Action]) -> Iterator[Any]:
    try:
        found = os.stat(path)
    except OSError:
        try:
            found = os.lstat(path)
        except OSError:
            return  # removed during the walk
    if all(criterion(path, found) for criterion in criteria):
        for action in actions:
            result = action(path, found)
            if result is not None:
                yield result


def _by_pattern(flags: int, *, wildcards: bool) -> Callable[[str], Criterion]:
    def make(value: str) -> Criterion:
        if wildcards:
            value = value.replace(".", "\\.").replace("?", ".?").replace("*", ".*") + "$"
        wanted = _compiled(value, flags)
        return lambda path, found: wanted.match(os.path.basename(path)) is not None

    return make


def _by_type(value: str) -> Criterion:
    letters = re.sub(r"[,\s]", "", value)
    for letter in letters:
        if letter not in _KINDS:
            raise _BadOption(f'invalid file type "{letter}"')
    kinds = {_KINDS[letter] for letter in letters}
    return lambda path, found: stat.S_IFMT(found.st_mode) in kinds


def _by_owner(value: str) -> Criterion:
    uids = {_number(name, lambda each: pwd.getpwnam(each).pw_uid, "user") for name in _names(value)}
    return lambda path, found: found.st_uid in uids


def _by_group(value: str) -> Criterion:
    gids = {_number(name, lambda each: grp.getgrnam(each).gr_gid, "group") for name in _names(value)}
    return lambda path, found: found.st_gid in gids


def _by_size(value: str) -> Criterion:
    least, most = _sizes(value)
    return lambda path, found: least <= found.st_size <= most


def _by_mtime(value: str) -> Criterion:
    fitting = _INTERVAL.match(value)
    if fitting is None or not any(fitting.group(unit) for unit in _SECONDS):
        raise _BadOption(f"invalid time interval: '{value}'")
    seconds = sum(float(fitting.group(unit) or 0) * size for unit, size in _SECONDS.items())
    # Only whole units count, of the smallest unit given: `7d` counts days, `1h30m` minutes.
    resolution = next(size for unit, size in _SECONDS.items() if fitting.group(unit))
    border = time.time() - int(seconds / resolution) * resolution
    if fitting.group(1) == "-":
        return lambda path, found: found.st_mtime >= border
    return lambda path, found: found.st_mtime <= border


def _by_content(value: str) -> Criterion:
    wanted = _compiled(value, 0)

    def matches(path: str, found: os.stat_result) -> bool:
        if not stat.S_ISREG(found.st_mode):
            return False
        return any(wanted.search(window) for window in windows(path))

    matches.reads_content = True  # type: ignore[attr-defined]
    return matches


def _printing(value: str) -> Action:
    wanted = value.replace(",", " ").split() or ["path"]

    def show(path: str, found: os.stat_result) -> Any:
        said = [_FACTS[name](path, found) for name in wanted if name in _FACTS]
        return said[0] if len(said) == 1 else said

    return show


def _executing(command: str) -> Action:
    def execute(path: str, found: os.stat_result) -> str:
        import subprocess

        words = command.replace("{}", path)
        try:
            done = subprocess.run(shlex.split(words), capture_output=True, check=False)
        except (OSError, ValueError) as exc:
            log.error("find: %s cannot be run: %s", Redacted(words), exc)
            return f"{path}: Failed"
        if done.stderr:
            log.error("find: %s says: %s", Redacted(words), RedactedOutput(decode(done.stderr)))
        return f"{words}:\n{done.stdout.decode(errors='replace')}\n"

    return execute


def _listed(path: str, found: os.stat_result) -> str:
    return path


def _deleted(path: str, found: os.stat_result) -> str | None:
    try:
        safe_files.remove(path)
    except OSError:
        return None
    return path


_CRITERIA: dict[str, Callable[[str], Criterion]] = {
    "name": _by_pattern(0, wildcards=True),
    "iname": _by_pattern(re.I, wildcards=True),
    "regex": _by_pattern(0, wildcards=False),
    "iregex": _by_pattern(re.I, wildcards=False),
    "type": _by_type,
    "owner": _by_owner,
    "group": _by_group,
    "size": _by_size,
    "mtime": _by_mtime,
    "grep": _by_content,
}
_ACTIONS: dict[str, Callable[[str], Action]] = {"print": _printing, "exec": _executing}
_FACTS: dict[str, Action] = {
    "path": _listed,
    "name": lambda path, found: os.path.basename(path),
    "size": lambda path, found: found.st_size,
    "type": lambda path, found: _LETTERS.get(stat.S_IFMT(found.st_mode), "?"),
    "mode": lambda path, found: found.st_mode & 0o777,
    "mtime": lambda path, found: int(found.st_mtime),
    "user": lambda path, found: user_name(found.st_uid),
    "group": lambda path, found: group_name(found.st_gid),
    "md5": lambda path, found: get_hash(path, "md5") if stat.S_ISREG(found.st_mode) else "",
}


def _compiled(value: str, flags: int) -> re.Pattern[str]:
    try:
        return re.compile(value, flags)
    except re.error:
        raise _BadOption(f'invalid regular expression: "{value}"') from None


def _names(value: str) -> list[str]:
    return value.replace(",", " ").split()


def _number(name: str, look_up: Callable[[str], int], kind: str) -> int:
    try:
        return int(name) if name.isdigit() else look_up(name)
    except KeyError:
        raise _BadOption(f'no such {kind} "{name}"') from None


def _sizes(value: str) -> tuple[int, int]:
    """Return the minimum and maximum size of a text like `+10m`."""
    text = value.strip()
    sign = text[:1] if text[:1] in ("-", "+") else ""
    text = text[len(sign) :]
    unit = _SIZE.get(text[-1:].lower())
    try:
        number = int(float(text[:-1] if unit else text) * (unit or 1))
    except ValueError:
        raise _BadOption(f'invalid size: "{value}"') from None
    if sign == "-":
        return 0, number
    return number, (sys.maxsize if sign == "+" else number + (unit or 1) - 1)
