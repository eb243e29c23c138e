"""Which minions the target of a permission stands for.

Why its own file: a target in a permission is judged otherwise than that of a job. What a minion
chooses by itself (grains, its own data) must not bring it into somebody's permission or take it
out of one, so targets that look at those stand for nobody.
Shapes: targets are compound expressions; the result is a set of ids.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.errors import TargetError
from salt_g.match.nodegroups import expand_nodegroup
from salt_g.wire.compound_words import OF_IDS, OF_PILLAR, SAID_BY_MINIONS, criteria

log = logging.getLogger(__name__)

#: Resolves a target: (tgt, tgt_type, greedy) to ids.
Resolve = Callable[[str, str, bool], frozenset[str]]


class PermissionTargets:
    """Resolves the targets of permissions."""

    def __init__(self, nodegroups: Mapping[str, Any], resolve: Resolve) -> None:
        """`resolve` looks at accepted keys and cached data; not greedy, it leaves out unknown minions."""
        self._nodegroups = nodegroups
        self._resolve = resolve
        self._told: set[str] = set()

    def ids(self, target: str) -> frozenset[str]:
        """Return the ids that a target stands for."""
        try:
            kinds = kinds_of(target, "compound", self._nodegroups)
            if problem := mistrust(kinds):
                self._tell(target, problem)
                return frozenset()
            return self._resolve(target, "compound", not kinds & OF_PILLAR)
        except TargetError as exc:
            self._tell(target, str(exc))
            return frozenset()

    def _tell(self, target: str, problem: str) -> None:
        if target not in self._told:
            self._told.add(target)
            log.error("permission target %r stands for nobody: it %s", target, problem)


def kinds_of(target: Any, tgt_type: str, nodegroups: Mapping[str, Any]) -> frozenset[str]:
    """Return the target types that stand in a target, nodegroups expanded; raises TargetError."""
    kinds: set[str] = set()
    for kind, pattern in criteria(target, tgt_type):
        if kind == "nodegroup":
            kinds |= kinds_of(expand_nodegroup(pattern, nodegroups), "compound", nodegroups)
        else:
            kinds.add(kind)
    return frozenset(kinds)


def mistrust(kinds: frozenset[str]) -> str:
    """Return why a target of these types gives nobody a right, '' when it may."""
    if kinds & SAID_BY_MINIONS:
        return "looks at grains or data, which minions choose by themselves"
    unknown = sorted(kinds - OF_IDS - OF_PILLAR)
    return f"has criteria that give no rights ({', '.join(unknown)})" if unknown else ""
