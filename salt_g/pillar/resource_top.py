"""Pillar for one resource: what the top file gives to it, and not only to its minion.

Why its own file: a resource has its minion's pillar already, so of a top file counts for it what means the
resource by itself, by its id, name, type, grains or settings. What a plain glob gives to everybody (`*`) or
to minions (`web*`) the resource has through its minion; external pillars are asked for minions alone.
Source: resources specification, section 2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from salt_g.errors import TargetError
from salt_g.match.compound import Member
from salt_g.match.matchers import Resource, matches
from salt_g.match.resource import is_glob
from salt_g.pillar.top import Target, Tops

#: Compiles (for a resource, from these targets).
Compile = Callable[[Resource, Tops], dict[str, Any]]


def own_pillar(tops: Tops, resource: Resource, make: Compile) -> Mapping[str, Any]:
    """Return the pillar of a resource, {} when no target of the top file means it."""
    named = tops_for(tops, resource)
    return make(resource, named) if named else {}


def tops_for(tops: Tops, resource: Resource) -> Tops:
    """Return the targets of a top file that mean a resource."""
    found: Tops = {}
    for saltenv, targets in tops.items():
        meant = {name: target for name, target in targets.items() if _means(target, resource)}
        if meant:
            found[saltenv] = meant
    return found


def _means(target: Target, resource: Resource) -> bool:
    if _is_plain_glob(target):
        # Under a minion without a name: what the glob says of minions is these minions' pillar.
        resource = resource._replace(minion=resource.minion._replace(id=""))
        if target.tgt.strip("*") == "":
            return False
    return _matches(target, resource)


def _is_plain_glob(target: Target) -> bool:
    """Return whether a target is one word that is compared with ids."""
    words = target.tgt.split()
    is_word = target.tgt_type == "compound" and len(words) == 1 and "@" not in words[0]
    return (is_word or target.tgt_type == "glob") and is_glob(target.tgt)


def _matches(target: Target, member: Member) -> bool:
    try:
        return matches(target.tgt, target.tgt_type, member)
    except TargetError:
        # Told with the pillar of the minion, whose top file it is.
        return False
