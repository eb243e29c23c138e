"""Grains and pillar of a minion as known to this master: cached data, or else a pillar compiled now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.master.serving.minion_data import MinionData
from salt_g.master.serving.pillar_service import PillarService


class KnownMinions:
    """Look-up of minions' grains and pillar."""

    def __init__(self, data: MinionData, pillars: PillarService) -> None:
        self._data = data
        self._pillars = pillars

    def data_of(self, id: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """Return (grains, pillar) of a minion; compile its pillar if no data of it is cached."""
        grains: Mapping[str, Any] = {"id": id}
        return self._data.get(id) or (grains, self._pillars.compile_for(id, grains))
