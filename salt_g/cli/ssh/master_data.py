"""Minion data of the master on this machine, read from its files even while the master is stopped.

The store is opened read-only.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import CallContext
from salt_g.cache.banks import Banks
from salt_g.cache.store_choice import open_store
from salt_g.keys.files import KeyFiles
from salt_g.master.calls.call_context import master_context
from salt_g.master.publishing.target_resolution import TargetResolution
from salt_g.master.serving.mine import Mine
from salt_g.master.serving.minion_data import MinionData
from salt_g.master.settings import MineSettings, TargetSettings
from salt_g.shapes import Opts
from salt_g.shapes.loads import MineValues


class MasterData:
    """Grains, pillar and mine of the minions of the master with these settings."""

    def __init__(self, opts: Opts) -> None:
        self._opts = opts
        self._banks = Banks(open_store(opts))
        self._known = MinionData(self._banks)
        self._keys = KeyFiles(opts["pki_dir"])
        self._targets = TargetResolution(TargetSettings.of(opts), self._keys, self._known)

    def context(self) -> CallContext:
        """Return the context of a plugin that reads this data."""
        return master_context(self._opts, banks=self._banks, targets=self._targets, minion_data=self._known)

    def mine_get(self, tgt: Any, fun: Any, tgt_type: str = "glob", *, reader: str) -> MineValues:
        """Return the values that minions published and that the host `reader` may read."""
        mine = Mine(MineSettings.of(self._opts), banks=self._banks, keys=self._keys, expected=self._targets)
        return mine.ask(tgt, fun, tgt_type, reader=reader)
