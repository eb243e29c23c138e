"""Plans of random trees: made, sometimes made wrong by one change, applied, undone.

Targets: an altered SLS, source, pillar or file is refused, nothing touched; without one, nothing changes
that the plan does not list, and undo leaves the tree as it was.
"""

import dataclasses
import json
import pathlib
import random
import tempfile
import time

import yaml
from figures import Report
from support.commands import Machine
from support.file_trees import plant, random_states, snapshot

#: What is altered between plan and application.
ALTERED = ("SLS", "source", "pillar", "target")
#: Rounds between two lines of progress.
OFTEN = 50


@dataclasses.dataclass(frozen=True)
class Plan:
    """Number of rounds, the first seed, and the longest time (s)."""

    rounds: int = 500
    seed: int = 1
    seconds: float = 3600.0


class Counts:
    """What happened in the rounds."""

    def __init__(self):
        self.rounds = self.applied = self.ended = self.beyond = self.not_undone = 0
        self.refused = dict.fromkeys(ALTERED, 0)
        self.accepted = dict.fromkeys(ALTERED, 0)
        self.touched = dict.fromkeys(ALTERED, 0)


def run(plan, say):
    """Run the night and return its Report."""
    counts, began = Counts(), time.monotonic()
    for seed in range(plan.seed, plan.seed + plan.rounds):
        if time.monotonic() - began > plan.seconds:
            break
        with tempfile.TemporaryDirectory(prefix="sg-") as root:
            _round(Round(pathlib.Path(root), random.Random(seed)), counts, seed, say)
        counts.rounds += 1
        if counts.rounds % OFTEN == 0:
            say(f"{counts.rounds} rounds, {counts.applied} applied, {counts.ended} ended early")
    return _report(plan, counts, time.monotonic() - began)


class Round:
    """One machine with a random tree and random states, and a plan of them."""

    def __init__(self, root, rng):
        self.rng = rng
        self.machine = Machine(root)
        self.tree = root / "tree"
        self.tree.mkdir()
        plant(self.tree, rng)
        self.own = self.tree / "own"
        self.own.write_text("old\n")
        self.file = root / "t.plan"
        states = random_states(self.tree, rng)
        managed = {"file.managed": [{"name": str(self.own)}, {"source": "salt://src"}]}
        texts = {"t.sls": yaml.safe_dump({"own": managed, **states}, sort_keys=False), "src": "new\n"}
        self.machine.write({**texts, "many/one": "1\n", "many/deep/two": "2\n"})
        self.machine.write({"top.sls": "base: {'*': [p]}", "p.sls": "one: 1\n"}, below=self.machine.pillar)

    def save(self):
        """Make the plan."""
        return self.machine("state.apply", "t", "test=True", "--save", str(self.file), as_json=False)

    def apply(self):
        """Apply the plan."""
        return self.machine("state.apply_plan", str(self.file), state_undo=True)

    def alter(self, what):
        """Change one thing that the plan rests on."""
        path = {
            "SLS": self.machine.states / "t.sls",
            "source": self.machine.states / "src",
            "pillar": self.machine.pillar / "p.sls",
            "target": self.own,
        }[what]
        path.write_text(path.read_text() + ("two: 2\n" if what == "pillar" else "# more\n"))


def _round(one, counts, seed, say):
    altered = one.rng.choice([*ALTERED, None, None])
    before = snapshot(one.tree)
    one.save()
    if snapshot(one.tree) != before:
        raise AssertionError(f"seed {seed}: the test run changed the tree")
    if altered is not None:
        one.alter(altered)
        before = snapshot(one.tree)
    done = one.apply()
    if altered is not None:
        is_refused = isinstance(done.value, str) and "not applied" in done.value
        counts.refused[altered] += is_refused
        counts.accepted[altered] += not is_refused
        counts.touched[altered] += snapshot(one.tree) != before
        if not is_refused:
            say(f"seed {seed}: applied in spite of another {altered}")
        return
    listed = json.loads(one.file.read_text())["document"]["chunks"]
    allowed = {chunk["id"] for chunk in listed if chunk["verdict"] == "change"}
    changed = {id for id, (_, _, changes) in done.states.items() if changes}
    ended = any("more than planned" in comment for _, comment, _ in done.states.values())
    counts.ended += ended
    counts.applied += not ended
    if not changed <= allowed:
        counts.beyond += 1
        say(f"seed {seed}: changed beyond the plan: {sorted(changed - allowed)}")
    if snapshot(one.tree) != before:
        one.machine("state.undo", "last", state_undo=True)
        counts.not_undone += snapshot(one.tree) != before


def _report(plan, counts, seconds):
    report = Report("plans", rounds=counts.rounds, seed=plan.seed)
    report.add("plans applied to the end", counts.applied)
    report.add("plans ended early", counts.ended)
    report.add("changes beyond the plan", counts.beyond, wanted=("==", 0))
    report.add("trees that undo left otherwise", counts.not_undone, wanted=("==", 0))
    for what in ALTERED:
        report.add(f"refused, another {what}", counts.refused[what])
        report.add(f"applied in spite of another {what}", counts.accepted[what], wanted=("==", 0))
        report.add(f"touched before the refusal, another {what}", counts.touched[what], wanted=("==", 0))
    report.add("seconds for a round", seconds / max(1, counts.rounds), "s")
    return report
