"""Plans of random states: applied, invalidated by one change, killed while they are applied; then undone.

States share paths, depend on each other, and some fail. Targets: a plan is refused, and nothing touched, when
an SLS, source, pillar, file, package, user or service was altered. An unaltered plan runs to its end, changes
only what it lists, and has the same result as the states without a plan. Undo restores files and services,
also after a kill before any change of a file. Some of the rounds go through a master and its minion.
"""

import collections
import dataclasses
import pathlib
import random
import tempfile
import time

from house import House
from measurements import Report
from plan_rounds import ALTERED, Round, prepare
from served_machine import ServedMachine
from warm_machine import WarmMachine

#: Rounds between two lines of progress.
OFTEN = 50
#: Kinds of rounds, with their frequencies.
KINDS = ("altered", "altered", "applied", "applied", "killed", "killed")
#: Latest change before which a call is killed.
KILLED = 40
#: Part of the comment of a state that ends a run.
MORE = "more than planned"
#: Reason of `state.undo` for a path that a killed run was changing.
CUT = "the job ended while it changed this"


@dataclasses.dataclass(frozen=True)
class Plan:
    """Number of rounds, of those through a master besides, the first seed, and the longest time (s)."""

    rounds: int = 500
    served: int = 50
    seed: int = 1
    seconds: float = 3600.0


class Night:
    """Rounds on one machine, and their outcomes."""

    def __init__(self, machine, say):
        self._machine = machine
        self._say = say
        self.rounds = 0
        self.counts = collections.Counter()
        self.seconds = 0.0

    def run(self, rounds, seed, deadline):
        """Run this many rounds, fewer if time runs out (monotonic clock)."""
        began = time.monotonic()
        for number in range(seed, seed + rounds):
            if time.monotonic() > deadline:
                break
            self.round(number)
            if self.rounds % OFTEN == 0:
                counts = self.counts
                self._say(f"{self.rounds} rounds, {counts['applied']} applied, {counts['kills']} killed")
        self.seconds = time.monotonic() - began

    def round(self, seed):
        """Run one round."""
        rng = random.Random(seed)
        kind = rng.choice(KINDS)
        one = Round(self._machine, rng, all_run=kind == "altered")
        before = one.seen()
        one.save()
        self.counts[kind] += 1
        self._check(one.seen() == before, seed, "the test run changed something")
        {"altered": self._altered, "applied": self._applied, "killed": self._killed}[kind](one, seed, before)
        self.rounds += 1

    def _altered(self, one, seed, before):
        what = one.rng.choice(ALTERED)
        one.alter(what)
        altered = one.seen()
        refused = one.apply().value
        is_refused = isinstance(refused, str) and "not applied" in refused
        self.counts[f"refused {what}"] += is_refused
        self._check(is_refused, seed, f"applied in spite of another {what}")
        self._check(one.seen() == altered, seed, f"touched before the refusal, another {what}")

    def _applied(self, one, seed, before):
        done = one.apply()
        if not self._check(isinstance(done.value, dict), seed, "refused without a change", done.value):
            return
        planned, depending = one.planned()
        changed = {id for id, (_, _, changes) in done.states.items() if changes}
        ended = {id: comment for id, (_, comment, _) in done.states.items() if MORE in comment}
        failed = {id for id, (result, _, _) in done.states.items() if result is False} - set(ended)
        self.counts["depending"] += bool(depending)
        self._check(changed <= planned, seed, "changed beyond the plan", sorted(changed - planned))
        after = one.seen()
        self._undone(one, seed, before)
        if ended and failed & (planned - depending):
            # What depends on a state that failed, and was planned to do something else, is not as planned.
            self.counts["ended after a failure"] += 1
            return
        self._check(not ended, seed, "ended early", ended)
        one.others.write(before.others)
        plain = one.run()
        results = [{id: ret[0] for id, ret in run.states.items()} for run in (done, plain)]
        differing = [
            (id, ret, results[1].get(id)) for id, ret in results[0].items() if ret != results[1].get(id)
        ]
        is_same = one.seen() == after and not differing
        self._check(is_same, seed, "otherwise than without a plan", differing)

    def _killed(self, one, seed, before):
        killed = one.apply(kill_at=one.rng.randint(1, KILLED))
        self.counts["kills"] += killed.code == -9
        if one.seen().reversible == before.reversible:
            return
        undone = one.undo().value
        cut = [path for path, why in undone["left"].items() if why == CUT]
        self.counts["cut"] += bool(cut)
        # Of a run that was not killed nothing is left, see `_undone`.
        self._check(killed.code == -9 or not undone["left"], seed, "left without a kill", undone["left"])
        if undone["left"]:
            undone = one.undo("force=True").value
        is_back = one.seen().reversible == before.reversible
        self._check(is_back, seed, "not undone after a kill", undone)

    def _undone(self, one, seed, before):
        if one.seen().reversible != before.reversible:
            undone = one.undo().value
            self._check(one.seen().reversible == before.reversible, seed, "not undone", undone)

    def _check(self, is_good, seed, problem, *more):
        if not is_good:
            self.counts[problem] += 1
            self._say(f"seed {seed}: {problem} {' '.join(map(str, more))[:600]}")
        return is_good


def run(plan, say):
    """Run the night and return its Report."""
    deadline = time.monotonic() + plan.seconds
    with tempfile.TemporaryDirectory(prefix="sg-") as root:
        machine = WarmMachine(pathlib.Path(root))
        prepare(machine)
        night = Night(machine, say)
        night.run(plan.rounds, plan.seed, deadline)
    with House() as house:
        machine = ServedMachine(house)
        prepare(machine)
        served = Night(machine, say)
        say("through a master")
        served.run(plan.served, plan.seed + plan.rounds, deadline)
    report = Report("plans", rounds=night.rounds, seed=plan.seed)
    _add_figures(report, night.counts + served.counts)
    report.add("seconds for a round", night.seconds / max(1, night.rounds), "s")
    report.add("rounds through a master", served.rounds)
    report.add("of those applied", served.counts["applied"])
    report.add("of those killed", served.counts["kills"])
    report.add("of those refused", sum(served.counts[f"refused {what}"] for what in ALTERED))
    report.add("seconds for a round through a master", served.seconds / max(1, served.rounds), "s")
    return report


def _add_figures(report, counts):
    report.add("plans applied to the end", counts["applied"] - counts["ended early"])
    report.add("of those ended by a state after another had failed", counts["ended after a failure"])
    report.add("of those with states known after others", counts["depending"])
    for what in ("refused without a change", "ended early", "changed beyond the plan"):
        report.add(what, counts[what], wanted=("==", 0))
    report.add("otherwise than without a plan", counts["otherwise than without a plan"], wanted=("==", 0))
    report.add("the test run changed something", counts["the test run changed something"], wanted=("==", 0))
    report.add("not undone", counts["not undone"], wanted=("==", 0))
    report.add("applications killed", counts["kills"])
    report.add("of those in a change that wants force", counts["cut"])
    for what in ("left without a kill", "not undone after a kill"):
        report.add(what, counts[what], wanted=("==", 0))
    for what in ALTERED:
        report.add(f"refused, another {what}", counts[f"refused {what}"])
        for problem in ("applied in spite of", "touched before the refusal,"):
            report.add(f"{problem} another {what}", counts[f"{problem} another {what}"], wanted=("==", 0))
