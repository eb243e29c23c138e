"""Grains and pillar of minions as known to the master, for targets, permissions and the mine.

`_pillar` requests write them, and resolving a target reads all of them; both use one in-memory cache in
front of the store, so that a target costs no disk read.
Shapes: banks `grains` and `pillar`, key = minion id; the mine is bank `mine`.
Errors: write errors are logged; the in-memory data stays correct, and the next pillar request writes again.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.cache.banks import Banks
from salt_g.cache.observed_banks import MINION_BANKS
from salt_g.data.bounded_cache import remember
from salt_g.errors import StoreError
from salt_g.shapes import Grains, GrainsDict, Pillar

log = logging.getLogger(__name__)

#: Maximum number of cached minions, more than one master serves; others are read from the store.
REMEMBERED = 50_000
#: Longest text that minions share (characters); longer ones hardly recur.
LONGEST_SHARED = 256
#: (grains, pillar) of a minion.
Known = tuple[Mapping[str, Any], Mapping[str, Any]]


class MinionData:
    """Data of each minion; empty if `keeps` (`minion_data_cache`) is off."""

    def __init__(self, banks: Banks, *, keeps: bool = True) -> None:
        self._banks = banks
        self._keeps = keeps
        self._known: dict[str, Known | None] = {}
        #: Ids being read from the store; an id is removed when its data is put or forgotten meanwhile.
        self._reads: dict[str, object] = {}
        self._watchers: list[Callable[[str | None], None]] = []

    def watch(self, changed: Callable[[str | None], None]) -> None:
        """Call `changed(id)` after each change of a minion's data, with None when all may have changed."""
        self._watchers.append(changed)

    def get(self, id: str) -> Known | None:
        """Return (grains, pillar) of a minion, or None if no data of it is cached."""
        if id in self._known:
            return self._known[id]
        mark = self._reads[id] = object()
        found = self._read(id)
        # Other greenlets may have run meanwhile: forgotten data stays forgotten, and new data wins.
        if id not in self._reads:
            return self._known.get(id)
        # Not with a full cache: in a larger fleet, a target reads all minions in turn, and each would evict
        # another one that is needed later.
        if self._reads[id] is mark and len(self._known) < REMEMBERED:
            self._remember(id, found)
        return found

    def put(self, id: str, grains: Grains, pillar: Pillar | None = None) -> None:
        """Store new data; without `pillar` the old one is kept."""
        if not self._keeps:
            return
        before = self.get(id)
        old_grains, old_pillar = before or (None, {})
        if pillar is None:
            pillar = old_pillar
        if before is not None and grains == old_grains and pillar == old_pillar:
            return
        self._remember(id, (_interned(grains), _interned(pillar)))
        self._notify(id)
        if grains != old_grains:
            self._write("grains", id, grains)
        if before is None or pillar != old_pillar:
            self._write("pillar", id, pillar)

    def forget(self, id: str) -> None:
        """Forget the data of a minion, its mine included."""
        self._known.pop(id, None)
        self._reads.pop(id, None)
        for bank in MINION_BANKS:
            try:
                self._banks.flush(bank, id)
            except StoreError as exc:
                log.error("%s: cannot remove its %s: %s", id, bank, exc)
        # Until the removal is committed, the store still has the data, so its absence is cached.
        self._remember(id, None)
        self._notify(id)

    def forget_part(self, id: str, bank: str) -> bool:
        """Remove the grains, pillar or mine of a minion; return whether there was any. Raise StoreError."""
        self._known.pop(id, None)
        self._reads.pop(id, None)
        try:
            return self._banks.flush(bank, id).result() > 0
        finally:
            self._notify(id)

    def reread(self) -> None:
        """Discard all data in memory, because another program has written to the banks."""
        self._known.clear()
        self._reads.clear()
        self._notify(None)

    def reread_one(self, id: str) -> None:
        """Discard a minion's data in memory, because the banks have newer data; the next use reads it."""
        self._known.pop(id, None)
        self._reads.pop(id, None)
        self._notify(id)

    def ids(self) -> list[str]:
        """Return the ids with known data, sorted."""
        return self._banks.list("grains")

    def _notify(self, id: str | None) -> None:
        for changed in self._watchers:
            changed(id)

    def _read(self, id: str) -> Known | None:
        grains = self._banks.fetch("grains", id)
        pillar = self._banks.fetch("pillar", id)
        return (_interned(grains), _interned(pillar)) if grains or pillar else None

    def _remember(self, id: str, known: Known | None) -> None:
        remember(self._known, id, known, REMEMBERED)
        self._reads.pop(id, None)

    def _write(self, bank: str, id: str, value: Mapping[str, Any]) -> None:
        try:
            self._banks.store(bank, id, dict(value))
        except StoreError as exc:
            log.error("%s: cannot save its %s: %s", id, bank, exc)


def _interned(data: Grains) -> GrainsDict:
    """Return a copy whose texts are interned, because most of them recur on many minions."""
    return {_shared(key): _shared(value) for key, value in data.items()}


def _shared(value: Any) -> Any:
    """Return a value with its texts interned, also those in lists and dicts."""
    kind = type(value)
    if kind is str:
        return sys.intern(value) if len(value) <= LONGEST_SHARED else value
    if kind is dict:
        return {_shared(key): _shared(item) for key, item in value.items()}
    if kind is list:
        return [_shared(item) for item in value]
    return value
