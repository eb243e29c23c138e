"""Copies of grains, pillars and mines in an external cache (`cache: redis`), in both directions.

The master reads and writes its own store; this part copies each change to the external cache at once, and
every few seconds copies back the changes that other programs (another master, a stock tool) made there. The
cache may be slow or unreachable without consequences for minions and users; changes made meanwhile are copied
when it is back.
Units: seconds. Bounds: one note for each changed value (`cache/observed_banks.py`), one copy at a time, LIMIT
for each call of the driver.
Errors: an error of a driver is logged once, and the next round tries again. Entries with an invalid id or
time are skipped, because other programs write to the same server.
Source: stock docs "Minion data cache".
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import gevent

from salt_g.cache.futures import Future
from salt_g.cache.observed_banks import COMMITTED, MINION_BANKS, BankChange, ObservedBanks
from salt_g.errors import SaltGError, StoreError
from salt_g.keys.files import KeyFiles
from salt_g.loader.cache_driver import CacheDriver
from salt_g.master.serving.external_cache_plan import compare
from salt_g.process.offload import yield_to_hub
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.process.supervisor import Supervisor

log = logging.getLogger(__name__)

#: Interval between two comparisons, and between two attempts to reach an unavailable server (s).
INTERVAL = 10.0
#: Time limit of one call (s), because a driver's own limits start again with each piece of a slow answer.
LIMIT = 60.0
#: Bank with one value for each master; the value is missing if the server has lost its data.
MASTERS = "salt-g/masters"


class _Away(SaltGError):
    """Failure of a driver, with its error."""


class ExternalCache:
    """Synchronization of the store and the external cache. Lifecycle: `start`, ended by its supervisor.

    `run_round` copies pending changes. `reread(id)` is called for minions whose data came from the external
    cache.
    """

    def __init__(
        self,
        driver: CacheDriver,
        *,
        master_id: str,
        banks: ObservedBanks,
        keys: KeyFiles,
        reread: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = driver.name
        self._driver = driver
        self._master_id = master_id
        self._banks = banks
        self._keys = keys
        self._reread = reread
        self._clock = clock
        self._seen: dict[str, dict[str, int]] = {bank: {} for bank in MINION_BANKS}
        #: Changes whose values the server refused, or whose values cannot be read from the server.
        self._refused: set[BankChange] = set()
        self._next_comparison = 0.0
        self._is_away = False
        self._loop = PeriodicLoop(f"external cache {driver.name}", self.run_round, INTERVAL)

    def start(self, supervisor: Supervisor) -> None:
        """Start copying."""
        self._banks.start(self._wake)
        supervisor.spawn(self._loop.run, name=self._loop.name)

    def run_round(self) -> None:
        """Compare the banks when due, and copy the noted changes."""
        try:
            self._compare_when_due()
            self._export_changes()
        except (_Away, StoreError, TimeoutError) as exc:
            if not self._is_away:
                log.error(
                    "cache %s: %s; the master's own store has all data, which will be copied later",
                    self.name,
                    exc,
                )
            self._is_away = True
            return
        if self._is_away:
            log.info("cache %s: the server is available again", self.name)
        self._is_away = False

    def _wake(self) -> None:
        # An unavailable server is tried at intervals, not for each change.
        if not self._is_away:
            self._loop.wake()

    def _export_changes(self) -> None:
        while (taken := self._banks.take()) is not None:
            change, written = taken
            try:
                self._export(change, written)
                self._refused.discard(change)
            except _Away as exc:
                if not self._is_reachable():
                    self._banks.put_back(change, written)
                    raise
                self._refuse(change, exc)
            except (StoreError, TimeoutError):
                self._banks.put_back(change, written)
                raise
            yield_to_hub()

    def _export(self, change: BankChange, written: Future[Any]) -> None:
        """Copy a change after it was committed, because the store shows it only then."""
        try:
            written.result()
        except StoreError:
            # The writer has logged the error; the store keeps the earlier value, which has already been
            # copied.
            return
        bank, key = change
        if key is None:
            self._ask("flush", bank)
            self._seen[bank].clear()
        elif self._banks.contains(bank, key):
            self._ask("store", bank, key, self._banks.fetch(bank, key))
            # The server's own time, so that our write does not look like a write of another master.
            self._seen[bank][key] = _time(self._ask("updated", bank, key)) or 0
        else:
            self._ask("flush", bank, key)
            self._seen[bank].pop(key, None)
        if key is not None:
            self._banks.settle(change)

    def _compare_when_due(self) -> None:
        if self._clock() < self._next_comparison:
            return
        is_intact = bool(self._ask("contains", MASTERS, self._master_id))
        if not self._banks.is_complete:
            is_intact = False
            self._banks.is_complete = True
        for bank in MINION_BANKS:
            self._compare(bank, is_intact=is_intact)
        if not is_intact:
            self._ask("store", MASTERS, self._master_id, {"since": int(time.time())})
        self._next_comparison = self._clock() + INTERVAL

    def _compare(self, bank: str, *, is_intact: bool) -> None:
        theirs, seen = self._stamps(bank), self._seen[bank] if is_intact else {}
        theirs, ours = self._of_accepted(theirs), self._of_accepted(self._banks.stamps(bank))
        plan = compare(ours, theirs, seen, is_intact=is_intact)
        self._seen[bank] = dict(theirs)
        for id in plan.imports:
            try:
                self._import(bank, id)
            except _Away as exc:
                if not self._is_reachable():
                    # Values that were not read yet must still count as unseen.
                    self._seen[bank] = seen
                    raise
                self._refuse(BankChange(bank, id), exc)
            yield_to_hub()
        for id in plan.removals:
            if not self._banks.is_noted(bank, id):
                self._banks.flush_unnoted(bank, id).result()
                self._reread(id)
        for id in plan.exports:
            self._banks.put_back(BankChange(bank, id), COMMITTED)

    def _import(self, bank: str, id: str) -> None:
        value = self._ask("fetch", bank, id)
        if not isinstance(value, Mapping):
            return
        is_known = self._banks.contains(bank, id) and self._banks.fetch(bank, id) == value
        # A change made on this master meanwhile is newer, and the data in memory is right.
        if not is_known and not self._banks.is_noted(bank, id):
            self._banks.store_unnoted(bank, id, dict(value)).result()
            if not self._banks.is_noted(bank, id):
                self._reread(id)

    def _of_accepted(self, stamps: Mapping[str, int]) -> dict[str, int]:
        """Return the entries of accepted minions: data of others is neither read nor written."""
        accepted = self._keys.accepted()
        return {id: stamp for id, stamp in stamps.items() if id in accepted}

    def _is_reachable(self) -> bool:
        """Return whether the server answers, although it refused a value."""
        try:
            self._ask("contains", MASTERS, self._master_id)
        except _Away:
            return False
        return True

    def _refuse(self, change: BankChange, problem: Exception) -> None:
        """Log, once, that a value is not copied; the next comparison tries it again."""
        if change not in self._refused:
            log.error("cache %s: %s of %s is not copied: %s", self.name, change.bank, change.key, problem)
            self._refused.add(change)
        if change.key is not None:
            self._seen[change.bank].pop(change.key, None)

    def _stamps(self, bank: str) -> dict[str, int]:
        """Return {id: time of its last update} of a bank, without entries with an invalid id or time."""
        if self._driver.has("stamps"):
            answer = self._ask("stamps", bank)
            if not isinstance(answer, Mapping):
                raise _Away(f"stamps: {type(answer).__name__}, expected a mapping of ids")
            found: Iterable[tuple[Any, Any]] = answer.items()
        else:
            ids = self._ask("list", bank)
            if not isinstance(ids, (list, tuple, set)):
                raise _Away(f"list: {type(ids).__name__}, expected a list of ids")
            found = ((id, self._ask("updated", bank, id)) for id in ids if isinstance(id, str))
        times = ((id, _time(stamp)) for id, stamp in found if isinstance(id, str))
        return {id: stamp for id, stamp in times if stamp is not None}

    def _ask(self, function: str, *arguments: Any) -> Any:
        """Call a function of the driver; raise _Away for any error, and after LIMIT."""
        try:
            with gevent.Timeout(LIMIT, TimeoutError(f"no answer within {LIMIT:g} s")):
                return self._driver.call(function, *arguments)
        # A plugin may raise anything.
        except Exception as exc:
            raise _Away(f"{function}: {exc}") from exc


def _time(stamp: Any) -> int | None:
    """Return a time as a driver gives it, or None for other values."""
    try:
        return int(stamp)
    except (TypeError, ValueError, OverflowError):
        return None
