"""Decide whether one minion is meant by a target, for every target type.

Why its own file: `matches` is asked by top files, pillar tops, the `match` functions, and
masters for whole fleets; so it takes values and returns a bool, and asks nobody else.
Errors: TargetError for a target type that does not exist. A target that is merely malformed
matches nobody and is logged.
"""

from __future__ import annotations

from typing import Any

from salt_g.errors import TargetError
from salt_g.match import compound, single
from salt_g.match.minion import Minion
from salt_g.nested import DELIMITER

__all__ = ["TYPES", "Minion", "matches"]

#: All target types.
TYPES = single.TYPES | {"compound", "nodegroup"}


def matches(tgt: Any, tgt_type: str, minion: Minion, *, delimiter: str = DELIMITER) -> bool:
    """Return whether `minion` is meant by `tgt`; raises TargetError for an unknown type."""
    if tgt_type == "compound":
        return compound.match_compound(tgt, minion)
    if tgt_type == "nodegroup":
        return compound.match_nodegroup(str(tgt), minion)
    if tgt_type not in TYPES:
        raise TargetError(f"target type {tgt_type!r} does not exist; there are: {', '.join(sorted(TYPES))}")
    return single.match_single(tgt, tgt_type, minion, delimiter=delimiter)
