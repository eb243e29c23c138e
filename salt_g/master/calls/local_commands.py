"""Commands of the local socket only: presence, targets, job data, batches.

Stock's clients read files of the master for this, ours send requests. Root and the master's user may send all
of them; other users get no data about minions, and start batches with their permissions for jobs.
Shapes: `presence` {jid, ids} -> {"connected": [id], "gone": [id]}, gone are those of the job's `ids` that are
surely disconnected (both fields may be left out);
`expected` {tgt, tgt_type, delimiter} -> {"minions", "missing"};
`job` {jid} -> {"load", "returns"}; `batch` see `client/batch_link.py`; `batches` -> {jid: {...}};
`batch_stop` {jid} -> bool; `top` see `dashboard.py`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.cache.jobs import Jobs
from salt_g.daemon_services import Presence
from salt_g.errors import TargetError
from salt_g.master.calls.authorization import Caller
from salt_g.master.calls.ipc_server import Answer
from salt_g.master.publishing.batches import Batches
from salt_g.master.publishing.target_resolution import TargetResolution
from salt_g.master.resources.facade import Resources

#: Answer to a user without permission.
_REFUSED = {"error": {"name": "AuthorizationError", "message": "Authorization error occurred."}}


class LocalCommands:
    """Commands of the local socket; others are passed to the clear commands."""

    def __init__(
        self,
        *,
        clear: Answer,
        presence: Presence,
        resources: Resources,
        expected: TargetResolution,
        jobs: Jobs,
        batches: Batches,
        top: Callable[[Mapping[str, Any]], Any] = lambda load: {},
    ) -> None:
        self._clear = clear
        self._presence = presence
        self._resources = resources
        self._expected = expected
        self._jobs = jobs
        self._batches = batches
        self._trusted: dict[str, Callable[[Mapping[str, Any]], Any]] = {
            "presence": self._present,
            "expected": self._resolve,
            "job": self._job,
            "batches": lambda load: batches.running(),
            "top": top,
            "batch_stop": lambda load: batches.stop(str(load.get("jid"))),
        }

    def answer(self, load: dict[str, Any], caller: Caller) -> Any:
        """Return the reply to a command of the local socket."""
        name = load.get("cmd")
        if name == "batch":
            return self._batches.start(load, caller)
        command = self._trusted.get(name) if isinstance(name, str) else None
        if command is None:
            return self._clear(load, caller)
        if caller.uid not in (0, os.geteuid()):
            return _REFUSED
        return command(load)

    def _present(self, load: Mapping[str, Any]) -> Any:
        """Return the connected minions, and those of a job's ids that are surely disconnected."""
        connected = self._presence.connected()
        ids = load.get("ids")
        if not isinstance(ids, list):
            return {"connected": sorted(connected), "gone": []}
        # A resource is where its minion is; its answer shows that its minion is connected.
        asked = self._resources.minions_of(map(str, ids))
        returned = self._resources.minions_of(self._jobs.get_returned(str(load.get("jid"))))
        away = self._presence.gone(set(asked.values()), set(returned.values()))
        there = {name for name, minion in asked.items() if minion in connected}
        gone = (name for name, minion in asked.items() if minion in away)
        return {"connected": sorted(connected | there), "gone": sorted(gone)}

    def _resolve(self, load: Mapping[str, Any]) -> Any:
        try:
            meant = self._expected.resolve_all(
                load.get("tgt"),
                str(load.get("tgt_type") or "glob"),
                delimiter=str(load.get("delimiter") or ":"),
            )
        except TargetError as exc:
            return {"error": str(exc)}
        return {"minions": meant.minions, "missing": meant.missing}

    def _job(self, load: Mapping[str, Any]) -> Any:
        jid = str(load.get("jid"))
        return {"load": self._jobs.get_load(jid), "returns": self._jobs.get_jid(jid)}
