"""Verdicts on a run of a random tree: same, described, stock's hash seeds, stock fails, or different.

Stock takes from sets in whatever order their hashes give. A run that differs is therefore given to processes
of stock with other hash seeds: if one of them gives our answer, the difference is stock's own freedom.
"""

import copy
import dataclasses
import json
from typing import Any

from support.differences import differences
from support.random_trees import comparable
from support.tree_shrinking import shrunk

#: Hash seeds of stock's that are tried after 0.
HASH_SEEDS = range(1, 7)


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What one run of a tree shows; `found` are the differences: (path, stock, ours)."""

    name: str
    found: list[Any] = dataclasses.field(default_factory=list)


def plain_verdict(tree, stock, ours):
    """Return the verdict on two answers without their times, asking nobody."""
    if stock == ours and list(stock) == list(ours):
        return Verdict("same")
    if isinstance(stock, dict) and "exception" in stock:
        return Verdict("stock fails")
    found = list(differences(comparable(tree, stock), comparable(tree, ours)))
    if not found:
        return Verdict("same")
    if tree.asks_again:
        return Verdict("described: conditions that call functions", found)
    if tree.uses_several:
        return Verdict("described: several used", found)
    return Verdict("different", found)


class Judge:
    """Verdicts that ask stock again; `make_twins(hash_seed)` starts twins when they are needed first."""

    def __init__(self, twins, make_twins):
        self._twins = twins
        self._make = make_twins
        self._others = {}

    def verdict(self, tree, is_test, stock, ours):
        """Return the verdict on the answers to one run of a tree."""
        stock, ours = self._twins.steady([stock, ours])
        plain = plain_verdict(tree, stock, ours)
        if plain.name != "different":
            return plain
        if self._equals_another(tree, is_test, ours):
            return Verdict("stock's hash seeds", plain.found)
        if tree.is_cut_by_chance(stock, ours):
            return Verdict("described: cut by failhard", plain.found)
        return plain

    def _equals_another(self, tree, is_test, ours):
        for seed in HASH_SEEDS:
            if seed not in self._others:
                self._others[seed] = self._make(seed)
            other = self._others[seed]
            ((stock, _),) = other.run_all([(tree.files, tree.settings, is_test)])
            (stock,) = other.steady([stock])
            if plain_verdict(tree, stock, ours).name == "same":
                return True
        return False

    def shrunk(self, tree, is_test):
        """Return a smaller tree with a difference that no hash seed explains."""

        def differ(candidates):
            trees = [_with(tree, files) for files in candidates]
            answers = self._twins.run_all([(one.files, one.settings, is_test) for one in trees])
            for one, (stock, ours) in zip(trees, answers, strict=True):
                yield self.verdict(one, is_test, stock, ours).name == "different"

        return _with(tree, shrunk(tree.files, differ))


def _with(tree, files):
    made = copy.copy(tree)
    made.files = json.loads(json.dumps(files))
    return made
