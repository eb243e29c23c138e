"""Random SLS trees, to be run by stock Salt and by salt-g.

Shapes: a tree is `files` ({SLS name: data}; `t` includes the others) and `settings` of its runs. States refer
to earlier ones and are referred to by later ones, so that circles are rare.
"""

from __future__ import annotations

import json
import pathlib
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

#: A state by its ID, or its preview: (ID, "preview").
Step = str | tuple[str, str]
#: Arguments of a state, as they are written.
Arguments = list[dict[str, Any]]

REQUIRING = ["require"] * 4 + ["watch"] * 3 + ["onchanges"] * 2 + ["onfail"] * 2
REQUIRING += ["require_any", "watch_any", "onchanges_any", "onfail_any", "onfail_all", "listen"]
MIRRORED = ["require_in"] * 3 + ["watch_in"] * 2 + ["onchanges_in", "onfail_in", "listen_in", "use_in"]
TESTS = ["test.nop"] * 3 + ["test.succeed_with_changes"] * 4 + ["test.succeed_without_changes"]
TESTS += ["test.fail_without_changes", "test.fail_with_changes"]
TESTS += ["test.configurable_test_state", "test.show_notification"]
CHANGING = ["test.succeed_with_changes"] * 5 + ["test.nop", "test.fail_without_changes"]
FAILING = [*TESTS, "test.fail_without_changes", "test.fail_with_changes"]
JOINED = ["joined.installed"] * 6 + ["joined.removed", "other.installed", "other.installed"]
JOINED += ["test.succeed_with_changes", "test.nop", "test.fail_without_changes"]
#: Arguments that a function needs or likes, one of them is taken.
ARGUMENTS: dict[str, list[dict[str, Any]]] = {
    "test.configurable_test_state": [
        {"changes": True, "result": False},
        {"changes": False, "comment": "two\nlines"},
        {"changes": True, "result": True},
    ],
    "test.show_notification": [{"text": "yes: no"}],
    "joined.installed": [{}] * 6 + [{"fails": True}, {"pkgs": ["one", "two"]}],
    "other.installed": [{}] * 4 + [{"fails": True}],
}
ORDERS = [1, 2, 7, 20000, "first", "last", -1, -5, 10003, 0, 2.5]
#: (how often, argument, its values)
EXTRAS = [
    (0.1, "order", ORDERS),
    (0.03, "failhard", [True, False]),
    (0.02, "onlyif", ["false", [{"fun": "test.true"}]]),
    (0.02, "unless", ["true", [{"fun": "test.false"}]]),
    (0.03, "creates", ["/", "/nothing/there", ["/", "/nothing/there"]]),
    (0.03, "umask", ["022"]),
    (0.03, "no_log", [True]),
]
CONDITIONS = [
    (0.2, "onlyif", ["true", "false", ["true", "false"], [{"fun": "test.true"}], [{"fun": "test.false"}]]),
    (0.2, "unless", ["true", "false", ["false", "true"], [{"fun": "test.false"}]]),
    (0.2, "check_cmd", ["true", "false", ["true", "false"]]),
    (0.2, "creates", ["/", "/nothing/there", ["/", "/nothing/there"]]),
    (0.15, "retry", [{"attempts": 2, "interval": 0}, {"attempts": 3, "interval": 0, "until": False}]),
]
FILES = ["t", "t.a", "t.b", "t.sub"]


class Kind(NamedTuple):
    """Mixture of a kind of trees: probabilities from 0 to 1, and choices."""

    functions: list[Any] = TESTS
    #: Requisites on earlier states, on later ones, and how often.
    requiring: list[Any] = REQUIRING
    mirrored: list[Any] = MIRRORED
    often: float = 0.4
    mirrored_often: float = 0.3
    #: How often a state has a `prereq` of a later one, a `prereq_in` of an earlier one.
    prereq: float = 0.04
    prereq_in: float = 0.0
    names: float = 0.15
    #: How often an ID has states of two modules.
    pairs: float = 0.0
    extras: list[Any] = EXTRAS
    settings: list[Any] = [{}]
    #: How many extensions and exclusions there are at most; references to whole files.
    extensions: int = 1
    exclusions: int = 0
    whole_files: float = 0.0
    #: States from, to.
    size: tuple[int, int] = (8, 40)


KINDS = {
    "requisites": Kind(),
    "prereq": Kind(prereq=0.2, prereq_in=0.2, extras=[(0.3, "order", ORDERS)], often=0.3, functions=CHANGING),
    "listen": Kind(
        requiring=[*REQUIRING, *["listen"] * 12],
        mirrored=[*MIRRORED, *["listen_in"] * 12],
        prereq_in=0.15,
        functions=CHANGING,
        pairs=0.1,
    ),
    "failhard": Kind(
        functions=FAILING,
        settings=[{}, {"failhard": True}],
        extras=[(0.3, "failhard", [True, False]), (0.2, "order", ORDERS), (0.1, "onlyif", ["false"])],
        prereq=0.1,
        prereq_in=0.1,
    ),
    "aggregate": Kind(
        functions=JOINED,
        often=0.3,
        mirrored_often=0.2,
        prereq=0.0,
        pairs=0.1,
        extras=[
            (0.2, "aggregate", [True, True, False, ["joined"]]),
            (0.15, "order", ORDERS),
            (0.05, "failhard", [True]),
            (0.05, "onlyif", ["false"]),
        ],
        settings=[{"state_aggregate": True}, {"state_aggregate": ["joined"]}, {}],
    ),
    "extend": Kind(
        mirrored=[*MIRRORED, *["use_in"] * 4],
        requiring=[*REQUIRING, *["use"] * 5],
        extensions=6,
        exclusions=3,
        whole_files=0.08,
        pairs=0.15,
        prereq_in=0.04,
    ),
    "names": Kind(names=0.5, pairs=0.2, extras=[(0.4, "order", ORDERS)], prereq_in=0.04),
    "conditions": Kind(extras=CONDITIONS, size=(3, 9), prereq=0.1),
}


class Waits:
    """Dependencies between states, without most circles; `(id, "preview")` is the preview of a state."""

    def __init__(self) -> None:
        self._needs: dict[Step, list[Step]] = {}

    def may_need(self, own: str, others: Sequence[str]) -> bool:
        """Record that a state needs others, unless that closes a cycle."""
        return self._add({own: others, (own, "preview"): others})

    def may_preview(self, own: str, target: str) -> bool:
        """Record that a state has a `prereq` of another, unless that closes a cycle."""
        preview = (target, "preview")
        return self._add({own: [preview], (own, "preview"): [preview], target: [own]})

    def _add(self, needs: Mapping[Step, Sequence[Step]]) -> bool:
        if any(start == one or start in self._reached(one) for start, ends in needs.items() for one in ends):
            return False
        for start, ends in needs.items():
            self._needs.setdefault(start, []).extend(ends)
        return True

    def _reached(self, start: Step) -> set[Step]:
        seen: set[Step] = set()
        way = [start]
        while way:
            for one in self._needs.get(way.pop(), ()):
                if one not in seen:
                    seen.add(one)
                    way.append(one)
        return seen


class RandomTree:
    """States by ID, each {module: [function, arguments]}, in the order in which they are written."""

    def __init__(self, kind: str, seed: int) -> None:
        self.kind = KINDS[kind]
        self.dice = random.Random(f"{kind} {seed}")
        self.settings: dict[str, Any] = self.dice.choice(self.kind.settings)
        self.states: dict[str, dict[str, Any]] = {}
        for number in range(self.dice.randrange(*self.kind.size)):
            state_id = self.dice.choice([f"s{number}", f"state {number}", f"z{99 - number}"])
            self.states[state_id] = self._modules(number)
        self.ids = list(self.states)
        self.owners: dict[str, str] = {}
        self.waits = Waits()
        self.excluded = self.dice.sample(self.ids, self.dice.randint(0, self.kind.exclusions))
        self.names = FILES[: self.dice.randrange(1, len(FILES) + 1)]
        self.share = -(-len(self.ids) // len(self.names))
        for place, state_id in enumerate(self.ids):
            for module in self.states[state_id]:
                self._complete(place, self.states[state_id][module][1])
        self.files = {name: self._file(at, name) for at, name in enumerate(self.names)}

    @property
    def has_groups(self) -> bool:
        """Whether states may be aggregated."""
        is_wanted = re.search(r'"aggregate": (true|\[)', json.dumps(self.files))
        return "state_aggregate" in self.settings or is_wanted is not None

    @property
    def asks_again(self) -> bool:
        """Whether conditions call functions and may be evaluated again; stock takes them as met then."""
        text = json.dumps(self.files)
        return '"fun"' in text and any(word in text for word in ('"retry"', '"prereq', '"listen'))

    @property
    def uses_several(self) -> bool:
        """Whether a state uses several others; stock also writes what they require into the first of them."""
        users = [state_id for state_id, one in self._arguments() for _ in one.get("use", ())]
        users += [self._meant(one) for _, argument in self._arguments() for one in argument.get("use_in", ())]
        return len(users) > len(set(users))

    def is_cut_by_chance(self, stock: Any, ours: Any) -> bool:
        """Return whether a group's order, chance in stock, decides what runs before a failhard stop."""
        return self.has_groups and '"failhard": true' in json.dumps(self.files) and set(stock) != set(ours)

    def _arguments(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield (ID, argument) of each state in the files."""
        for data in self.files.values():
            for state_id, modules in data.items():
                if state_id not in ("include", "extend", "exclude"):
                    for arguments in modules.values():
                        yield from ((state_id, argument) for argument in arguments)

    def write(self, directory: pathlib.Path) -> None:
        """Write the files of the tree into a directory, and remove those of another tree."""
        for name in FILES:
            path = directory / (name.replace(".", "/") + ("/init.sls" if name == "t" else ".sls"))
            path.parent.mkdir(parents=True, exist_ok=True)
            if name in self.files:
                path.write_text("#!yaml\n" + json.dumps(self.files[name], indent=1))
            else:
                path.unlink(missing_ok=True)

    def _modules(self, number: int) -> dict[str, Any]:
        """Return the states of an ID."""
        chosen = [self.dice.choice(self.kind.functions)]
        if self.dice.random() < self.kind.pairs:
            chosen.append(self.dice.choice(JOINED))
        made: dict[str, Any] = {}
        for one in chosen:
            module, _, function = one.partition(".")
            likes = self.dice.choice(ARGUMENTS.get(one, [{}]))
            made[module] = [function, [{key: value} for key, value in likes.items()] + self._named(number)]
        return made

    def _named(self, number: int) -> Arguments:
        if self.dice.random() < self.kind.names:
            names = [f"n{number}.{at}" for at in range(self.dice.randrange(1, 4))]
            overrides = [[{"order": 5}], [{"order": "last"}], [{"failhard": True}], [{"require": []}]]
            rest = [self.dice.choice([name, name, {name: self.dice.choice(overrides)}]) for name in names[1:]]
            return [{"names": [names[0], *rest]}]
        return [{"name": f"name {number}"}] if self.dice.random() < 0.2 else []

    def _complete(self, place: int, arguments: Arguments) -> None:
        """Add requisites and further arguments to a state."""
        self._link(place, arguments)
        for often, argument, values in self.kind.extras:
            if self.dice.random() < often:
                arguments.append({argument: self.dice.choice(values)})
        self.dice.shuffle(arguments)

    def _link(self, place: int, arguments: Arguments) -> None:
        """Make a state wait for earlier ones, and later ones for it, rarely with a cycle."""
        own = self.ids[place]
        earlier, later = self._near(self.ids[max(0, place - 12) : place]), self._near(self.ids[place + 1 :])
        while self.dice.random() < self.kind.often and earlier:
            wanted = [self._reference(earlier) for _ in range(self.dice.choice([1, 1, 2]))]
            kind = self.dice.choice(self.kind.requiring)
            # Stock mixes up the requisites of several states that one uses.
            wanted = wanted[:1] if kind == "use" else wanted
            if self.waits.may_need(own, [self._meant(one) for one in wanted]):
                may_add = self.dice.random() < self.kind.whole_files and kind != "use"
                if may_add and place >= 2 * self.share:
                    # Not the first, which includes the others: stock would report a circle.
                    wanted.append({"sls": self.dice.choice(self.names[1 : place // self.share])})
                arguments.append({kind: wanted})
        if later and self.dice.random() < self.kind.mirrored_often:
            target = self._target(later[:8])
            if self.waits.may_need(self._meant(target), [own]):
                arguments.append({self.dice.choice(self.kind.mirrored): [target]})
        elif later and self.dice.random() < self.kind.prereq:
            target = self._target(later[:8])
            if self.waits.may_preview(own, self._meant(target)):
                arguments.append({"prereq": [target]})
        if earlier and self.dice.random() < self.kind.prereq_in:
            target = self._target(earlier)
            if self.waits.may_preview(self._meant(target), own):
                arguments.append({"prereq_in": [target]})

    def _meant(self, reference: str | Mapping[str, str]) -> str:
        """Return the ID that a reference names, or the first that its pattern matches."""
        value = reference if isinstance(reference, str) else next(iter(reference.values()))
        return self.owners.get(value, value)

    def _near(self, ids: Sequence[str]) -> list[str]:
        """Return those of the IDs that are not excluded; occasionally all."""
        return [one for one in ids if one not in self.excluded or self.dice.random() < 0.01]

    def _target(self, among: Sequence[str]) -> dict[str, str]:
        state_id = self.dice.choice(among)
        return {self.dice.choice(list(self.states[state_id])): state_id}

    def _reference(self, among: Sequence[str]) -> str | dict[str, str]:
        """Return a reference to one of the IDs: by a pattern, by its name, without a module, or plainly."""
        target = self._target(among)
        ((module, state_id),) = target.items()
        chance = self.dice.random()
        if chance < 0.02:
            return {module: f"{state_id[:-1]}?"}
        if chance < 0.06:
            return state_id
        arguments = self.states[state_id][module][1]
        name = next((item["name"] for item in arguments if "name" in item), None)
        if name and chance < 0.2:
            self.owners[name] = state_id
            return {module: name}
        return target

    def _file(self, at: int, name: str) -> dict[str, Any]:
        ids = self.ids[at * self.share : (at + 1) * self.share]
        data = {one: self._body(self.states[one]) for one in ids}
        if name == "t" and self.names[1:]:
            head: dict[str, Any] = {"include": self.names[1:], "extend": self._extensions()}
            if self.excluded:
                head["exclude"] = [{"id": one} for one in self.excluded]
            return {**head, **data}
        if at > 1 and self.dice.random() < 0.3:
            return {"include": [self.names[1]], **data}
        return data

    def _body(self, modules: Mapping[str, Any]) -> dict[str, Arguments]:
        return {f"{module}.{function}": arguments for module, (function, arguments) in modules.items()}

    def _extensions(self) -> dict[str, Any]:
        """Return extensions: requisites on earlier states, an order, another function, another argument."""
        made: dict[str, Any] = {}
        for _ in range(self.dice.randint(1, self.kind.extensions)):
            place = self.dice.randrange(1, len(self.ids))
            module = self.dice.choice(list(self.states[self.ids[place]]))
            changes = [
                {self.dice.choice(["require", "watch", "onchanges"]): [self._target(self.ids[:place])]},
                {"order": self.dice.choice([1, "last"])},
                {"failhard": False},
                {"name": f"renamed {place}"},
            ]
            chosen = changes if self.kind.extensions == 1 else self.dice.sample(changes, 2)
            made[self.ids[place]] = {module: chosen[: self.dice.randint(1, 2)]}
        return made


def comparable(tree: RandomTree, returned: Any, *, with_order: bool = True) -> Any:
    """Return results without what is random in stock; of cycles it may find another one.

    In which order stock runs the rest of a group that is waited for depends on hashes of its process;
    results `with_order` are for a stock whose sets have an order.
    """
    if not isinstance(returned, dict):
        lines = [str(line) for line in returned if not str(line).startswith("Recursive requisites")]
        if not lines:
            return "a circle"
        # Of a state with a dangling requisite stock names the first only, and no circle that begins there.
        first: dict[str, str] = {}
        for line in lines:
            first.setdefault(line.partition("] in state ")[2] or line, line)
        return sorted(first.values())
    # Stock reads an empty map of a file as a type of its own, and shows it in comments.
    text = json.dumps(returned).replace("OrderedDict()", "{}")
    # Stock shows the list of conditions of a state that has `retry`, in Python's form.
    text = re.sub(r"\['([^\"\[\]]*)'\](?=  The state would be retried|\\\")", _lines, text)
    if "prereq" in json.dumps(tree.files):
        # Stock leaves out the names of failed states that a `prereq` has previewed.
        text = re.sub(r"One or more requisite failed: [^\"\\]*", "One or more requisite failed", text)
    # Stock may leave its own mark of a failhard stop among the results.
    results = {tag: one for tag, one in json.loads(text).items() if isinstance(one, dict)}
    for one in results.values():
        # Where a reference means several states, stock lists them in the order of a set.
        if "Requisites with changes" in (one.get("changes") or ()):
            one["changes"]["Requisites with changes"].sort()
    if not with_order:
        return {tag: {**one, "__run_num__": None} for tag, one in results.items()}
    return [results, list(results)]


def _lines(listed: re.Match[str]) -> str:
    return listed[1].replace("', '", "\\n")
