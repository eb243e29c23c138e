"""Commands of front ends: every client's commands, and the socket commands that an HTTP API needs.

Shapes: `rights` {token} -> {user, eauth, permissions}; `end_token` {token} -> bool;
`permission_ids` {tgt} -> [id], for a target in a permission; for `presence` and `expected` see
`client_queries.py`, for the views `fleet/views.py`, for all other commands `clear_commands.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.master.calls.authorization import Authorization, CommandCaller
from salt_g.master.calls.clear_commands import Serve
from salt_g.master.calls.client_queries import Query
from salt_g.master.calls.ipc_server import Answer
from salt_g.shapes.loads import Load

#: Queries allowed without a login, because a front end reads all events, which show as much.
_QUERIES = ("presence", "expected")


class FrontEndCommands:
    """Handler of front ends' commands; it passes those that it does not know to the clear commands."""

    def __init__(
        self,
        authorization: Authorization,
        *,
        clear: Answer,
        queries: Mapping[str, Query],
        views: Mapping[str, Serve],
    ) -> None:
        self._clear = clear
        self._queries = {name: queries[name] for name in _QUERIES}
        self._own: Mapping[str, Serve] = {
            "rights": authorization.get_rights,
            "end_token": authorization.end_token,
            "permission_ids": authorization.get_permission_ids,
            **views,
        }

    def answer(self, load: Load, caller: CommandCaller) -> Any:
        """Return the reply to a command of a front end."""
        name = load.get("cmd")
        if not isinstance(name, str):
            return {}
        if name in self._queries:
            return self._queries[name](load)
        if name in self._own:
            return self._own[name](load, caller)
        return self._clear(load, caller)
