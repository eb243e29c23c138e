"""Banks whose values are sealed under a key derived from the master's.

Read access to the store does not reveal the arguments of jobs, and write access is not enough to give orders.
Shapes: as `Banks`; a value is sealed together with its bank and key.
Errors: StoreError; a value that another key sealed counts as missing.
"""

from __future__ import annotations

import logging
from typing import Any

from salt_g.cache.banks import Banks
from salt_g.cache.futures import Future
from salt_g.cluster.sealing import Sealing
from salt_g.errors import SealBroken, WireError
from salt_g.wire.packing import pack_bus, unpack

log = logging.getLogger(__name__)


class SealedBanks:
    """Subset of `Banks` for whole values, which are sealed for one purpose."""

    def __init__(self, banks: Banks, sealing: Sealing) -> None:
        self._banks = banks
        self._sealing = sealing

    def store(self, bank: str, key: str, data: Any) -> Future[None]:
        """Store a value."""
        sealed = self._sealing.seal_job(pack_bus([bank, key, data]))
        return self._banks.store_packed(bank, key, pack_bus(sealed))

    def fetch(self, bank: str, key: str) -> Any:
        """Return a value, {} if there is none."""
        found = self._opened(bank, key, self._banks.fetch(bank, key))
        return {} if found is None else found

    def list(self, bank: str) -> list[str]:
        """Return the keys of a bank, sorted."""
        return self._banks.list(bank)

    def list_all(self, bank: str) -> dict[str, Any]:
        """Return {key: value} of a bank."""
        opened = {key: self._opened(bank, key, sealed) for key, sealed in self._banks.list_all(bank).items()}
        return {key: value for key, value in opened.items() if value is not None}

    def flush(self, bank: str, key: str | None = None) -> Future[int]:
        """Remove a value, or a bank."""
        return self._banks.flush(bank, key)

    def _opened(self, bank: str, key: str, sealed: Any) -> Any:
        if not sealed:
            return None
        try:
            if not isinstance(sealed, bytes):
                raise SealBroken("the value is not sealed")
            place, name, value = unpack(self._sealing.open_job(sealed))
        except (SealBroken, WireError, TypeError, ValueError):
            log.error("ignored %s of %s, which this master did not write", key, bank)
            return None
        return value if (place, name) == (bank, key) else None
