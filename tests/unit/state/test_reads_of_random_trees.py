"""Read-sets of random trees: minions whose low data a change alters have always read the changed input."""

import random

import pytest

from salt_g import api
from salt_g.local_call import local_context
from salt_g.report.recording.known_runs import KnownRuns
from salt_g.report.recording.read_sets import names_of, opened, packed, question
from salt_g.report.recording.reads import Reads
from salt_g.state.run.read_sources import note_sources

MINIONS, ROUNDS = 4, 12
KEYS = ("a", "b", "c")
#: Ways in which a template comes to a value; `{0}` and `{1}` are keys.
WAYS = (
    "pillar['{0}']['{1}'] if '{0}' in pillar and pillar['{0}'] is mapping and '{1}' in pillar['{0}'] else 0",
    "pillar.get('{0}', {{}}) | string | length",
    "salt['pillar.get']('{0}:{1}', 'none')",
    "salt.pillar.get('{0}', {{}}) | tojson",
    "(pillar.{0} is defined) ~ ''",
    "salt['pillar.items']() | length",
    "pillar | length",
    "grains.get('{0}', 'no')",
    "salt['grains.get']('{1}')",
    "salt['grains.filter_by']({{'x': 1, 'default': 2}}, grain='{0}')",
    "salt['config.get']('{0}:{1}', 0)",
    "salt['match.grain']('{0}:x')",
    "salt['pillar.keys']('{0}') | join if pillar.get('{0}') is mapping else '-'",
    "shared",
    "salt['cp.get_file_str']('salt://data/{0}.txt')",
    "salt['cp.list_master'](prefix='data') | length",
    "salt['cp.list_states']() | length",
    "salt['cp.list_master_dirs']() | length",
    "salt['slsutil.findup']('s01', ['init.sls', 'top.sls'])",
    "salt['jinja.load_map']('map.jinja', 'shared')",
    "salt['match.compound']('G@{0}:x or I@{1}:x')",
    "pillar.get('{0}', {{}}).items() | list | length if pillar.get('{0}') is mapping else 1",
)


class Fleet:
    """Minions with one tree, and their own pillar and grains, drawn by one random generator."""

    def __init__(self, folder, seed):
        self.random = random.Random(seed)
        self.root = folder / "states"
        (self.root / "data").mkdir(parents=True)
        for key in KEYS:
            self.write(f"data/{key}.txt", key)
        self.write("map.jinja", "{% set shared = pillar.get('a', 1) ~ grains.get('b', 2) %}")
        self.names = [f"s{number}" for number in range(4)]
        for name in self.names:
            self.write(f"{name}.sls", self.sls(name))
        self.write(
            "py.sls", "#!py\ndef run():\n    return {'py': {'test.nop': [{'name': __pillar__.get('b')}]}}\n"
        )
        self.write("top.sls", self.top())
        self.known = [KnownRuns() for _ in range(MINIONS)]
        self.data = [(self.values(), self.values(depth=0)) for _ in range(MINIONS)]
        self.opts = {
            **{
                "id": "m1",
                "file_client": "local",
                "cachedir": str(folder / "cache"),
                "renderer": "jinja|yaml",
            },
            **{"file_roots": {"base": [str(self.root)]}, "extension_modules": "", "root_dir": str(folder)},
            **{"fileserver_list_cache_time": 0, "pillar_roots": {}, "nodegroups": {}},
        }

    def write(self, name, text):
        (self.root / name).write_text(text)

    def sls(self, name):
        keys = [self.random.choice(KEYS), self.random.choice(KEYS)]
        lines = ["{% from 'map.jinja' import shared with context %}"]
        if name == "s3":
            lines.append("include:\n  - s0*")
        for number, way in enumerate(self.random.sample(WAYS, 4)):
            value = "{{ (" + way.format(*keys) + ") | string | replace(\"'\", '') | replace('\"', '') }}"
            lines.append(f"{name}-{number}:\n  test.nop:\n    - name: '{value}'")
        return "\n".join(lines) + "\n"

    def top(self):
        targets = {key: [] for key in KEYS}
        for name in self.names[2:]:
            targets[self.random.choice(KEYS)].append(name)
        lines = [
            f"  '{key}:x':\n    - match: grain\n" + "".join(f"    - {name}\n" for name in names)
            for key, names in targets.items()
            if names
        ]
        return "base:\n  '*':\n    - py\n    - s0\n    - s1\n" + "".join(lines)

    def values(self, depth=1):
        found = {}
        for key in self.random.sample(KEYS, self.random.randrange(1, len(KEYS) + 1)):
            deeper = depth and self.random.random() < 0.7
            found[key] = self.values(depth - 1) if deeper else self.random.choice(("x", "x", "y", 3))
        return found

    def compiled(self, number):
        """Return the low data of a minion (or its errors) and its reads, as its daemon records them."""
        shown, names = self.once(number, Reads(self.known[number], "highstate"))
        observed, all_names = self.once(number, Reads())
        assert shown == observed
        # Where anything has changed it may be more; the next run is observed.
        if not {"pillar", "grain"} <= set(names):
            assert set(names) >= set(all_names)
        again = self.once(number, Reads(self.known[number], "highstate"))
        self.once(number, Reads(self.known[number], "highstate"))
        assert set(again[1]) == set(all_names) or set(names) == set(all_names)
        return shown, names

    def once(self, number, reads):
        pillar, grains = self.data[number]
        reads.begin({"grains": grains, "pillar": pillar}, (grains, pillar))
        context = local_context(self.opts).replace(pillar=pillar, grains=grains, reads=reads)
        with api.use(context):
            try:
                low = context.services.states.low_of_top()
                note_sources(reads, low)
                shown = [{name: value for name, value in one.items() if name != "order"} for one in low]
            except Exception as exc:
                shown = [str(exc)]
        reads.remember()
        names = names_of(opened(packed(reads.names()))[1])
        return repr(shown), [name for read in names.values() for name in read]

    def change(self):
        """Change one input; return the name by which it is queried, and its minion (None: all)."""
        kind = self.random.choice(("file", "new", "pillar", "grain"))
        if kind == "file":
            name = self.random.choice(["top.sls", "map.jinja", "s0.sls", "s1.sls", "s2.sls", "data/a.txt"])
            text = {"top.sls": self.top, "data/a.txt": lambda: str(self.random.random())}.get(
                name, lambda: self.sls(name.partition(".")[0])
            )()
            if name == "map.jinja":
                text = f"{{% set shared = '{self.random.random()}' %}}"
            self.write(name, text)
            return f"salt://{name}", None
        if kind == "new":
            name = self.random.choice(["s00.sls", "data/d.txt", "s01/init.sls"])
            (self.root / name).parent.mkdir(exist_ok=True)
            self.write(name, f"'{name}':\n  test.nop: []\n")
            return f"salt://{name}", None
        number = self.random.randrange(MINIONS)
        values = self.data[number][0 if kind == "pillar" else 1]
        path = [self.random.choice(KEYS)]
        if isinstance(values.get(path[0]), dict) and self.random.random() < 0.7:
            values = values[path[0]]
            path.append(self.random.choice(KEYS))
        if path[-1] in values and self.random.random() < 0.4:
            del values[path[-1]]
        else:
            values[path[-1]] = self.random.choice(("x", "z", 7, {"b": "x"}))
        return f"{kind}:{':'.join(path)}", number


@pytest.mark.parametrize("seed", range(8))
def test_all_minions_whose_states_differ_are_named(tmp_path, seed):
    fleet = Fleet(tmp_path, seed)
    before = [fleet.compiled(number) for number in range(MINIONS)]
    differing = 0
    for _ in range(ROUNDS):
        name, whose = fleet.change()
        after = [fleet.compiled(number) for number in range(MINIONS)]
        asks = question(name)
        for number in range(MINIONS) if whose is None else [whose]:
            if before[number][0] != after[number][0]:
                differing += 1
                assert any(map(asks.covers, before[number][1])), (name, before[number], after[number][0])
        before = after
    assert differing


@pytest.mark.parametrize("function", ["list_states", "list_master", "list_master_dirs"])
def test_a_list_of_the_tree_reads_all_names_of_it(tmp_path, function):
    fleet = Fleet(tmp_path, 1)
    for name in fleet.names:
        fleet.write(f"{name}.sls", "")
    fleet.write("s1.sls", f"a:\n  test.nop:\n    - name: {{{{ salt['cp.{function}']() | length }}}}\n")

    _, names = fleet.compiled(0)

    assert any(map(question("salt://x/new.sls").covers, names))


@pytest.mark.parametrize("way", ["pillar.get']('x', pillarenv='base", "config.get']('flag"])
def test_reads_decided_by_an_outside_lookup_are_observed_each_time(tmp_path, monkeypatch, way):
    fleet = Fleet(tmp_path, 1)
    fleet.opts.update(flag="sdb://env/SALT_G_GATE", env={"driver": "env"})
    fleet.opts["pillar_roots"] = {"base": [str(tmp_path / "pillar")]}
    (tmp_path / "pillar").mkdir()
    (tmp_path / "pillar/top.sls").write_text("base:\n  '*':\n    - x\n")
    for name in fleet.names:
        fleet.write(f"{name}.sls", "")
    fleet.write("s1.sls", f"{{% if salt['{way}') == 'open' %}}{{{{ grains.get('new') }}}}{{% endif %}}")

    for gate in ("closed", "closed", "open"):
        (tmp_path / "pillar/x.sls").write_text(f"x: {gate}\n")
        monkeypatch.setenv("SALT_G_GATE", gate)
        _, names = fleet.once(0, Reads(fleet.known[0], "highstate"))

    assert "grain:new" in names
