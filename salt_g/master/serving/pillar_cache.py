"""Cache of compiled pillar: settings `pillar_cache*`.

Callers cache only pillar that has neither overrides nor on-demand parts; the cache refuses pillar with
errors, and limits the age of its entries.
Shapes: bank `pillar_cache/<id>`, key `<pillarenv>`, or '' if there is none. Units: seconds.
Bounds: minions choose the pillarenv, so at most `MAX_ENVIRONMENTS` are cached for each minion.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.cache.banks import Banks
from salt_g.errors import StoreError
from salt_g.master.settings import PillarCacheSettings
from salt_g.shapes import Pillar

log = logging.getLogger(__name__)

BANK = "pillar_cache"
#: Maximum number of environments cached for one minion.
MAX_ENVIRONMENTS = 16


class PillarCache:
    """Pillar cache on disk, or in memory with `pillar_cache_backend: memory`."""

    def __init__(
        self,
        settings: PillarCacheSettings,
        banks: Banks,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._is_on = settings.pillar_cache
        self._in_memory = settings.is_in_memory
        self._ttl = settings.pillar_cache_ttl
        self._banks = banks
        self._clock = clock
        #: {id: {pillarenv: (time of compilation, pillar)}}, the oldest first.
        self._memory: dict[str, dict[str, tuple[float, Mapping[str, Any]]]] = {}

    def get(self, id: str, pillarenv: str | None) -> Mapping[str, Any] | None:
        """Return the cached pillar, or None if there is no recent one."""
        if not self._is_on:
            return None
        key = pillarenv or ""
        if self._in_memory:
            made, pillar = self._memory.get(id, {}).get(key, (float("-inf"), None))
            return pillar if self._clock() - made < self._ttl else None
        return self._banks.fetch(_bank(id), key) or None

    def put(self, id: str, pillarenv: str | None, pillar: Pillar) -> None:
        """Cache pillar, unless it has errors."""
        if not self._is_on or "_errors" in pillar:
            return
        if self._in_memory:
            self._put_in_memory(id, pillarenv or "", pillar)
            return
        try:
            self._put_in_store(_bank(id), pillarenv or "", pillar)
        except StoreError as exc:
            log.error("%s: cannot cache its pillar: %s", id, exc)

    def forget(self, id: str) -> None:
        """Drop the cached pillar of a minion."""
        self._memory.pop(id, None)
        if self._is_on and not self._in_memory:
            # Flush the whole bank, so that pending writes are dropped as well.
            self._banks.flush(_bank(id))

    def _put_in_memory(self, id: str, key: str, pillar: Pillar) -> None:
        now = self._clock()
        cached = self._memory.pop(id, {})
        others = [
            (name, entry) for name, entry in cached.items() if name != key and now - entry[0] < self._ttl
        ]
        self._memory[id] = {**dict(others[-(MAX_ENVIRONMENTS - 1) :]), key: (now, pillar)}

    def _put_in_store(self, bank: str, key: str, pillar: Pillar) -> None:
        cached = self._banks.list(bank)
        if key in cached or len(cached) < MAX_ENVIRONMENTS:
            self._banks.clean_expired(bank)
            self._banks.store(bank, key, dict(pillar), expires=self._ttl)


def _bank(id: str) -> str:
    return f"{BANK}/{id}"
