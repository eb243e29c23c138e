"""Commands of the local socket only: presence, targets, job data, batches.

Stock's clients read files of the master instead; ours send requests. Root and the master's user may send all
of them; other users get no data about minions, but can start batches with their permissions for jobs.
Shapes: for `presence`, `expected` and `job` see `client_queries.py`, for `batch` `client/batch_link.py`;
`batches` -> {jid: {...}}; `batch_stop` {jid} -> bool; `run_active` {jid} -> whether it is a batch or rollout
that has not ended; for `top` see `dashboard.py`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from salt_g.master.calls.authorization import CommandCaller
from salt_g.master.calls.client_queries import Query
from salt_g.master.calls.ipc_server import Answer
from salt_g.master.publishing.batches import Batches
from salt_g.shapes.loads import Load

#: Answer to a user without permission.
_REFUSED = {"error": {"name": "AuthorizationError", "message": "Authorization error occurred."}}


class LocalCommands:
    """Handler of the local socket's commands; it passes those that it does not know to the clear commands.

    `trusted` are the commands for root and the master's own user only.
    """

    def __init__(self, *, clear: Answer, trusted: Mapping[str, Query], batches: Batches) -> None:
        self._clear = clear
        self._batches = batches
        self._trusted: Mapping[str, Query] = {
            **trusted,
            "batches": lambda load: batches.running(),
            "batch_stop": lambda load: batches.stop(str(load.get("jid"))),
        }

    def answer(self, load: Load, caller: CommandCaller) -> Any:
        """Return the reply to a command of the local socket."""
        if load.get("cmd") == "batch":
            return self._batches.start(load, caller)
        return answer_trusted(self._trusted, self._clear, load, caller)


def answer_trusted(trusted: Mapping[str, Query], others: Answer, load: Load, caller: CommandCaller) -> Any:
    """Return the reply to a command; those in `trusted` are only for root and the master's own user."""
    name = load.get("cmd")
    command = trusted.get(name) if isinstance(name, str) else None
    if command is None:
        return others(load, caller)
    if caller.uid not in (0, os.geteuid()):
        return _REFUSED
    return command(load)
