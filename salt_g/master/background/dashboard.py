"""Data of `salt-g top`: metrics, newest jobs, silent minions.

Gathered only on request; a job whose returns are complete is not counted again.
Shapes: {id, time, metrics, jobs, silent, unheard}; a job is {jid, fun, tgt, user, expected, done, away}, the
newest first, `away` the number of its minions that have neither returned nor a connection; `silent` are
accepted minions without a connection, at most `SHOWN` of them; `unheard` counts connections of unknown
minions, because after a crash of the master its minions identify themselves only with the next job.
Units: `time` is Unix time in seconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from salt_g.cache.jobs import FIND_JOB, Jobs
from salt_g.errors import StoreError
from salt_g.keys.files import KeyFiles
from salt_g.master.background.presence import Presence
from salt_g.master.publishing.expected_minions import ExpectedMinions
from salt_g.shapes.loads import LoadFields, MasterSnapshot, ShownJob
from salt_g.telemetry.metric_registry import MetricRegistry

#: Maximum number of reported jobs, and of silent minions.
SHOWN = 50
#: Longest text of a target or of a user's name (characters).
_LONGEST = 100
#: Maximum number of silent minions whose returns of a job are looked up one by one.
_FEW = 50


class Dashboard:
    """Handler of the command `top` of the local socket."""

    def __init__(
        self,
        id: str,
        registry: MetricRegistry,
        keys: KeyFiles,
        presence: Presence,
        running: ExpectedMinions,
        jobs: Jobs,
        connected: Callable[[], set[str]] | None = None,
    ) -> None:
        """Initialize; `connected` returns the minions connected to any master of a cluster."""
        self._id = id
        self._registry = registry
        self._keys = keys
        self._presence = presence
        self._running = running
        self._jobs = jobs
        self._known: dict[str, ShownJob] = {}
        #: {jid: minions that the job expects} for the shown jobs that are open.
        self._expected: dict[str, frozenset[str]] = {}
        self._connected = connected or presence.connected

    def snapshot(self, load: LoadFields) -> MasterSnapshot:
        """Return the current state of the master."""
        connected = self._presence.connected()
        silent = set(self._keys.accepted()) - self._connected()
        open_now = sum(self._presence.connections().values())
        return {
            "id": self._id,
            "time": time.time(),
            "metrics": self._registry.map(),
            "jobs": self._newest(silent),
            "silent": sorted(silent)[:SHOWN],
            "unheard": max(0, open_now - len(connected)),
        }

    def _newest(self, silent: set[str]) -> list[ShownJob]:
        known, self._known = self._known, {}
        ids, self._expected = self._expected, {}
        for jid, expected in self._running.newest(SHOWN):
            try:
                job = known.get(jid) or self._described(jid)
                if job.get("done", 0) < expected:
                    job["done"] = self._jobs.count_returned(jid)
                    job["away"] = self._away(jid, ids.get(jid), silent)
            except StoreError:
                # Continue with the other jobs: a disk failure may be what the user is looking for, and the
                # metrics show it.
                continue
            self._known[jid] = {**job, "expected": expected}
        return [job for job in self._known.values() if job["fun"] != FIND_JOB]

    def _away(self, jid: str, expected: frozenset[str] | None, silent: set[str]) -> int:
        """Return the number of a job's minions that have neither returned nor a connection."""
        expected = self._expected[jid] = expected or frozenset(self._jobs.get_expected(jid))
        away = expected & silent
        if len(away) > _FEW:
            return len(away.difference(self._jobs.get_returned(jid)))
        return sum(not self._jobs.has_returned(jid, id) for id in away)

    def _described(self, jid: str) -> ShownJob:
        load = self._jobs.get_load(jid)
        fun = load.get("fun", "")
        return {
            "jid": jid,
            "fun": ",".join(map(str, fun)) if isinstance(fun, (list, tuple)) else str(fun),
            "tgt": _text(load.get("tgt", "")),
            "user": _text(load.get("user", "")),
            "done": 0,
            "away": 0,
        }


def _text(value: Any) -> str:
    text = ",".join(map(str, value[:SHOWN])) if isinstance(value, list) else str(value)
    return text[:_LONGEST]
