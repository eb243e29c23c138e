"""Banks that note changes of grains, pillar and mine, so that they can be copied to an external cache.

The master reads only its own store; `salt_g/master/serving/external_cache.py` copies the noted changes. A
removal is also kept in the store, so that a restart does not bring removed data back from the external cache.
Shapes: a removal is kept in the bank `external_removals` under the key `<bank>/<key>`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from salt_g.cache.banks import Banks
from salt_g.cache.futures import Future
from salt_g.cache.store import Store
from salt_g.config.cache_driver import external_driver

#: Banks of minion data, whose keys are minion ids.
MINION_BANKS = ("grains", "pillar", "mine")
REMOVALS = "external_removals"
#: Maximum number of noted changes.
MAX_CHANGES = 100_000


def minion_banks(opts: Mapping[str, Any], store: Store) -> Banks:
    """Return a master's banks, which note changes if the settings name an external cache."""
    return ObservedBanks(store) if external_driver(opts) else Banks(store)


class BankChange(NamedTuple):
    """Changed value, or a bank whose values were all removed (`key` is None)."""

    bank: str
    key: str | None


class Committed:
    """Future of a write that is already committed."""

    def result(self, timeout: float = 0.0) -> Any:
        """Return None without waiting."""

    def done(self) -> bool:
        """Return True."""
        return True


COMMITTED = Committed()


class ObservedBanks(Banks):
    """Banks that note changes of minion data until `take` fetches them.

    `is_complete` is False after changes were lost because there were too many. Lifecycle: `start`, once
    there is a copier to wake.
    """

    def __init__(self, store: Store, *, max_changes: int = MAX_CHANGES) -> None:
        super().__init__(store)
        self._max_changes = max_changes
        self._wake: Callable[[], None] = _nobody
        self.is_complete = True
        self._changes: dict[BankChange, Future[Any]] = {}

    def store(self, bank: str, key: str, data: Any, expires: float | None = None) -> Future[None]:
        """Store a value, see `Banks.store`."""
        return self._noted(bank, key, super().store(bank, key, data, expires))

    def store_packed(self, bank: str, key: str, packed: bytes) -> Future[None]:
        """Store a packed value, see `Banks.store_packed`."""
        return self._noted(bank, key, super().store_packed(bank, key, packed))

    def flush(self, bank: str, key: str | None = None) -> Future[int]:
        """Remove a value or a bank, see `Banks.flush`."""
        if bank in MINION_BANKS and key is not None:
            super().store(REMOVALS, f"{bank}/{key}", True)
        return self._noted(bank, key, super().flush(bank, key))

    def store_unnoted(self, bank: str, key: str, data: Any) -> Future[None]:
        """Store a value that comes from the external cache, without noting the change."""
        return super().store(bank, key, data)

    def flush_unnoted(self, bank: str, key: str) -> Future[int]:
        """Remove a value that the external cache no longer has, without noting the change."""
        return super().flush(bank, key)

    def start(self, wake: Callable[[], None]) -> None:
        """Note the removals of an earlier run again, and call `wake` for each change from now on."""
        for name in self.list(REMOVALS):
            bank, _, key = name.partition("/")
            self._noted(bank, key, COMMITTED)
        self._wake = wake

    def is_noted(self, bank: str, key: str) -> bool:
        """Return whether a change of a value is noted and not yet taken."""
        return BankChange(bank, key) in self._changes or BankChange(bank, None) in self._changes

    def take(self) -> tuple[BankChange, Future[Any]] | None:
        """Remove and return the oldest change with the future of its write; return None if there is none."""
        change = next(iter(self._changes), None)
        return None if change is None else (change, self._changes.pop(change))

    def put_back(self, change: BankChange, written: Future[Any]) -> None:
        """Note a change again after it could not be copied."""
        self._changes.setdefault(change, written)

    def settle(self, change: BankChange) -> None:
        """Forget the stored removal of a value after it was copied."""
        super().flush(REMOVALS, f"{change.bank}/{change.key}")

    def _noted(self, bank: str, key: str | None, written: Future[Any]) -> Future[Any]:
        if bank in MINION_BANKS:
            if len(self._changes) < self._max_changes:
                self._changes[BankChange(bank, key)] = written
            else:
                self.is_complete = False
            self._wake()
        return written


def _nobody() -> None:
    """Do nothing, as long as no copier is set."""
