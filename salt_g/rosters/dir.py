"""Roster in a directory: one file for each host, named by its id and rendered like an SLS file.

Settings: `roster_dir` (default: `roster.d` in the config directory), `roster_domain`.
Errors: a file that cannot be read is logged and left out, so that the other hosts remain usable.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from typing import Any

from salt_g.api import opts
from salt_g.errors import RosterError
from salt_g.rosters._files import rendered
from salt_g.rosters._selection import Hosts, completed, selected

log = logging.getLogger(__name__)


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
    hosts = completed(_read(directory, wanted))
    domain = str(opts.get("roster_domain") or "")
    for name, entry in hosts.items():
        entry.setdefault("host", f"{name}.{domain}" if domain else name)
    return hosts


def _read(directory: str, names: Iterable[str]) -> dict[str, Any]:
    """Return {id: entry} of the readable files; an empty file gives an empty entry."""
    found: dict[str, Any] = {}
    for name in names:
        try:
            found[name] = rendered(os.path.join(directory, name), may_be_empty=True)
        except RosterError as exc:
            log.error("host %s is left out: %s", name, exc)
    return found
