"""Roster of ClusterShell: the target is a node set such as `web[1-20]` or `@group`.

Needs the library ClusterShell: `pip install 'salt-g[clustershell]'`.
"""

from __future__ import annotations

from typing import Any

from salt_g.errors import RosterError
from salt_g.rosters._selection import Hosts, completed


def __virtual__() -> bool | tuple[bool, str]:
    try:
        import ClusterShell.NodeSet  # noqa: F401
    except ImportError:
        return False, "the library ClusterShell is not installed: pip install 'salt-g[clustershell]'"
    return True


def targets(tgt: Any, tgt_type: str = "glob", **kwargs: Any) -> Hosts:
    """Return the nodes of a node set as hosts.

    Example::

        salt-g ssh --roster=clustershell 'web[1-20]' test.ping
    """
    from ClusterShell.NodeSet import NodeSet, NodeSetException

    words = tgt if isinstance(tgt, str) else ",".join(map(str, tgt))
    try:
        nodes = list(NodeSet(words))
    except NodeSetException as exc:
        raise RosterError(f"the node set {words!r} cannot be parsed: {exc}") from exc
    return completed({node: {"host": node} for node in nodes})
