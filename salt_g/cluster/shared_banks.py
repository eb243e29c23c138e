"""Banks that report changed data of minions to the other masters of a cluster.

Shapes: a row of the log has the kind `data` and the name `<bank>/<key>`.
Errors: as `Banks`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from salt_g.cache.banks import Banks
from salt_g.cache.futures import Future
from salt_g.cache.observed_banks import MINION_BANKS

#: Banks of which masters keep parts in memory.
ANNOUNCED_BANKS = (*MINION_BANKS, "owners")
KIND = "data"


class SharedBanks(Banks):
    """Banks of a master in a cluster. Lifecycle: created before the log of the cluster, `start` after it."""

    _announce: Callable[[str, str], Any] = staticmethod(lambda kind, name: None)

    def start(self, announce: Callable[[str, str], Any]) -> None:
        """Report changed data from now on; `announce(kind, name)` adds a row to the log."""
        self._announce = announce

    def store(self, bank: str, key: str, data: Any, expires: float | None = None) -> Future[None]:
        """Store a value, see `Banks.store`."""
        return self._announced(bank, key, super().store(bank, key, data, expires))

    def store_packed(self, bank: str, key: str, packed: bytes) -> Future[None]:
        """Store a packed value, see `Banks.store_packed`."""
        return self._announced(bank, key, super().store_packed(bank, key, packed))

    def flush(self, bank: str, key: str | None = None) -> Future[int]:
        """Remove a value or a bank, see `Banks.flush`."""
        return self._announced(bank, key, super().flush(bank, key))

    def _announced(self, bank: str, key: str | None, written: Future[Any]) -> Future[Any]:
        # Queued behind the write, so that the announcement is never committed before it.
        if bank in ANNOUNCED_BANKS:
            self._announce(KIND, f"{bank}/{key or ''}")
        return written
