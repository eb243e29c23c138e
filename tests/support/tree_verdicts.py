"""Verdicts on a run of a random tree: same, described, order of sets, stock fails, or different.

Stock takes from sets in whatever order their hashes give. A run that differs is therefore run by stock again
with sets in the order in which things are written, in the opposite one, and in others by chance: an answer of
ours that it gives then is stock's own freedom.
"""

import copy
import dataclasses
import json
from typing import Any

from support.differences import differences
from support.random_trees import comparable
from support.tree_shrinking import shrunk

#: Orders of stock's sets that are tried.
ORDERS = ("written", "reversed", *"123456")


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
    """Verdicts that ask stock again."""

    def __init__(self, twins):
        self._twins = twins

    def verdict(self, tree, is_test, stock, ours):
        """Return the verdict on the answers to one run of a tree."""
        stock, ours = self._twins.steady([stock, ours])
        plain = plain_verdict(tree, stock, ours)
        if plain.name != "different":
            return plain
        for sets in ORDERS:
            another = self._twins.stock(tree.files, tree.settings, is_test, sets=sets)
            if plain_verdict(tree, another, ours).name == "same":
                return Verdict("order of stock's sets", plain.found)
        if tree.is_cut_by_chance(stock, ours) or all(_is_of_cut_listener(one, ours) for one in plain.found):
            return Verdict("described: cut by failhard", plain.found)
        return plain

    def shrunk(self, tree, is_test):
        """Return a smaller tree with a difference that no order explains."""

        def differ(candidates):
            trees = [_with(tree, files) for files in candidates]
            answers = self._twins.run_all([(one.files, one.settings, is_test) for one in trees])
            for one, (stock, ours) in zip(trees, answers, strict=True):
                yield self.verdict(one, is_test, stock, ours).name == "different"

        return _with(tree, shrunk(tree.files, differ))


def _is_of_cut_listener(difference, ours):
    """Whether the listener of a state differs that did not run, because a run was stopped before."""
    path = difference[0]
    tag = next((tag for tag in ours if tag in path), "") if isinstance(ours, dict) else ""
    module, _, rest = tag.partition("_|-listener_")
    return bool(rest) and not any(
        one.startswith(f"{module}_|-{rest.rpartition('_|-')[0]}_|-") for one in ours
    )


def _with(tree, files):
    made = copy.copy(tree)
    made.files = json.loads(json.dumps(files))
    return made
