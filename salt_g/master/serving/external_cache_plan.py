"""Comparison of a bank in the master's store with the same bank in an external cache.

Shapes: times of the last writes (s since 1970), by minion id; `seen` has the times of the external cache at
the last comparison. Clocks of two machines are compared only for ids that were never compared before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

#: {minion id: time of the last write of its data}
Stamps = Mapping[str, int]


class CopyPlan(NamedTuple):
    """Ids to copy from the external cache, to copy there, and to remove here."""

    imports: list[str]
    exports: list[str]
    removals: list[str]


def compare(ours: Stamps, theirs: Stamps, seen: Stamps, *, is_intact: bool) -> CopyPlan:
    """Return the copies to make; without `is_intact` the cache has lost its data, so nothing is removed."""
    plan = CopyPlan([], [], [])
    for id, stamp in theirs.items():
        if id in seen:
            if stamp != seen[id]:
                plan.imports.append(id)
        elif id not in ours or stamp > ours[id]:
            plan.imports.append(id)
        elif stamp < ours[id]:
            plan.exports.append(id)
    for id in ours:
        if id not in theirs:
            (plan.removals if is_intact and id in seen else plan.exports).append(id)
    return plan
