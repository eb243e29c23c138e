"""Random trees of each kind under stock Salt and under salt-g, in test mode and for real.

Stock is loaded once and runs a batch while we run the same; trees never touch a disk (`batch_twins.py`).
What differs is judged (`tree_verdicts.py`), made small (`tree_shrinking.py`), and printed with kind and seed.
Every so often a tree is also run from files, by whole runs of both. Targets: no difference that is neither
described nor stock's own freedom, and the same results from files.
"""

import collections
import contextlib
import dataclasses
import json
import logging
import pathlib
import tempfile
import time

from measurements import Report

from tests.support.batch_twins import BatchTwins
from tests.support.random_trees import KINDS, RandomTree
from tests.support.state_twins import StateTwins
from tests.support.tree_verdicts import Judge, plain_verdict

#: Trees that are sent to stock at once.
BATCH = 100
#: Trees of a kind between two that are also run from files.
SAMPLE = 250
#: Differences of a kind that are made small.
SHRUNK = 5


@dataclasses.dataclass(frozen=True)
class Plan:
    """Directory of stock's programs; kinds, number of trees of each, first seed, and the longest time (s)."""

    stock_bin: pathlib.Path
    kinds: tuple[str, ...] = tuple(KINDS)
    trees: int = 10_000
    seed: int = 1_000_000
    seconds: float = 7200.0


class Night:
    """Trees of all kinds, and the verdicts on them."""

    def __init__(self, plan, twins, from_files, say):
        self._plan = plan
        self._twins = twins
        self._from_files = from_files
        self._judge = Judge(twins)
        self._say = say
        self._ends = time.monotonic() + plan.seconds
        #: {kind: {verdict: number of trees}}
        self.counts = {kind: collections.Counter() for kind in plan.kinds}
        #: {kind: differences that were made small}
        self.shrunk = collections.Counter()
        self.seconds = 0.0
        self.sampled = self.otherwise = 0

    @property
    def trees(self):
        """Number of trees."""
        return sum(counts.total() for counts in self.counts.values())

    def run(self):
        """Run all kinds."""
        began = time.monotonic()
        for kind in self._plan.kinds:
            self._run_kind(kind)
            self.seconds = time.monotonic() - began
            self._say(f"{kind}: {_listed(self.counts[kind])}; {self.trees / self.seconds:.1f} trees a second")

    def _run_kind(self, kind):
        first, end = self._plan.seed, self._plan.seed + self._plan.trees
        for start in range(first, end, BATCH):
            if time.monotonic() > self._ends:
                return
            trees = {seed: RandomTree(kind, seed) for seed in range(start, min(start + BATCH, end))}
            runs = [(seed, is_test) for seed in trees for is_test in (True, False)]
            requests = [(trees[seed].files, trees[seed].settings, is_test) for seed, is_test in runs]
            verdicts = {}
            for (seed, is_test), answers in zip(runs, self._twins.run_all(requests), strict=True):
                verdict = self._judge.verdict(trees[seed], is_test, *answers)
                # Of the two runs of a tree, the worse one counts.
                if verdict.name != "same" and verdicts.get(seed) != "different":
                    verdicts[seed] = verdict.name
                if verdict.name == "different":
                    self._show(kind, seed, trees[seed], is_test, verdict)
            self.counts[kind].update(verdicts.get(seed, "same") for seed in trees)
            for seed in trees:
                if (seed - first) % SAMPLE == 0:
                    self._sample(kind, seed, trees[seed])

    def _show(self, kind, seed, tree, is_test, verdict):
        """Print a difference, and the smallest tree that shows it."""
        self._say(f"{kind}, seed {seed}, test={is_test}: {verdict.found[:4]}"[:2000])
        if self.shrunk[kind] < SHRUNK:
            small = self._judge.shrunk(tree, is_test)
            self.shrunk[kind] += 1
            self._say(f"{kind}, seed {seed}, settings {tree.settings}: {json.dumps(small.files)}")

    def _sample(self, kind, seed, tree):
        """Run a tree from files by the usual ways of both programs; all four results must be equal."""
        tree.write(self._from_files.states)
        for is_test in (True, False):
            usual = [*self._from_files.run(tree, is_test=is_test)]
            ((stock, ours),) = self._twins.run_all([(tree.files, tree.settings, is_test)])
            fast = self._twins.steady([stock, ours])
            is_same = all(plain_verdict(tree, *pair).name == "same" for pair in zip(usual, fast, strict=True))
            self.sampled += 1
            self.otherwise += not is_same
            if not is_same:
                self._say(f"{kind}, seed {seed}, test={is_test}: otherwise from files")


def _listed(counts):
    return ", ".join(f"{name} {number}" for name, number in sorted(counts.items()))


def run(plan, say):
    """Run the night and return its Report."""
    # Most of the trees have errors, and each is logged.
    logging.disable()
    with contextlib.ExitStack() as stack:
        root = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sg-")))

        def twins(kind, name):
            (root / name).mkdir()
            return stack.enter_context(kind(root / name, plan.stock_bin))

        fast, usual = twins(BatchTwins, "fast"), twins(StateTwins, "usual")
        night = Night(plan, fast, usual, say)
        night.run()
    return _report(plan, night)


def _report(plan, night):
    report = Report("trees", trees=night.trees, kinds=len(plan.kinds), seed=plan.seed)
    for kind, counts in night.counts.items():
        for name in sorted(counts):
            report.add(f"{kind}: {name}", counts[name], wanted=("==", 0) if name == "different" else None)
        report.add(f"{kind}: made small", night.shrunk[kind])
    report.add("runs from files too", night.sampled)
    report.add("otherwise from files", night.otherwise, wanted=("==", 0))
    report.add("trees a second", night.trees / max(night.seconds, 0.001))
    return report
