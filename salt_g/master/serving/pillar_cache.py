"""Cache of compiled pillar: settings `pillar_cache*`.

Decides which pillar may be cached (without overrides and on-demand parts) and for how long, apart from
compiling.
Shapes: bank `pillar_cache`, key `<id>` or `<id>//<pillarenv>`. Units: seconds.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.cache.banks import Banks
from salt_g.errors import StoreError
from salt_g.shapes import Opts

log = logging.getLogger(__name__)

BANK = "pillar_cache"


class PillarCache:
    """Pillar cache on disk, or in memory with `pillar_cache_backend: memory`."""

    def __init__(self, opts: Opts, banks: Banks, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._is_on = bool(opts.get("pillar_cache"))
        self._in_memory = opts.get("pillar_cache_backend") == "memory"
        self._ttl = float(opts.get("pillar_cache_ttl") or 3600)
        self._banks = banks
        self._clock = clock
        self._memory: dict[str, tuple[float, Mapping[str, Any]]] = {}

    def get(self, id: str, pillarenv: str | None) -> Mapping[str, Any] | None:
        """Return the cached pillar, None if there is none that is recent enough."""
        if not self._is_on:
            return None
        key = _key(id, pillarenv)
        if self._in_memory:
            made, pillar = self._memory.get(key, (float("-inf"), None))
            return pillar if self._clock() - made < self._ttl else None
        return self._banks.fetch(BANK, key) or None

    def put(self, id: str, pillarenv: str | None, pillar: Mapping[str, Any]) -> None:
        """Cache pillar, unless it has errors."""
        if not self._is_on or "_errors" in pillar:
            return
        key = _key(id, pillarenv)
        if self._in_memory:
            self._memory[key] = (self._clock(), pillar)
            return
        try:
            self._banks.store(BANK, key, dict(pillar), expires=self._ttl)
        except StoreError as exc:
            log.error("%s: cannot cache its pillar: %s", id, exc)

    def forget(self, id: str) -> None:
        """Drop the cached pillar of a minion."""
        for key in [key for key in self._memory if _belongs(key, id)]:
            del self._memory[key]
        if self._is_on and not self._in_memory:
            for key in self._banks.list(BANK):
                if _belongs(key, id):
                    self._banks.flush(BANK, key)


def _key(id: str, pillarenv: str | None) -> str:
    # An id cannot contain `//`.
    return f"{id}//{pillarenv}" if pillarenv else id


def _belongs(key: str, id: str) -> bool:
    return key.partition("//")[0] == id
