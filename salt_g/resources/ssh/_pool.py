"""Pool of the connections to all hosts; above a limit, the least recently used idle ones are closed.

`init` creates the pool, `shutdown` closes it.
Shapes: `below` is the type's pillar subtree, with `hosts` and the limit `connections`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.resource_model.pillar_settings import settings_of, shared_settings
from salt_g.resources.ssh._connection import Connection
from salt_g.resources.ssh._connection_directories import sweep
from salt_g.resources.ssh._settings import SHARED, host_of

#: Default maximum number of connections, each of which is a process of 2 MiB.
_KEPT = 200


class Pool:
    """Connections by resource id."""

    def __init__(self, below: Any) -> None:
        self._below = below
        returned = below.get("connections") if isinstance(below, Mapping) else None
        self._most = returned if isinstance(returned, int) and returned > 0 else _KEPT
        self._connections: dict[str, Connection] = {}
        sweep()

    def connection(self, id: str) -> Connection:
        """Return the connection to a host, which may not be open yet; raises CommandExecutionError."""
        found = self._connections.get(id)
        if found is None:
            settings = settings_of(self._below, id)
            if not settings:
                raise CommandExecutionError(f"pillar has no settings for ssh host {id} (hosts:{id})")
            found = Connection(host_of(id, {**shared_settings(self._below, SHARED), **settings}))
            self._make_room()
            self._connections[id] = found
        return found

    def close(self) -> None:
        """Close all connections."""
        for connection in self._connections.values():
            connection.close()
        self._connections.clear()

    def _make_room(self) -> None:
        over = len(self._connections) - self._most + 1
        idle = sorted(
            (one for one in self._connections.items() if not one[1].is_busy), key=lambda one: one[1].used_at
        )
        for id, connection in idle[: max(0, over)]:
            del self._connections[id]
            connection.close()
