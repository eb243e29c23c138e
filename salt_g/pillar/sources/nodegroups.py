"""External pillar `nodegroups`: names of the minion's nodegroups."""

from __future__ import annotations

from salt_g.match.matchers import MinionView, matches
from salt_g.match.service import this_minion
from salt_g.shapes import PillarDict


def nodegroups(minion_id: str, pillar: PillarDict, pillar_name: str | None = None) -> PillarDict:
    """Return {pillar_name: [nodegroup, ...]}; the name is `nodegroups` by default."""
    return {pillar_name or "nodegroups": groups_of(this_minion(minion_id))}


def groups_of(minion: MinionView) -> list[str]:
    """Return the nodegroups of a minion, in the order of the settings."""
    return [name for name in minion.nodegroups if matches(name, "nodegroup", minion)]
