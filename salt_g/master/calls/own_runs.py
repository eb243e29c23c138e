"""Orchestrations and batches of a master alone, kept so that it goes on with them after it was killed.

They keep the same as in a cluster (`cluster/running_calls.py`), in the embedded store, which no other program
writes. Nothing tells there whether a job that was about to be published reached its minions: ours get it
again, and drop it if it did; other minions are only waited for.
Shapes: the bank `runs` is {jid: {"kind": runner or batch, "noted": what it takes to resume it}}, a bank
`runs/<jid>` {key: value}.
"""

from __future__ import annotations

import logging
import weakref
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

from salt_g.cache.banks import Banks
from salt_g.data.run_record import RunRecord
from salt_g.errors import StoreError, WireError
from salt_g.master.calls.runner_calls import RunnerCalls
from salt_g.master.publishing.batches import Batches

log = logging.getLogger(__name__)

BANK = "runs"


class OwnRuns:
    """Runs of this master. Life: created before anything can begin, `resume` once minions can connect."""

    def __init__(self, banks: Banks, runners: RunnerCalls, batches: Batches) -> None:
        self._banks = banks
        self._resumes: Mapping[str, Any] = {"runner": runners.resume, "batch": batches.resume}
        self._kept: set[str] = set()
        self._records: weakref.WeakSet[RunRecord] = weakref.WeakSet()
        self._left: Mapping[str, Any] = {}
        try:
            self._left = banks.list_all(BANK)
        except StoreError as exc:
            log.warning("orchestrations and batches of the last run are not resumed: %s", exc)
        runners.on_begin, batches.on_begin = partial(self._begin, "runner"), partial(self._begin, "batch")
        for calls in (runners, batches):
            calls.on_end, calls.published = self._end, self._published

    def resume(self, settle: Callable[[], None]) -> None:
        """Go on with what the last run left; `settle` waits for the minions that were connected then."""
        for jid, run in sorted(self._left.items()):
            self._kept.add(jid)
            if self._is_resumed(jid, run, settle):
                log.warning("%s is resumed", jid)
            else:
                log.warning("%s has ended with the last run of this master", jid)
                self._end(jid)

    def _is_resumed(self, jid: str, run: Any, settle: Callable[[], None]) -> bool:
        try:
            record = self._record(jid, self._banks.list_all(f"{BANK}/{jid}"))
            return bool(self._resumes[run["kind"]](jid, run["noted"], record, settle))
        except (StoreError, LookupError, TypeError) as exc:
            log.warning("%s cannot be resumed: %s", jid, exc)
            return False

    def _begin(self, kind: str, jid: str, about: dict[str, Any], to_resume: Any) -> RunRecord | None:
        if to_resume is None:
            return None
        try:
            self._banks.store(BANK, jid, {"kind": kind, "noted": to_resume}).result()
        except (StoreError, TimeoutError, WireError) as exc:
            log.warning("%s: cannot be resumed after an end of this master: %s", jid, exc)
            return None
        self._kept.add(jid)
        return self._record(jid)

    def close(self) -> None:
        """Leave what runs here to the next start, as this one ends."""
        for record in self._records:
            record.close()

    def _record(self, jid: str, known: Mapping[str, Any] | None = None) -> RunRecord:
        record = RunRecord(partial(self._keep, jid), known)
        self._records.add(record)
        return record

    def _keep(self, jid: str, key: str, value: Any) -> bool:
        if key:
            self._banks.store(f"{BANK}/{jid}", key, value).result()
        return True

    def _end(self, jid: str) -> None:
        if jid not in self._kept:
            return
        self._kept.discard(jid)
        try:
            self._banks.flush(BANK, jid)
            self._banks.flush(f"{BANK}/{jid}")
        except StoreError as exc:
            log.warning("%s: its end is not kept: %s", jid, exc)

    def _published(self, jid: str, ids: Collection[str]) -> set[str]:
        return {id for id in ids if "saltgversion" not in self._banks.fetch("grains", id)}
