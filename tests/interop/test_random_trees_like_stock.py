"""Random SLS trees give the same results under stock Salt and under salt-g.

A tree has some thirty states in up to four files that include each other, with every kind of requisite,
names, orders, conditions and an extension. `SALT_G_TREES` says how many trees are tried,
`SALT_G_TREE_SEED` which is the first: a failure names its seed.
"""

import json
import os
import random

import pytest
from support.differences import differences

KINDS = ["require"] * 4 + ["watch"] * 3 + ["onchanges"] * 2 + ["onfail"] * 2
KINDS += ["require_any", "watch_any", "onchanges_any", "onfail_any", "onfail_all", "listen"]
MIRRORED = ["require_in"] * 3 + ["watch_in"] * 2 + ["onchanges_in", "onfail_in", "listen_in", "use_in"]
FUNCTIONS = ["nop"] * 3 + ["succeed_with_changes"] * 4 + ["succeed_without_changes"]
FUNCTIONS += ["fail_without_changes", "fail_with_changes", "configurable_test_state", "show_notification"]
ARGUMENTS = {
    "configurable_test_state": [
        {"changes": True, "result": False},
        {"changes": False, "comment": "two\nlines"},
    ],
    "show_notification": [{"text": "yes: no"}],
}
#: (how often, argument, its values)
EXTRAS = [
    (0.1, "order", [1, 2, 20000, "first", "last", -1, -5, 10003]),
    (0.03, "failhard", [True, False]),
    (0.06, "onlyif", ["true", "false", ["true", "false"], [{"fun": "test.true"}]]),
    (0.06, "unless", ["true", "false", ["false", "true"], [{"fun": "test.false"}]]),
    (0.04, "check_cmd", ["true", "false"]),
    (0.03, "creates", ["/", "/nothing/there", ["/", "/nothing/there"]]),
    (0.03, "umask", ["022"]),
    (0.03, "no_log", [True]),
]
FILES = ["t", "t.a", "t.b", "t.sub"]
FIRST = int(os.environ.get("SALT_G_TREE_SEED") or 1)


class RandomTree:
    """States by ID, each [function, arguments], in the order in which they are written."""

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.states = {}
        for number in range(self.dice.randrange(8, 40)):
            state_id = self.dice.choice([f"s{number}", f"state {number}", f"z{99 - number}"])
            self.states[state_id] = self._state(number)
        self.ids = list(self.states)
        for place, state_id in enumerate(self.ids):
            self._link(place, self.states[state_id][1])
            for often, argument, values in EXTRAS:
                if self.dice.random() < often:
                    self.states[state_id][1].append({argument: self.dice.choice(values)})
            self.dice.shuffle(self.states[state_id][1])

    def _state(self, number):
        function = self.dice.choice(FUNCTIONS)
        arguments = [{key: value} for key, value in self.dice.choice(ARGUMENTS.get(function, [{}])).items()]
        if self.dice.random() < 0.15:
            names = [f"n{number}.{at}" for at in range(self.dice.randrange(1, 4))]
            arguments.append({"names": [names[0], *({name: [{"order": 5}]} for name in names[1:])]})
        elif self.dice.random() < 0.2:
            arguments.append({"name": f"name {number}"})
        return [function, arguments]

    def _link(self, place, arguments):
        """Let a state wait for earlier ones, and later ones for it, so that there is hardly a circle."""
        while self.dice.random() < 0.4 and self.ids[:place]:
            wanted = [self._reference(self.ids[:place][-12:]) for _ in range(self.dice.choice([1, 1, 2]))]
            arguments.append({self.dice.choice(KINDS): wanted})
        if self.dice.random() < 0.3 and self.ids[place + 1 :]:
            kind = self.dice.choice(MIRRORED)
            arguments.append({kind: [{"test": self.dice.choice(self.ids[place + 1 : place + 9])}]})
        elif self.dice.random() < 0.05 and self.ids[place + 1 :]:
            arguments.append({"prereq": [{"test": self.dice.choice(self.ids[place + 1 : place + 9])}]})

    def _reference(self, among):
        state_id = self.dice.choice(among)
        return {"test": f"{state_id[:-1]}?" if self.dice.random() < 0.02 else state_id}

    def write(self, directory):
        """Write the files; `t` includes the others."""
        names = FILES[: self.dice.randrange(1, len(FILES) + 1)]
        share = -(-len(self.ids) // len(names))
        for at, name in enumerate(names):
            ids = self.ids[at * share : (at + 1) * share]
            data = {one: {f"test.{self.states[one][0]}": self.states[one][1]} for one in ids}
            if at == 0 and names[1:]:
                data = {"include": names[1:], "extend": self._extension(), **data}
            path = directory / "states" / (name.replace(".", "/") + ("/init.sls" if name == "t" else ".sls"))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("#!yaml\n" + json.dumps(data, indent=1))

    def _extension(self):
        place = self.dice.randrange(1, len(self.ids))
        wanted = {"test": self.dice.choice(self.ids[:place])}
        return {self.ids[place]: {"test": [{"require": [wanted]}, {"order": self.dice.choice([1, "last"])}]}}


def comparable(result):
    """Return a result without what is told of circles, of which stock may find another one."""
    returned = result.get("return")
    if isinstance(returned, list) and str(returned[0]).startswith("Recursive requisites"):
        return "a circle"
    return [result, list(returned) if isinstance(returned, dict) else None]


@pytest.mark.parametrize("seed", range(FIRST, FIRST + int(os.environ.get("SALT_G_TREES") or 4)))
def test_random_tree_gives_the_results_of_stock(seed, twins, tmp_path):
    RandomTree(seed).write(tmp_path / "tree")
    machines = twins(tmp_path / "tree")

    for words in (["state.apply", "t", "test=True"], ["state.apply", "t"]):
        stock, ours = map(comparable, machines.run(*words))
        assert not list(differences(stock, ours)), f"seed {seed}: {' '.join(words)}"
