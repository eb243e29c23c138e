"""Pillar that the top file assigns to one resource directly.

A resource already has its minion's pillar, so only targets that match the resource by its own id, name, type,
grains or settings count here. Plain globs for all minions (`*`) or some (`web*`) apply through its minion;
external pillars are called for minions only.
Source: resources specification, section 2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from salt_g.errors import TargetError
from salt_g.match.compound import Member
from salt_g.match.matchers import Resource, matches
from salt_g.match.resource import is_glob
from salt_g.pillar.top import Tops, TopTarget
from salt_g.shapes import PillarDict

#: Function that compiles the pillar of a resource from the given targets.
Compile = Callable[[Resource, Tops], PillarDict]


def own_pillar(tops: Tops, resource: Resource, make: Compile) -> Mapping[str, Any]:
    """Return the pillar of a resource, or {} when no top file target matches it."""
    named = tops_for(tops, resource)
    return make(resource, named) if named else {}


def tops_for(tops: Tops, resource: Resource) -> Tops:
    """Return the top file targets that match a resource."""
    found: Tops = {}
    for saltenv, targets in tops.items():
        meant = {name: target for name, target in targets.items() if _matches_directly(target, resource)}
        if meant:
            found[saltenv] = meant
    return found


def _matches_directly(target: TopTarget, resource: Resource) -> bool:
    if _is_plain_glob(target):
        # The minion's id is emptied, because whatever a glob assigns to minions is their own pillar.
        resource = resource._replace(minion=resource.minion._replace(id=""))
        if target.tgt.strip("*") == "":
            return False
    return _matches(target, resource)


def _is_plain_glob(target: TopTarget) -> bool:
    """Return whether a target is a single glob pattern for ids."""
    words = target.tgt.split()
    is_word = target.tgt_type == "compound" and len(words) == 1 and "@" not in words[0]
    return (is_word or target.tgt_type == "glob") and is_glob(target.tgt)


def _matches(target: TopTarget, member: Member) -> bool:
    try:
        return matches(target.tgt, target.tgt_type, member)
    except TargetError:
        # Already logged when the minion's pillar was compiled with the same top file.
        return False
