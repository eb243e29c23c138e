"""Resolution of targets in permissions to minion ids.

Data that a minion controls (grains, its own data) must not add the minion to a permission or remove it from
one. So, unlike in the target of a job, targets that use such data match nothing.
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
    """Resolver of targets in permissions."""

    def __init__(self, nodegroups: Mapping[str, Any], resolve: Resolve) -> None:
        """Initialize; `resolve` uses accepted keys and cached data, without unknown minions unless greedy."""
        self._nodegroups = nodegroups
        self._resolve = resolve
        self._logged: set[str] = set()

    def ids(self, target: str) -> frozenset[str]:
        """Return the ids that a target matches."""
        try:
            kinds = kinds_of(target, "compound", self._nodegroups)
            if problem := mistrust(kinds):
                self._log_once(target, problem)
                return frozenset()
            return self._resolve(target, "compound", not kinds & OF_PILLAR)
        except TargetError as exc:
            self._log_once(target, f"cannot be evaluated: {exc}")
            return frozenset()

    def _log_once(self, target: str, problem: str) -> None:
        if target not in self._logged:
            self._logged.add(target)
            log.error("permission target %r matches no minion: it %s", target, problem)


def kinds_of(target: Any, tgt_type: str, nodegroups: Mapping[str, Any]) -> frozenset[str]:
    """Return the target types in a target, with nodegroups expanded; raises TargetError."""
    kinds: set[str] = set()
    for kind, pattern in criteria(target, tgt_type):
        if kind == "nodegroup":
            kinds |= kinds_of(expand_nodegroup(pattern, nodegroups), "compound", nodegroups)
        else:
            kinds.add(kind)
    return frozenset(kinds)


def mistrust(kinds: frozenset[str]) -> str:
    """Return why a target with these types cannot grant rights, or '' if it can."""
    if kinds & SAID_BY_MINIONS:
        return "depends on grains or data, which minions control themselves"
    unknown = sorted(kinds - OF_IDS - OF_PILLAR)
    return f"has criteria that grant no rights ({', '.join(unknown)})" if unknown else ""
