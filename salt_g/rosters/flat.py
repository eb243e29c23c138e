"""Roster in one file: `/etc/salt/roster`, rendered like an SLS file.

Shapes: `id: {host: 192.0.2.1, user: root, ...}`, or `id: 192.0.2.1`.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import opts
from salt_g.rosters._files import rendered, roster_path
from salt_g.rosters._selection import Hosts, completed, selected


def targets(tgt: Any, tgt_type: str = "glob", **kwargs: Any) -> Hosts:
    """Return the hosts of the roster file that a target selects.

    Example::

        salt-g ssh --roster=flat 'web*' test.ping
    """
    return selected(completed(rendered(roster_path(opts))), tgt, tgt_type)
