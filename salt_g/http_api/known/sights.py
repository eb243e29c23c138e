"""Visibility of minions and jobs to users of the HTTP API, with targets resolved by the master and cached.

Units: seconds.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from salt_g.auth.sight import Sight
from salt_g.http_api.api_services import ApiServices

#: How long the ids that match a target in a permission are remembered (s).
_KEPT = 30.0


def sight_of(parts: ApiServices, rights: Mapping[str, Any], source: str) -> Sight:
    """Return the visibility for the user and permissions in the master's reply `rights`."""
    grants = [rights["permissions"], *([rights["limits"]] if rights.get("limits") is not None else [])]
    return Sight(str(rights["user"]), grants, _Targets(parts, source).ids)


class _Targets:
    """Minion ids for the targets in a user's permissions, requested from the master and cached."""

    def __init__(self, parts: ApiServices, source: str) -> None:
        self._parts = parts
        self._source = source
        self._known: dict[str, tuple[float, frozenset[str]]] = {}

    def ids(self, target: str) -> frozenset[str]:
        known = self._known.get(target)
        if known is not None and known[0] > time.monotonic():
            return known[1]
        load = {"cmd": "permission_ids", "tgt": target}
        reply = self._parts.orders.ask(load, self._source)
        found = frozenset(map(str, reply)) if isinstance(reply, list) else frozenset()
        self._known[target] = (time.monotonic() + _KEPT, found)
        return found
