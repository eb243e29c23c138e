"""Grains and pillar of minions as the master knows them, for targets, permissions and the mine.

Why its own file: `_pillar` brings them, resolving a target reads those of the whole fleet; both go over one
memory in front of the store, so that a target costs no read of the disk.
Shapes: banks `grains` and `pillar`, key = minion id; the mine is bank `mine`.
Errors: what cannot be written is logged; the memory is right all the same, and the next pillar writes again.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from typing import Any

from salt_g.cache.banks import Banks
from salt_g.errors import StoreError

log = logging.getLogger(__name__)

#: Minions remembered; more than that are read from the store.
REMEMBERED = 10_000
#: Banks of what is known of a minion, each with its id as key.
BANKS = ("grains", "pillar", "mine")

#: (grains, pillar) of a minion.
Known = tuple[Mapping[str, Any], Mapping[str, Any]]


class MinionData:
    """What the master keeps of each minion; nothing when `keeps` (`minion_data_cache`) is off."""

    def __init__(self, banks: Banks, *, keeps: bool = True) -> None:
        self._banks = banks
        self._keeps = keeps
        self._known: dict[str, Known | None] = {}
        #: Ids that are being read; none of whom something became known or was forgotten meanwhile.
        self._reads: dict[str, object] = {}

    def get(self, id: str) -> Known | None:
        """Return (grains, pillar) of a minion, None when it never sent any."""
        if id in self._known:
            return self._known[id]
        mark = self._reads[id] = object()
        found = self._read(id)
        # Others may have run meanwhile: what was forgotten stays so, and what was put is newer.
        if id not in self._reads:
            return self._known.get(id)
        if self._reads[id] is mark:
            self._remember(id, found)
        return found

    def put(self, id: str, grains: Mapping[str, Any], pillar: Mapping[str, Any] | None = None) -> None:
        """Keep what is known now; without `pillar` that of before stays."""
        if not self._keeps:
            return
        before = self.get(id)
        old_grains, old_pillar = before or (None, {})
        if pillar is None:
            pillar = old_pillar
        if before is not None and grains == old_grains and pillar == old_pillar:
            return
        self._remember(id, (_interned(grains), _interned(pillar)))
        if grains != old_grains:
            self._write("grains", id, grains)
        if before is None or pillar != old_pillar:
            self._write("pillar", id, pillar)

    def forget(self, id: str) -> None:
        """Forget a minion, what it shared in the mine too."""
        self._known.pop(id, None)
        self._reads.pop(id, None)
        for bank in BANKS:
            try:
                self._banks.flush(bank, id)
            except StoreError as exc:
                log.error("%s: its %s cannot be removed: %s", id, bank, exc)

    def forget_part(self, id: str, bank: str) -> bool:
        """Remove the grains, pillar or mine of a minion; say whether there was any. Raises StoreError."""
        self._known.pop(id, None)
        self._reads.pop(id, None)
        return self._banks.flush(bank, id).result(30) > 0

    def reread(self) -> None:
        """Read everything from the banks again, because somebody wrote there."""
        self._known.clear()
        self._reads.clear()

    def ids(self) -> list[str]:
        """Return the minions that something is known of, sorted."""
        return self._banks.list("grains")

    def _read(self, id: str) -> Known | None:
        grains = self._banks.fetch("grains", id)
        pillar = self._banks.fetch("pillar", id)
        return (_interned(grains), _interned(pillar)) if grains or pillar else None

    def _remember(self, id: str, known: Known | None) -> None:
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        self._known[id] = known
        self._reads.pop(id, None)

    def _write(self, bank: str, id: str, value: Mapping[str, Any]) -> None:
        try:
            self._banks.store(bank, id, dict(value))
        except StoreError as exc:
            log.error("%s: its %s cannot be kept: %s", id, bank, exc)


def _interned(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a map whose keys are shared with those of other minions: they are most of it in memory."""
    return {sys.intern(key) if type(key) is str else key: value for key, value in data.items()}
