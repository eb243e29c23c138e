"""Roster in a directory: one file for each host, named by its id and rendered like an SLS file.

Settings: `roster_dir` (default: `roster.d` beside the settings of the master), `roster_domain`.
"""

from __future__ import annotations

import os
from typing import Any

from salt_g.api import opts
from salt_g.errors import RosterError
from salt_g.rosters._files import rendered
from salt_g.rosters._selection import Hosts, completed, selected


def targets(tgt: Any, tgt_type: str = "glob", **kwargs: Any) -> Hosts:
    """Return the hosts of the directory that a target selects.

    Example::

        salt-g ssh --roster=dir 'web*' test.ping
    """
    directory = str(
        opts.get("roster_dir") or os.path.join(str(opts.get("config_dir") or "/etc/salt"), "roster.d")
    )
    try:
        names = sorted(entry.name for entry in os.scandir(directory) if entry.is_file())
    except OSError as exc:
        raise RosterError(f"the directory {directory} of the roster cannot be read: {exc.strerror}") from exc
    wanted = selected(completed(dict.fromkeys(name for name in names if name[0] != ".")), tgt, tgt_type)
    hosts = completed({name: rendered(os.path.join(directory, name)) for name in wanted})
    domain = str(opts.get("roster_domain") or "")
    for name, entry in hosts.items():
        entry.setdefault("host", f"{name}.{domain}" if domain else name)
    return hosts
