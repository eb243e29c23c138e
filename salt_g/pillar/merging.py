"""Merging of pillar from several sources by the configured strategy.

Source: stock's setting `pillar_source_merging_strategy`; conformance cases `pillar/strategy-*`.
"""

from __future__ import annotations

import copy
import logging
from collections.abc import Mapping
from typing import Any, NamedTuple

from salt_g.data.nested import merge_recursive
from salt_g.shapes import PillarDict

log = logging.getLogger(__name__)


class Merging(NamedTuple):
    """Strategy for merging two pillars; `merge_lists` joins lists instead of replacing them."""

    strategy: str = "recurse"
    merge_lists: bool = False

    @classmethod
    def from_opts(cls, opts: Mapping[str, Any]) -> Merging:
        """Return the strategy of the settings; `smart` is `aggregate` with the renderer yamlex."""
        strategy = str(opts.get("pillar_source_merging_strategy") or "smart")
        if strategy == "smart":
            renderer = str(opts.get("renderer") or "")
            is_yamlex = renderer.split("|")[-1] == "yamlex" or renderer.startswith("yamlex_")
            strategy = "aggregate" if is_yamlex else "recurse"
        return cls(strategy, bool(opts.get("pillar_merge_lists", False)))

    def merge(self, base: Mapping[str, Any], over: Mapping[str, Any], *, copies: bool = True) -> PillarDict:
        """Return `base` with `over` merged into it; neither is changed.

        Without `copies`, parts of `over` may become parts of the result.
        """
        if self.strategy == "overwrite":
            return {**base, **copy.deepcopy(dict(over))}
        if self.strategy == "aggregate":
            return _aggregate(base, over)
        if self.strategy == "list":
            # As in stock, keys that are missing in the base are dropped; an empty base thus stays empty.
            return {key: [value, over[key]] if key in over else value for key, value in base.items()}
        is_known = self.strategy in ("recurse", "none")
        if not is_known:
            log.warning("unknown pillar_source_merging_strategy %r, merging recursively", self.strategy)
        merge_lists = self.merge_lists and is_known
        merged: PillarDict = merge_recursive(base, over, merge_lists=merge_lists, copies=copies)
        return merged


def _aggregate(base: Mapping[str, Any], over: Mapping[str, Any]) -> PillarDict:
    """Return a mapping with the keys of both; values of one key are aggregated if yamlex marked them."""
    from salt_g.render import yamlex  # Imported lazily: only this strategy needs the YAML nodes.

    both = {key: yamlex.merge(base[key], value) for key, value in over.items() if key in base}
    return {**base, **over, **both}
