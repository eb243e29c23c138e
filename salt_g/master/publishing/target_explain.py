"""Explanation of why a target matches, or does not match, a minion or resource, with the age of the data.

Combines data that only the master has: accepted keys, cached data and its age.
Shapes: {id: {matched, terms: [{term, matched, compared, value, age, note}]}}; `age` in seconds, None without
data.
Errors: TargetError for a malformed target.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

from salt_g.cache.banks import Banks
from salt_g.data.nested import DELIMITER
from salt_g.master.publishing.target_resolution import TargetResolution
from salt_g.master.resources.registry import Record
from salt_g.match.explain import Term, TermFinding, finding_of, finding_of_resource, terms_of
from salt_g.match.minion_view import MinionView
from salt_g.process.offload import yield_to_hub
from salt_g.shapes.loads import ExplainedMatch, ExplainedTerm

NO_KEY = "no minion with this id has an accepted key"
NO_DATA = "the master has no data of this minion: the target is assumed to match, and the minion decides"
NO_VALUE = "there is no such value"
#: Types of criteria that the id alone answers.
_BY_ID = {"glob", "pcre", "list"}
#: Maximum number of resources explained; matching ones come first.
MOST_RESOURCES = 1000
#: Minions examined between two yields to other greenlets: some 5 ms.
_SLICE = 50


class TargetExplain:
    """Explanation of targets over the minions of one master; implements `services.daemons.TargetExplain`."""

    def __init__(
        self,
        expected: TargetResolution,
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
    ) -> dict[str, ExplainedMatch]:
        """Return the result for each minion with an accepted key, resources, and named ids without a key."""
        terms = self._terms(tgt, tgt_type, delimiter)
        resolved = self._expected.resolve_all(tgt, tgt_type, delimiter=delimiter)
        chosen = set(resolved.minions)
        found: dict[str, ExplainedMatch] = {}
        for number, id in enumerate(self._expected.resolve("*").minions, 1):
            found[id] = {"matched": id in chosen, "terms": [self._explained(term, id) for term in terms]}
            if number % _SLICE == 0:
                yield_to_hub()
        found.update(self._of_resources(terms, resolved.resources))
        for id in resolved.missing:
            found[id] = {"matched": False, "terms": [], "note": NO_KEY}
        return found

    def _terms(self, tgt: Any, tgt_type: str = "compound", delimiter: str = DELIMITER) -> list[Term]:
        return terms_of(tgt, tgt_type, delimiter=delimiter, nodegroups=self._nodegroups)

    def _of_resources(self, terms: list[Term], resolved: Mapping[str, Record]) -> dict[str, ExplainedMatch]:
        """Return the results of the terms for resources.

        Terms about minions apply to the managing minions where the target is about resources.
        """
        managed = any(term.tgt_type in ("resource", "managing_minion") for term in terms)
        everybody = self._expected.resolve_all("*").resources
        others = (name for name in everybody if name not in resolved)
        found: dict[str, ExplainedMatch] = {}
        for name in islice((*resolved, *others), MOST_RESOURCES):
            resource = self._expected.resource(everybody.get(name) or resolved[name])
            explained = [
                _as_map(term, finding_of_resource(term, resource, managed=managed)) for term in terms
            ]
            found[name] = {"matched": name in resolved, "terms": explained}
        return found

    def matches(self, tgt: Any, id: str) -> bool:
        """Return whether a compound target certainly matches a minion: by known data and exact pillar values.

        A minion without data matches only if the target uses nothing but its id.
        """
        asks_for_ids = {term.tgt_type for term in self._terms(tgt)} <= _BY_ID
        minion = self._expected.minion(id, greedy=asks_for_ids)
        if minion is None or id not in self._expected.resolve("*").minions:
            return False
        from salt_g.match.matchers import matches

        return matches(tgt, "compound", minion._replace(exact_pillar=True))

    def _explained(self, term: Term, id: str) -> ExplainedTerm:
        minion = self._expected.minion(id)
        assert minion is not None  # a greedy match always has a result
        finding = finding_of(term, minion)
        found = _as_map(term, finding)
        if term.part:
            found["age"] = self._age(term.part, id)
            note = _note(finding, minion)
            return {**found, "note": note} if note else found
        return found

    def _age(self, part: str, id: str) -> float | None:
        """Return the age of the data in seconds, or None without data."""
        updated = self._banks.updated(part, id)
        return None if updated is None else max(0.0, self._clock() - updated)


def _as_map(term: Term, finding: TermFinding) -> ExplainedTerm:
    found: ExplainedTerm = {"term": term.word, "matched": finding.matched, "compared": finding.compared}
    return {**found, "value": finding.value} if finding.is_there else found


def _note(finding: TermFinding, minion: MinionView) -> str:
    if minion.is_unknown:
        return NO_DATA
    return "" if finding.is_there else NO_VALUE
