"""Roster of the `Host` entries in `~/.ssh/config` (`ssh_config_file`).

Each name that is not a pattern is a host. As in `ssh`, its user, port and key are the first values in the
entries that match the name, including patterns. The address of the host is its name, because `ssh` reads the
file too and applies `HostName`, `ProxyJump` and all other options. `Match` entries are left to `ssh`.
Source: ssh_config(5), "Host", "Include" and "PATTERNS".
"""

from __future__ import annotations

import fnmatch
import glob
import os
import shlex
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from salt_g.api import opts
from salt_g.errors import RosterError
from salt_g.rosters._selection import Hosts, completed, selected

#: {option of ssh: setting of a host}
_NAMES = {"user": "user", "port": "port", "identityfile": "priv"}
#: File that `ssh` reads by default.
_OWN_FILE = "~/.ssh/config"
#: Maximum nesting of `Include`, as in `ssh`.
_MOST_INCLUDES = 16


class _Entry(NamedTuple):
    """Patterns of a `Host` line and the options below it; options before the first one apply to `*`."""

    patterns: list[str]
    options: list[tuple[str, str]]


def targets(tgt: Any, tgt_type: str = "glob", **kwargs: Any) -> Hosts:
    """Return the hosts of the file that a target selects.

    Example::

        salt-g ssh --roster=sshconfig '*' -r uptime
    """
    path = os.path.expanduser(str(opts.get("ssh_config_file") or _OWN_FILE))
    hosts = parsed(_lines(path))
    if path != os.path.expanduser(_OWN_FILE):
        for entry in hosts.values():
            entry["ssh_options"] = [f"Include {_quoted(path)}"]
    return selected(completed(hosts), tgt, tgt_type)


def parsed(lines: Iterable[str]) -> Hosts:
    """Return the hosts in lines of ssh_config(5)."""
    entries = _entries(lines)
    names = [name for entry in entries for name in entry.patterns if not set("*?!") & set(name)]
    return {name: _settings(name, entries) for name in dict.fromkeys(names)}


def _entries(lines: Iterable[str]) -> list[_Entry]:
    found = [_Entry(["*"], [])]
    for line in lines:
        name, values = _words(line)
        if name == "host":
            found.append(_Entry(values, []))
        elif name == "match":
            found.append(_Entry([], []))
        # Ignore values with placeholders (`%h`, `${HOME}`), which only `ssh` can expand.
        elif name in _NAMES and values and not set("%$") & set(values[0]):
            found[-1].options.append((_NAMES[name], values[0]))
    return found


def _settings(host: str, entries: Iterable[_Entry]) -> dict[str, Any]:
    found: dict[str, Any] = {"host": host}
    for entry in entries:
        if _matches(host, entry.patterns):
            for name, value in entry.options:
                found.setdefault(name, os.path.expanduser(value) if name == "priv" else value)
    return found


def _matches(host: str, patterns: Iterable[str]) -> bool:
    """Return whether a `Host` line applies to a host: a pattern matches, and no negated (`!`) one does."""
    is_meant = False
    for pattern in patterns:
        # Brackets are plain characters in patterns of ssh_config(5).
        plain = pattern.removeprefix("!").replace("[", "[[]")
        if fnmatch.fnmatchcase(host, plain):
            if pattern.startswith("!"):
                return False
            is_meant = True
    return is_meant


def _lines(path: str, scope: str = "Host *", depth: int = 0) -> Iterator[str]:
    """Yield the lines of a file, with the lines of included files in place of `Include` lines.

    `scope` is the `Host` line in effect at the start; the line in effect is repeated after each `Include`.
    """
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as exc:
        raise RosterError(f"the file {path} of the roster sshconfig cannot be read: {exc}") from exc
    for line in lines:
        name, values = _words(line)
        scope = line if name in ("host", "match") else scope
        if name != "include":
            yield line
            continue
        if depth >= _MOST_INCLUDES:
            raise RosterError(
                f"the file {path} of the roster sshconfig includes itself, or nests includes too deeply"
            )
        for value in values:
            pattern = os.path.join(os.path.expanduser("~/.ssh"), os.path.expanduser(value))
            for included in sorted(glob.glob(pattern)):
                yield from _lines(included, scope, depth + 1)
        yield scope


def _words(line: str) -> tuple[str, list[str]]:
    """Return the name of an option in lower case, and its values."""
    name, _, rest = line.strip().replace("=", " ", 1).partition(" ")
    return name.lower(), _split(rest)


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text, comments=True)
    except ValueError:
        return text.split()


def _quoted(path: str) -> str:
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'
