"""Stock's `salt.pillar`: newly compiled pillar, for this or another minion."""

from collections.abc import Mapping
from typing import Any

from salt_g.local_call import pillar_compiler
from salt_g.shapes import PillarDict


class Pillar:
    """Deferred compilation of pillar; returned by stock's `get_pillar`."""

    def __init__(
        self, opts: Mapping[str, Any], grains: Mapping[str, Any], options: Mapping[str, Any]
    ) -> None:
        self._opts = opts
        self._grains = grains
        self._options = options

    def compile_pillar(self, ext: bool = True) -> PillarDict:
        """Return the pillar; without `ext` external pillars are omitted."""
        opts = dict(self._opts) if ext else {**self._opts, "ext_pillar": []}
        return pillar_compiler(opts, self._grains).compile(**self._options)


def get_pillar(
    opts: Mapping[str, Any],
    grains: Mapping[str, Any],
    minion_id: str,
    saltenv: str | None = None,
    ext: Mapping[str, Any] | None = None,
    funcs: Any = None,
    pillar_override: Mapping[str, Any] | None = None,
    pillarenv: str | None = None,
    extra_minion_data: Mapping[str, Any] | None = None,
) -> Pillar:
    """Return the deferred pillar of the minion `minion_id` with these grains."""
    options = {"saltenv": saltenv, "pillarenv": pillarenv, "override": pillar_override, "ext": ext}
    return Pillar({**opts, "id": minion_id}, grains, {**options, "earlier": {}})


__all__ = ["Pillar", "get_pillar"]
