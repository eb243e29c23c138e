"""One round of the night of plans: a machine with a random tree, random states, and a plan of them."""

import dataclasses
import json
import shutil

import yaml
from stand_ins import MODULES, StandIns

from tests.support.file_trees import plant, random_states, snapshot

#: What is altered between plan and application.
ALTERED = ("SLS", "source", "pillar", "target", "package", "user", "service")
#: Requisites that a random state may have of an earlier one.
REQUISITES = ("require", "require_any", "onchanges", "onchanges_any", "watch", "onfail", "prereq")
#: States of what is altered; where `all_run` they have no requisites that could keep them from running.
ALTERABLE = ("own", "package", "user", "service")
#: Share of states that have one.
REQUIRING = 0.3


@dataclasses.dataclass(frozen=True)
class Seen:
    """Contents of a machine: the tree, and packages, users and services."""

    tree: dict
    others: dict

    @property
    def reversible(self):
        """Parts that undo restores."""
        return self.tree, self.others["service"]


class Round:
    """Random states on a machine, which keeps the caches of earlier rounds."""

    def __init__(self, machine, rng, *, all_run):
        self.rng = rng
        self.machine = machine
        self.tree = machine.root / "tree"
        shutil.rmtree(self.tree, ignore_errors=True)
        shutil.rmtree(machine.root / "cache" / "undo", ignore_errors=True)
        self.tree.mkdir()
        plant(self.tree, rng)
        self.own = self.tree / "own"
        self.own.write_text("old\n")
        self.file = machine.root / "t.plan"
        self.others = StandIns(machine.root / "others", rng)
        self.states = self._states(all_run)
        machine.write({"t.sls": yaml.safe_dump(self.states, sort_keys=False), "src": "new\n"})
        machine.write({"p.sls": "one: 1\n"}, below=machine.pillar)

    def _states(self, all_run):
        managed = {"file.managed": [{"name": str(self.own)}, {"source": "salt://src"}]}
        states = {"own": managed, **random_states(self.tree, self.rng), **self.others.states()}
        ids = list(states)
        self.rng.shuffle(ids)
        for number, id in enumerate(ids):
            if self.rng.random() < REQUIRING and number and not (all_run and id in ALTERABLE):
                other = self.rng.choice(ids[:number])
                module = next(iter(states[other])).partition(".")[0]
                arguments = next(iter(states[id].values()))
                kind = self.rng.choice(REQUISITES)
                # What is to be altered does not run if the state before it fails, which is no alteration.
                kind = "require" if kind == "prereq" and all_run and other in ALTERABLE else kind
                arguments.append({kind: [{module: other}]})
        return {id: states[id] for id in ids}

    def save(self):
        """Make the plan."""
        self.file.unlink(missing_ok=True)
        return self.machine("state.apply", "t", "test=True", "--save", str(self.file), as_json=False)

    def apply(self, *, kill_at=0):
        """Apply the plan; kill the call before its n-th change."""
        self.machine.kill_at = kill_at
        return self.machine("state.apply_plan", str(self.file))

    def undo(self, *words):
        """Undo the newest run that is not undone."""
        return self.machine("state.undo", "last", *words)

    def run(self):
        """Run the states without a plan."""
        return self.machine("state.apply", "t")

    def seen(self):
        """Return the contents of the machine."""
        return Seen(snapshot(self.tree), self.others.read())

    def planned(self):
        """Return the ids of the states with planned changes, and of those that depend on others."""
        chunks = json.loads(self.file.read_text())["document"]["chunks"]
        changing = {chunk["id"] for chunk in chunks if chunk["verdict"] == "change"}
        return changing, {chunk["id"] for chunk in chunks if chunk.get("after")}

    def alter(self, what):
        """Change one thing on which the plan depends."""
        if what in ("package", "user", "service"):
            self.others.alter(what)
            return
        path = {
            "SLS": self.machine.states / "t.sls",
            "source": self.machine.states / "src",
            "pillar": self.machine.pillar / "p.sls",
            "target": self.own,
        }[what]
        path.write_text(path.read_text() + ("two: 2\n" if what == "pillar" else "# more\n"))


def prepare(machine):
    """Write the files that all rounds on a machine share."""
    providers = {kind: f"night_{kind}" for kind in ("pkg", "user", "service")}
    machine.settings.update(stand_ins=str(machine.root / "others"), state_undo=True, providers=providers)
    machine.write({**MODULES, "many/one": "1\n", "many/deep/two": "2\n"})
    machine.write({"top.sls": "base: {'*': [p]}"}, below=machine.pillar)
    (machine.root / "others").write_text('{"pkg": {}, "user": {}, "service": {}}')
    machine("saltutil.sync_modules")
