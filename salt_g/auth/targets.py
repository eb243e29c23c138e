"""Which minions the target of a permission stands for.

Why its own file: a target in a permission is judged otherwise than that of a job. What a minion
chooses by itself (grains, its own data) must not bring it into somebody's permission or take it
out of one, so targets that look at those stand for nobody.
Shapes: targets are compound expressions; the result is a set of ids.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.errors import TargetError
from salt_g.match.nodegroups import expand_nodegroup

log = logging.getLogger(__name__)

#: The letter of a compound word, perhaps a delimiter, and the rest.
_ENGINE = re.compile(r"([A-Z])[^@\w]?@(.*)\Z", re.S)
#: Letters of compound words that look at what a minion says of itself.
_SAID_BY_MINIONS = frozenset("GPSD")
#: Letters that look at pillar, which the master made.
_PILLAR = frozenset("IJ")

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
            letters = self._letters(target)
            if letters & _SAID_BY_MINIONS:
                self._tell(target, "looks at grains or data, which minions choose by themselves")
                return frozenset()
            return self._resolve(target, "compound", not letters & _PILLAR)
        except TargetError as exc:
            self._tell(target, str(exc))
            return frozenset()

    def _letters(self, target: str) -> set[str]:
        """Return the letters of the words of a compound expression, nodegroups expanded."""
        letters = set()
        for word in target.replace("(", " ").replace(")", " ").split():
            engine = _ENGINE.match(word)
            if engine is None:
                continue
            if engine[1] == "N":
                letters |= self._letters(" ".join(expand_nodegroup(engine[2], self._nodegroups)))
            letters.add(engine[1])
        return letters

    def _tell(self, target: str, problem: str) -> None:
        if target not in self._told:
            self._told.add(target)
            log.error("permission target %r stands for nobody: it %s", target, problem)
