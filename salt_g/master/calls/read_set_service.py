"""Service of calls on a master that keeps what state runs read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from salt_g.shapes import Opts

if TYPE_CHECKING:
    from salt_g.cache.store import Store


def read_set_service(opts: Opts, store: Store) -> dict[str, Any]:
    """Return {"read_sets": the index}, {} for a master that keeps none."""
    if not opts["impact"]:
        return {}
    from salt_g.cache.read_sets import ReadSets  # Imported lazily: few masters have it.

    return {"read_sets": ReadSets(store)}
