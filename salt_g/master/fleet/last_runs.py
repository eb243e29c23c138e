"""Last state run of each minion: its verdict and the number of states by verdict, not their content.

Shapes: {jid, fun, user, verdict, counts}; bank `last_runs`, key = minion id.
Errors: write errors are logged; the in-memory data stays correct until a restart.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.cache.banks import Banks
from salt_g.data.bounded_cache import remember
from salt_g.errors import StoreError
from salt_g.report.run_verdict import RunVerdict
from salt_g.shapes.loads import ReturnLoad

log = logging.getLogger(__name__)

BANK = "last_runs"
#: Maximum number of minions remembered.
REMEMBERED = 50_000
LastRun = Mapping[str, Any]
#: Placeholder for a minion without a run: always the same object, so that readers see that nothing has
#: changed.
_NONE: LastRun = {}


class LastRuns:
    """Last state runs; `is_owned(id, jid)` is `MinionDataOwners.has`."""

    def __init__(self, banks: Banks, *, is_owned: Callable[[str, str], bool]) -> None:
        self._banks = banks
        self._is_owned = is_owned
        self._known: dict[str, LastRun] = {}
        self._is_read = False

    def note(self, load: ReturnLoad, found: RunVerdict) -> None:
        """Record a return that was stored for the first time, with the verdict on it."""
        if not found.is_state_run:
            return
        id, run = load["id"], _run(load, found)
        if self.get(id).get("jid", "") > run["jid"]:
            return
        remember(self._known, id, run, REMEMBERED)
        try:
            self._banks.store(BANK, id, run)
        except StoreError as exc:
            log.error("%s: cannot save its last state run: %s", id, exc)

    def get(self, id: str) -> LastRun:
        """Return the last state run of a minion under its current key, {} without one."""
        self._read()
        run = self._known.get(id)
        return run if run and self._is_owned(id, str(run["jid"])) else _NONE

    def _read(self) -> None:
        """Read the last state runs saved by an earlier run of this master, once."""
        if self._is_read:
            return
        self._is_read = True
        try:
            kept = self._banks.list_all(BANK)
        except StoreError as exc:
            log.error("cannot read the last state runs: %s", exc)
            return
        for id, run in kept.items():
            if isinstance(run, dict) and "jid" in run:
                self._known.setdefault(id, run)


def _run(load: ReturnLoad, found: RunVerdict) -> LastRun:
    return {
        "jid": load["jid"],
        "fun": str(load.get("fun", "")),
        "user": str(load.get("user") or ""),
        "verdict": found.verdict,
        "counts": found.counts,
    }
