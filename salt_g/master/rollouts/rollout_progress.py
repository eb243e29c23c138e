"""Progress of a rollout, readable while it runs and afterwards.

This module only counts; `rollout_run.py` decides.
Shapes: see `shapes/rollouts.py`.
Units: seconds since the epoch.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import Any

from salt_g.shapes.rollouts import RolloutState, RolloutWave


class RolloutProgress:
    """Progress of one rollout; waves are numbered from 0."""

    def __init__(
        self, jid: str, *, function: Any, arguments: list[Any], target: Any, user: str, started: float
    ) -> None:
        self.jid = jid
        self.user = user
        self._begun: set[str] = set()
        self._status: RolloutState = {
            "jid": jid,
            "function": function,
            "arguments": arguments,
            "target": target,
            "user": user,
            "state": "running",
            "waves": [],
            "reached": 0,
            "total": 0,
            "untouched": 0,
            "stopped": None,
            "undone": 0,
            "started": started,
            "ended": None,
            "away": [],
            "undo_failed": {},
        }

    @property
    def stopped(self) -> str:
        """Why the rollout was stopped, '' if it was not."""
        return self._status["stopped"] or ""

    @property
    def state(self) -> str:
        """State of the rollout: `running`, `paused`, `done`, ...."""
        return self._status["state"]

    @property
    def begun(self) -> list[str]:
        """Minions that got the job."""
        return sorted(self._begun)

    @property
    def number_failed(self) -> int:
        """Number of failures so far."""
        return sum(len(wave["failed"]) for wave in self._status["waves"])

    def find(self, waves: Sequence[Sequence[str]], rest: Sequence[str], away: Sequence[str]) -> None:
        """Record the minions of each wave, those of no wave, and those that did not answer."""
        self._status["waves"] = [
            {"size": len(ids), "state": "waiting", "minions": list(ids), "failed": {}, "done": 0}
            for ids in waves
        ]
        self._status["away"] = sorted(away)
        self._status["total"] = sum(map(len, waves)) + len(rest) + len(away)
        self._count()

    def set_wave(self, number: int, state: str) -> None:
        """Record the state of a wave."""
        self._wave(number)["state"] = state

    def begin(self, ids: Iterable[str]) -> None:
        """Record minions that got the job."""
        self._begun.update(ids)
        self._count()

    def end_minion(self, number: int, id: str, why: str) -> None:
        """Record that a minion of a wave has ended; `why` is the reason for its failure, '' for success."""
        wave = self._wave(number)
        if why:
            wave["failed"][id] = why
        else:
            wave["done"] += 1

    def fail_check(self, number: int, id: str, why: str) -> None:
        """Record that a minion that had passed failed a check."""
        wave = self._wave(number)
        if id not in wave["failed"]:
            wave["failed"][id] = why
            wave["done"] -= 1

    def failed(self, number: int) -> dict[str, str]:
        """Return the failures of a wave."""
        return dict(self._wave(number)["failed"])

    def keep_wave(self, number: int) -> dict[str, Any]:
        """Return the data of a wave that is stored, see `restore_wave`."""
        wave = self._wave(number)
        begun = [id for id in wave["minions"] if id in self._begun]
        return {"failed": dict(wave["failed"]), "done": wave["done"], "begun": begun}

    def restore_wave(self, number: int, kept: dict[str, Any]) -> None:
        """Restore a wave from the data that `keep_wave` returned."""
        wave = self._wave(number)
        wave["failed"], wave["done"] = dict(kept["failed"]), int(kept["done"])
        self.begin(kept["begun"])

    def pause(self, *, is_paused: bool) -> bool:
        """Record whether the rollout is paused; return whether that changed."""
        before, after = self._status["state"], "paused" if is_paused else "running"
        if before not in ("running", "paused"):
            return False
        self._status["state"] = after
        return before != after

    def stop(self, why: str) -> None:
        """Record why the rollout stops; the first reason counts."""
        self._status["stopped"] = self._status["stopped"] or why

    def undo(self, done: Iterable[str], failed: dict[str, str]) -> None:
        """Record the minions on which the job was reverted, and the reasons for failures on others."""
        self._status["undone"] = len(list(done))
        self._status["undo_failed"] = dict(sorted(failed.items()))

    def end(self, now: float, *, is_undone: bool = False) -> None:
        """Record the end of the rollout; a wave that was not finished has failed."""
        for wave in self._status["waves"]:
            if wave["state"] not in ("waiting", "done"):
                wave["state"] = "failed"
        state = "undone" if is_undone else "stopped" if self._status["stopped"] else "done"
        self._status["state"], self._status["ended"] = state, now

    def as_map(self) -> RolloutState:
        """Return the status of the rollout."""
        return copy.deepcopy(self._status)

    def _wave(self, number: int) -> RolloutWave:
        return self._status["waves"][number]

    def _count(self) -> None:
        self._status["reached"] = len(self._begun)
        self._status["untouched"] = self._status["total"] - len(self._begun)
