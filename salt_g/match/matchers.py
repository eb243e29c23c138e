"""Matching of minions and resources against targets of every type.

Top files, pillar tops, the `match` functions and masters with whole fleets call `matches`, so it works
on values and looks up nothing itself. Masters and minions match resources by the same rule, whose
table is in `resource.py`: a target selects from the union of all minions and all resources, each on its own.
A minion builds `Resource(type, id, this_minion, grains, settings)` for each of its resources and calls the
same function.
Errors: TargetError for a target type that does not exist. A malformed target matches nothing and is logged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.data.nested import DELIMITER
from salt_g.errors import TargetError
from salt_g.match import compound, single
from salt_g.match.compound import Member, Part
from salt_g.match.minion_view import MinionView
from salt_g.match.resource import Resource

__all__ = ["TYPES", "Member", "MinionView", "Resource", "matches", "parse_target"]

#: All target types.
TYPES = single.TYPES | {"compound", "nodegroup"}


def matches(tgt: Any, tgt_type: str, member: Member, *, delimiter: str = DELIMITER) -> bool:
    """Return whether a minion or a resource matches `tgt`; raise TargetError for an unknown type."""
    if tgt_type == "compound":
        return compound.match_compound(tgt, member)
    if tgt_type == "nodegroup":
        return compound.match_nodegroup(str(tgt), member)
    return parse_target(tgt, tgt_type, nodegroups={}, delimiter=delimiter).matches(member, False)


def parse_target(
    tgt: Any, tgt_type: str, *, nodegroups: Mapping[str, Any], delimiter: str = DELIMITER
) -> Part:
    """Parse a target once, to match many members with `part.matches(member, False)`.

    Raise TargetError for an unknown type or an unusable delimiter.
    """
    if tgt_type in ("compound", "nodegroup"):
        return compound.parsed(tgt if tgt_type == "compound" else [f"N@{tgt}"], nodegroups)
    if tgt_type not in TYPES:
        raise TargetError(f"target type {tgt_type!r} does not exist; valid types: {', '.join(sorted(TYPES))}")
    check_delimiter(delimiter)
    return compound.single_part(tgt, tgt_type, delimiter)


def check_delimiter(delimiter: str) -> None:
    """Raise TargetError for an unusable delimiter."""
    if not isinstance(delimiter, str) or not delimiter:
        raise TargetError(
            f"the delimiter of a target is {delimiter!r}, but must be text such as {DELIMITER!r}"
        )
