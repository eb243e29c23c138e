"""Queries of clients: presence, targets, data of jobs.

They are sent by clients inside the master and by clients of the local socket.
Shapes: `presence` {jid, ids} -> {"connected": [id], "gone": [id]}, where `gone` are the job's `ids` that are
certainly disconnected (jid and ids are optional), plus "moving": [id] if some of them are moving to another
master because theirs has ended;
`expected` {tgt, tgt_type, delimiter} -> {"minions", "missing"};
`job` {jid} -> {"load", "returns"}; `steps` {jid} -> {minion: event with its live steps so far};
`absences` {jid, ids} -> {id: {connected, heard, received, step}}, see `master/returns/absences.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from salt_g.cache.jobs import Jobs
from salt_g.errors import TargetError
from salt_g.master.publishing.target_resolution import TargetResolution
from salt_g.master.resources.facade import Resources
from salt_g.services.daemons import Absences, Presence

#: Handler of one query.
Query = Callable[[Mapping[str, Any]], Any]


class ClientQueries:
    """Handler of the queries."""

    def __init__(
        self,
        *,
        presence: Presence,
        resources: Resources,
        expected: TargetResolution,
        jobs: Jobs,
        steps: Callable[[str], Mapping[str, Any]],
        absences: Absences,
    ) -> None:
        self._presence = presence
        self._resources = resources
        self._expected = expected
        self._jobs = jobs
        self._steps = steps
        self._absences = absences

    def commands(self) -> dict[str, Query]:
        """Return the queries by name."""
        return {
            "presence": self._present,
            "expected": self._resolve,
            "job": self._job,
            "steps": lambda load: self._steps(str(load.get("jid"))),
            "absences": self._absent,
        }

    def _present(self, load: Mapping[str, Any]) -> Any:
        """Return the connected minions, and a job's ids that are disconnected or moving to another master."""
        connected = self._presence.connected()
        ids = load.get("ids")
        if not isinstance(ids, list):
            return {"connected": sorted(connected), "gone": []}
        # A resource is connected if its minion is, and its answer shows that the minion is connected.
        asked = self._resources.minions_of(map(str, ids))
        returned = self._resources.minions_of(self._jobs.get_returned(str(load.get("jid"))))
        away = self._presence.gone(set(asked.values()), set(returned.values()))
        there = {name for name, minion in asked.items() if minion in connected}
        gone = (name for name, minion in asked.items() if minion in away)
        answer = {"connected": sorted(connected | there), "gone": sorted(gone)}
        lost = set(asked.values()) - set(returned.values())
        moving = self._presence.moving(lost) if lost else set()
        if moving:
            answer["moving"] = sorted(name for name, minion in asked.items() if minion in moving)
        return answer

    def _absent(self, load: Mapping[str, Any]) -> Any:
        """Return the facts about the minions of a job that have not returned."""
        ids = load.get("ids")
        return self._absences.of(str(load.get("jid")), map(str, ids)) if isinstance(ids, list) else {}

    def _resolve(self, load: Mapping[str, Any]) -> Any:
        try:
            resolved = self._expected.resolve_all(
                load.get("tgt"),
                str(load.get("tgt_type") or "glob"),
                delimiter=str(load.get("delimiter") or ":"),
            )
        except TargetError as exc:
            return {"error": str(exc)}
        return {"minions": resolved.minions, "missing": resolved.missing}

    def _job(self, load: Mapping[str, Any]) -> Any:
        jid = str(load.get("jid"))
        return {"load": self._jobs.get_load(jid), "returns": self._jobs.get_jid(jid)}
