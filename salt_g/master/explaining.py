"""Say of each minion why a target means it, or does not, and how old the data is that this rests on.

Why its own file: it joins what only the master has: accepted keys, cached data and its age.
Shapes: {id: {matched, terms: [{term, matched, compared, value, age, note}]}}; `age` in seconds, None
when there is no data.
Errors: TargetError for a target that is malformed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.cache.banks import Banks
from salt_g.master.expected import Expected
from salt_g.match.explain import Finding, Term, finding_of, terms_of
from salt_g.match.minion import Minion
from salt_g.nested import DELIMITER

NO_KEY = "no minion of this id has an accepted key"
NO_DATA = "the master has no data of this minion: it counts as meant and decides itself"
NO_VALUE = "there is no such value"


class Explaining:
    """Explains targets over the minions of one master; implements `fleet.Explaining`."""

    def __init__(
        self,
        expected: Expected,
        banks: Banks,
        *,
        nodegroups: Mapping[str, Any],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._expected = expected
        self._banks = banks
        self._nodegroups = nodegroups
        self._clock = clock

    def explain(
        self, tgt: Any, tgt_type: str = "glob", *, delimiter: str = DELIMITER
    ) -> dict[str, dict[str, Any]]:
        """Return what the target finds at each minion with an accepted key, and at ids that it names."""
        terms = terms_of(tgt, tgt_type, delimiter=delimiter, nodegroups=self._nodegroups)
        meant = self._expected.resolve(tgt, tgt_type, delimiter=delimiter)
        chosen = set(meant.minions)
        found = {
            id: {"matched": id in chosen, "terms": [self._told(term, id) for term in terms]}
            for id in self._expected.resolve("*").minions
        }
        nobody = {"matched": False, "terms": [], "note": NO_KEY}
        return {**found, **{id: dict(nobody) for id in meant.missing}}

    def is_meant(self, tgt: Any, id: str) -> bool:
        """Return whether a compound target certainly means a minion: by known data, whole pillar values."""
        minion = self._expected.minion(id, greedy=False)
        if minion is None or id not in self._expected.resolve("*").minions:
            return False
        from salt_g.match.matchers import matches

        return matches(tgt, "compound", minion._replace(exact_pillar=True))

    def _told(self, term: Term, id: str) -> dict[str, Any]:
        minion = self._expected.minion(id)
        assert minion is not None  # a greedy question always has an answer
        finding = finding_of(term, minion)
        told: dict[str, Any] = {"term": term.word, "matched": finding.matched, "compared": finding.compared}
        if finding.is_there:
            told["value"] = finding.value
        if term.part:
            told["age"] = self._age(term.part, id)
            note = _note(finding, minion)
            return {**told, "note": note} if note else told
        return told

    def _age(self, part: str, id: str) -> float | None:
        """Return for how many seconds the data is as it is, None when there is none."""
        updated = self._banks.updated(part, id)
        return None if updated is None else max(0.0, self._clock() - updated)


def _note(finding: Finding, minion: Minion) -> str:
    if minion.is_unknown:
        return NO_DATA
    return "" if finding.is_there else NO_VALUE
