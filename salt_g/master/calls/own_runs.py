"""Record of the orchestrations, batches and rollouts of a single master, to resume them after it was killed.

They record the same data as in a cluster (`cluster/running_calls.py`), but in the embedded store, to which no
other program writes. That store does not record whether a job that was about to be published reached its
minions. So the job is sent again to minions of salt-g, which drop a repeated job; other minions are only
waited for.
Shapes: a bank (`runs`) is {jid: {"kind": a name, "noted": the data to resume it}}, the banks `runs/<jid>`
below it are {key: value}.
"""

from __future__ import annotations

import logging
import weakref
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, Protocol

from salt_g.cache.futures import Future
from salt_g.data.run_record import Resumers, RunHooks, RunRecord
from salt_g.errors import StoreError, WireError

log = logging.getLogger(__name__)

BANK = "runs"


class RunBanks(Protocol):
    """Banks in which runs are kept, see `cache/banks.py`."""

    def store(self, bank: str, key: str, data: Any) -> Future[None]:
        """Store a value."""

    def list_all(self, bank: str) -> Mapping[str, Any]:
        """Return {key: value} of a bank."""

    def flush(self, bank: str, key: str | None = None) -> Future[int]:
        """Remove a value, or a bank with all banks below it."""


class OwnRuns:
    """Runs of this master. Lifecycle: created before any run can begin, `resume` once minions can connect.

    `drops_repeated(id)` returns whether a minion drops a job that it has received before.
    """

    def __init__(
        self,
        banks: RunBanks,
        *,
        drops_repeated: Callable[[str], bool],
        bank: str = BANK,
    ) -> None:
        self._banks = banks
        self._bank = bank
        self._drops_repeated = drops_repeated
        self._records: weakref.WeakSet[RunRecord] = weakref.WeakSet()
        self._left: Mapping[str, Any] = {}
        try:
            self._left = banks.list_all(bank)
        except StoreError as exc:
            log.warning("the unfinished runs in %s are not resumed: %s", bank, exc)
        self._kept = set(self._left)

    def hooks(self, kind: str) -> RunHooks:
        """Return the hooks that record runs of one kind."""
        begin = partial(self._begin, kind)
        return RunHooks(begin, self._end, self._recipients, is_kept=self._kept.__contains__)

    def resume(self, resumers: Resumers, settle: Callable[[], None]) -> None:
        """Resume what was running when the master ended; `settle` waits for the minions connected then."""
        for jid, run in sorted(self._left.items()):
            if self._is_resumed(resumers, jid, run, settle):
                log.warning("%s is resumed", jid)
            else:
                log.warning("%s ended together with the previous run of this master", jid)
                self._end(jid)

    def _is_resumed(self, resumers: Resumers, jid: str, run: Any, settle: Callable[[], None]) -> bool:
        try:
            record = self._record(jid, self._banks.list_all(f"{self._bank}/{jid}"))
            return bool(resumers[run["kind"]](jid, run["noted"], record, settle))
        except (StoreError, LookupError, TypeError) as exc:
            log.warning("%s cannot be resumed: %s", jid, exc)
            return False

    def _begin(self, kind: str, jid: str, about: dict[str, Any], to_resume: Any) -> RunRecord | None:
        if to_resume is None:
            return None
        try:
            self._banks.store(self._bank, jid, {"kind": kind, "noted": to_resume}).result()
        except (StoreError, TimeoutError, WireError) as exc:
            log.warning("%s will not be resumed if this master ends: %s", jid, exc)
            return None
        self._kept.add(jid)
        return self._record(jid)

    def close(self) -> None:
        """Close the records of running calls at shutdown, so that the next start resumes the calls."""
        for record in self._records:
            record.close()

    def _record(self, jid: str, known: Mapping[str, Any] | None = None) -> RunRecord:
        record = RunRecord(partial(self._keep, jid), known)
        self._records.add(record)
        return record

    def _keep(self, jid: str, key: str, value: Any) -> bool:
        if key:
            self._banks.store(f"{self._bank}/{jid}", key, value).result()
        return True

    def _end(self, jid: str) -> None:
        if jid not in self._kept:
            return
        self._kept.discard(jid)
        try:
            self._banks.flush(self._bank, jid)
            self._banks.flush(f"{self._bank}/{jid}")
        except StoreError as exc:
            log.warning("cannot record the end of %s: %s", jid, exc)

    def _recipients(self, jid: str, ids: Collection[str]) -> set[str]:
        return {id for id in ids if not self._drops_repeated(id)}
