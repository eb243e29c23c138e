"""Roster of a range server (`range_server`): the target is a range expression, `%web` or `web1..20`."""

from __future__ import annotations

from typing import Any

from salt_g.api import opts
from salt_g.errors import RosterError
from salt_g.net.range_server import expand
from salt_g.rosters._selection import Hosts, completed


def targets(tgt: Any, tgt_type: str = "range", **kwargs: Any) -> Hosts:
    """Return the names in the range server's answer as hosts.

    Example::

        salt-g ssh --roster=range '%web' test.ping
    """
    if tgt_type not in ("range", "glob", "list"):
        raise RosterError(f"the roster range needs a range expression, not a target of the type {tgt_type}")
    words = tgt if isinstance(tgt, str) else ",".join(map(str, tgt))
    try:
        names = expand(str(opts["range_server"]), words)
    except (OSError, ValueError) as exc:
        raise RosterError(str(exc)) from exc
    return completed({name: {"host": name} for name in names})
