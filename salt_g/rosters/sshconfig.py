"""Roster of the `Host` entries in `~/.ssh/config` (`ssh_config_file`).

Entries with patterns are skipped as hosts; `ssh` itself applies them.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable
from typing import Any

from salt_g.api import opts
from salt_g.errors import RosterError
from salt_g.rosters._selection import Hosts, completed, selected

#: {option of ssh: setting of a host}
_NAMES = {"hostname": "host", "user": "user", "port": "port", "identityfile": "priv"}


def targets(tgt: Any, tgt_type: str = "glob", **kwargs: Any) -> Hosts:
    """Return the hosts of the file that a target selects.

    Example::

        salt-g ssh --roster=sshconfig '*' -r uptime
    """
    path = os.path.expanduser(str(opts.get("ssh_config_file") or "~/.ssh/config"))
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as exc:
        raise RosterError(f"the file {path} of the roster sshconfig cannot be read: {exc}") from exc
    return selected(completed(parsed(lines)), tgt, tgt_type)


def parsed(lines: Iterable[str]) -> Hosts:
    """Return the hosts in lines of ssh_config(5); the first value of an option counts."""
    found: Hosts = {}
    current: list[str] = []
    for line in lines:
        word, _, rest = line.strip().replace("=", " ", 1).partition(" ")
        name, values = word.lower(), _split(rest)
        if name in ("host", "match"):
            current = [] if name == "match" else [one for one in values if not set("*?!") & set(one)]
            for host in current:
                found.setdefault(host, {"host": host, "_named": False})
        elif name in _NAMES and values:
            for host in current:
                _set(found[host], _NAMES[name], values[0])
    return {
        host: {key: value for key, value in own.items() if key != "_named"} for host, own in found.items()
    }


def _set(entry: dict[str, Any], name: str, value: str) -> None:
    if name == "host" and not entry["_named"]:
        entry.update(host=value, _named=True)
    elif name != "host":
        entry.setdefault(name, os.path.expanduser(value) if name == "priv" else value)


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text, comments=True)
    except ValueError:
        return text.split()
