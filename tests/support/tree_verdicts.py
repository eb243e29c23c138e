"""Verdicts on a run of a random tree: same, described, order of sets, stock fails, or different.

Stock takes from sets in the order of their hashes. A run that differs is therefore repeated by stock with
sets in insertion order, in reverse, and in random orders: a result of ours that it then gives is within
stock's own variation.
"""

from __future__ import annotations

import copy
import dataclasses
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tests.support.differences import differences
from tests.support.random_trees import RandomTree, comparable
from tests.support.tree_shrinking import Files, shrunk

if TYPE_CHECKING:
    from tests.support.batch_twins import BatchTwins

#: Orders of stock's sets that are tried.
ORDERS = ("written", "reversed", *"123456")


@dataclasses.dataclass(frozen=True)
class Verdict:
    """Verdict on one run of a tree; `found` are the differences: (path, stock, ours)."""

    name: str
    found: list[Any] = dataclasses.field(default_factory=list)


def plain_verdict(tree: RandomTree, stock: Any, ours: Any) -> Verdict:
    """Return the verdict on two results without times, without another run."""
    if stock == ours and list(stock) == list(ours):
        return Verdict("same")
    if isinstance(stock, dict) and "exception" in stock:
        return Verdict("stock fails")
    found = list(differences(comparable(tree, stock), comparable(tree, ours)))
    return Verdict("different", found) if found else Verdict("same")


class Judge:
    """Verdicts that may need further runs of stock."""

    def __init__(self, twins: BatchTwins) -> None:
        self._twins = twins

    def verdict(self, tree: RandomTree, is_test: bool, stock: Any, ours: Any) -> Verdict:
        """Return the verdict on the results of one run of a tree."""
        stock, ours = self._twins.steady([stock, ours])
        plain = plain_verdict(tree, stock, ours)
        if plain.name != "different":
            return plain
        answers = [stock]
        for sets in ORDERS:
            answers.append(self._twins.stock(tree.files, tree.settings, is_test, sets=sets))
            if plain_verdict(tree, answers[-1], ours).name == "same":
                return Verdict("order of stock's sets", plain.found)
        if any(goes_on_after_failhard(tree, answer, ours) for answer in answers):
            return Verdict("described: stock goes on after failhard", plain.found)
        # These look at the tree alone, so what is more precise comes first.
        if tree.asks_again:
            return Verdict("described: conditions that call functions", plain.found)
        if tree.uses_several:
            return Verdict("described: several used", plain.found)
        return plain

    def shrunk(self, tree: RandomTree, is_test: bool) -> RandomTree:
        """Return a smaller tree with a difference that no order explains."""

        def differ(candidates: list[Files]) -> Iterator[bool]:
            trees = [_with(tree, files) for files in candidates]
            answers = self._twins.run_all([(one.files, one.settings, is_test) for one in trees])
            for one, (stock, ours) in zip(trees, answers, strict=True):
                yield self.verdict(one, is_test, stock, ours).name == "different"

        return _with(tree, shrunk(tree.files, differ))


def goes_on_after_failhard(tree: RandomTree, stock: Any, ours: Any) -> bool:
    """Return whether stock continues after a failhard stop with states that already wait for a group.

    Everything before that is equal; we stop at once. Listeners run for more states then; states that have
    begun to wait get from stock what their group would have done.
    """
    if not (tree.has_groups and isinstance(stock, dict) and isinstance(ours, dict)):
        return False
    longer, shorter = (_states(comparable(tree, one)[0]) for one in (stock, ours))
    return longer[: len(shorter)] == shorter and bool(shorter) and shorter[-1][1]["result"] is False


def _states(results: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [(tag, one) for tag, one in results.items() if "_|-listener_" not in tag]


def _with(tree: RandomTree, files: Files) -> RandomTree:
    made = copy.copy(tree)
    made.files = json.loads(json.dumps(files))
    return made
