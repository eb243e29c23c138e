"""Stock's `salt.utils.master`: the master's data about its minions, for runners and engines."""

import fnmatch
from collections.abc import Mapping
from typing import Any

from salt_g import api
from salt_g.services.daemons import MasterServices


class MasterPillarUtil:
    """Grains, pillar and mine of the minions of a target.

    Pillar is compiled on each call without `use_cached_pillar`, or if none is cached and `pillar_fallback` is
    true. Grains are always those that the minions last sent.
    """

    def __init__(
        self,
        tgt: Any = "",
        tgt_type: str = "glob",
        saltenv: str | None = None,
        use_cached_grains: bool = True,
        use_cached_pillar: bool = True,
        grains_fallback: bool = True,
        pillar_fallback: bool = True,
        opts: Any = None,
    ) -> None:
        self.tgt, self.tgt_type, self.saltenv = tgt, tgt_type, saltenv
        self.use_cached_pillar, self.pillar_fallback = use_cached_pillar, pillar_fallback

    def get_minion_grains(self) -> dict[str, dict[str, Any]]:
        """Return {minion: grains}; the grains are {} for a minion that never sent any."""
        return {id: dict(self._known(id)[0]) for id in self._ids()}

    def get_minion_pillar(self) -> dict[str, dict[str, Any]]:
        """Return {minion: pillar}."""
        return {id: self._pillar(id) for id in self._ids()}

    def get_cached_mine_data(self) -> dict[str, dict[str, Any]]:
        """Return {minion: {function: value}} of the mine."""
        banks = api.services(MasterServices).banks
        return {id: dict(banks.fetch("mine", id) or {}) for id in self._ids()}

    def clear_cached_minion_data(
        self,
        clear_pillar: bool = False,
        clear_grains: bool = False,
        clear_mine: bool = False,
        clear_mine_func: str | None = None,
    ) -> bool:
        """Delete the master's cached data about the minions; return whether anything was deleted."""
        runners = api.current().table("runners")
        wanted = {"cache.clear_pillar": clear_pillar, "cache.clear_grains": clear_grains}
        wanted["cache.clear_mine"] = clear_mine
        done = [runners[name](self.tgt, self.tgt_type) for name, is_wanted in wanted.items() if is_wanted]
        if clear_mine_func is not None:
            done.append(runners["cache.clear_mine_func"](self.tgt, self.tgt_type, clear_mine_func))
        return any(done)

    def _ids(self) -> list[str]:
        if not self.tgt:
            return []
        return list(api.services(MasterServices).targets.resolve(self.tgt, self.tgt_type).minions)

    def _known(self, id: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        known = api.services(MasterServices).minion_data.get(id)
        return (known[0] or {}, known[1] or {}) if known else ({}, {})

    def _pillar(self, id: str) -> dict[str, Any]:
        grains, kept = self._known(id)
        if self.use_cached_pillar and (kept or not self.pillar_fallback):
            return dict(kept)
        pillars = api.services(MasterServices).minion_pillars
        return dict(pillars.compile_for(id, dict(grains), saltenv=self.saltenv or "base", pillarenv=None))


def get_values_of_matching_keys(pattern_dict: Mapping[str, Any], user_name: str) -> list[Any]:
    """Return the items of all lists whose keys, which are globs, match a user."""
    return [
        value
        for pattern, values in pattern_dict.items()
        if fnmatch.fnmatchcase(user_name, pattern)
        for value in values
    ]


__all__ = ["MasterPillarUtil", "get_values_of_matching_keys"]
