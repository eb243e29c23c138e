"""Roster of the hosts in a known_hosts file (`ssh_known_hosts_file`, by default `~/.ssh/known_hosts`).

Each name in a line is a host, with its port if one is given; other settings come from `roster_defaults`.
Hashed names, patterns, certificate authorities and revoked keys are ignored.
Source: sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT".
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any

from salt_g.api import opts
from salt_g.errors import RosterError
from salt_g.rosters._selection import Hosts, completed, selected

#: Host with a port other than 22.
_WITH_PORT = re.compile(r"\[(?P<host>[^\]]+)\]:(?P<port>\d+)")


def targets(tgt: Any, tgt_type: str = "glob", **kwargs: Any) -> Hosts:
    """Return the hosts of the file that a target selects.

    Example::

        salt-g ssh --roster=sshknownhosts '*' -r uptime
    """
    path = os.path.expanduser(str(opts.get("ssh_known_hosts_file") or "~/.ssh/known_hosts"))
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            found = parsed(file)
    except OSError as exc:
        raise RosterError(f"the file {path} of the roster sshknownhosts cannot be read: {exc}") from exc
    return selected(completed(found), tgt, tgt_type)


def parsed(lines: Iterable[str]) -> Hosts:
    """Return the hosts in lines of a known_hosts file."""
    found: Hosts = {}
    for line in lines:
        words = line.split()
        if len(words) < 3 or words[0][0] in "#@|":
            continue
        for name in words[0].split(","):
            if name and not set("*?!") & set(name):
                with_port = _WITH_PORT.fullmatch(name)
                settings = with_port.groupdict() if with_port else {"host": name}
                found[settings["host"]] = settings
    return found
