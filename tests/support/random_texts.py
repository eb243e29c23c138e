"""Random trees as texts: SLS of many renderers, Jinja, includes, pillar and top files of two environments.

Shapes: a tree is `files` ({path below the directory of trees: text}) and `settings` of its runs. Some files
are damaged, so that errors are compared as well.
"""

from __future__ import annotations

import json
import pathlib
import random
import re
from typing import Any

from tests.support.random_values import WORDS, expression

ENVIRONMENTS = {
    "base": ["common", "web", "web.conf", "web.sub.deep", "db", "db.conf"],
    "dev": ["web", "devel", "devel.tools"],
}
NODEGROUPS = {"webs": "web1*", "all": "N@webs or db*", "none": "not *", "listed": ["web1.example.org", "x"]}
FUNCTIONS = ["nop"] * 3 + ["succeed_with_changes"] * 4 + ["succeed_without_changes", "fail_without_changes"]
FUNCTIONS += ["show_notification"] * 4 + ["configurable_test_state"] * 2 + ["fail_with_changes"]
REQUISITES = (
    ["require"] * 4 + ["watch"] * 2 + ["onchanges", "onfail", "require_any", "watch_any", "onchanges_any"]
)
REQUISITES += [
    "onfail_any",
    "onfail_all",
    "listen",
    "require_in",
    "watch_in",
    "onchanges_in",
    "onfail_in",
    "use",
]
REQUISITES += ["use_in", "listen_in", "prereq", "prereq_in"]
NAMES = ["[a, b]", "[a, {b: [{order: 1}]}]", "[a, a]", "[c, {d: [{require: []}]}]"]
WILD_NAMES = ["a", "[1, b]", "{a: 1}", "[]", "[{a: 1}]", "[[a]]"]
MACROS = """{% macro shown(name, text='plain') %}
{{ name }}:
  test.show_notification:
    - text: {{ text | json }}
{%- if caller is defined %}
{{ caller() }}
{%- endif %}
{% endmacro %}
{% set exported = ['x', 'y'] %}
{% set mapped = salt['grains.filter_by']({'Debian': {'pkg': 'deb'}, 'default': {'pkg': 'other', 'n': 1}},
                merge=salt['pillar.get']('lookup')) %}
"""
DEFAULTS = "pkg: nginx\nports: [80, 443]\nnested: {a: 1, b: {c: ~}}\ntext: 'yes'\nmode: 0644\n"
PILLAR_FILES = ["one", "two", "three.sub", "three"]
PILLAR_KEYS = ["role", "nested", "list", "lookup", "text", "number"]


class TextTree:
    """Files of both environments, their pillar and top files."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(f"texts {seed}")
        #: How often a value, reference or argument may be an unsound one.
        self.wild = self.dice.choice([0, 0, 0, 0.02, 0.1])
        self.count = 0
        self.ids: list[str] = []
        self.first_of_file = 0
        self.files = {
            "states/base/macros.jinja": MACROS,
            "states/base/defaults.yaml": DEFAULTS,
            "states/base/web/data.json": json.dumps({"k": [1, None, "x"], "m": {"z": True}}),
            "states/dev/macros.jinja": MACROS,
            "states/dev/defaults.yaml": DEFAULTS,
        }
        for env, names in ENVIRONMENTS.items():
            for name in names:
                self.files[f"states/{env}/{self._path(name, names)}"] = self._sls(env, name)
        self.files["states/base/top.sls"] = self._top("base", ENVIRONMENTS["base"])
        if self.dice.random() < 0.4:
            self.files["states/dev/top.sls"] = self._top("dev", ENVIRONMENTS["dev"])
        for name in PILLAR_FILES:
            self.files[f"pillar/base/{self._path(name, PILLAR_FILES)}"] = self._pillar_file()
        self.files["pillar/dev/one.sls"] = self._pillar_file()
        self.files["pillar/base/top.sls"] = self._pillar_top()
        self.settings = self._settings()
        if self.dice.random() < 0.25:
            self._damage()

    def write(self, directory: pathlib.Path) -> None:
        """Write the files, after those of another tree were removed."""
        for path, text in self.files.items():
            target = directory / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)

    def _path(self, name: str, names: list[str]) -> str:
        is_folder = any(other.startswith(f"{name}.") for other in names)
        return name.replace(".", "/") + ("/init.sls" if is_folder else ".sls")

    def _settings(self) -> dict[str, Any]:
        chances: list[tuple[float, str, list[Any]]] = [
            (0.2, "state_aggregate", [True]),
            (0.1, "failhard", [True]),
            (0.15, "pillar_source_merging_strategy", ["recurse", "aggregate", "overwrite", "list", "none"]),
            (0.15, "pillar_merge_lists", [True]),
            (0.1, "pillar_includes_override_sls", [True]),
            (0.15, "top_file_merging_strategy", ["merge", "same", "merge_all"]),
            (0.1, "saltenv", ["base", "dev"]),
            (0.1, "pillarenv", ["base", "dev"]),
            (0.05, "state_auto_order", [False]),
            (0.05, "jinja_trim_blocks", [True]),
            (0.05, "jinja_lstrip_blocks", [True]),
            (0.05, "allow_undefined", [True]),
            (0.05, "renderer", ["yaml", "jinja|yaml", "jinja|json"]),
            (0.05, "env_order", [["dev", "base"]]),
        ]
        return {
            key: self.dice.choice(values) for chance, key, values in chances if self.dice.random() < chance
        }

    def _sls(self, env: str, name: str) -> str:
        self.first_of_file = len(self.ids)
        form = self.dice.choice(["jinja"] * 8 + ["json", "py", "pyobjects", "stateconf"])
        text: str = getattr(self, f"_{form}_sls")(env, name)
        return text

    def _jinja_sls(self, env: str, name: str) -> str:
        parts = [self._head(env, name)]
        parts += [self._block() for _ in range(self.dice.randrange(1, 5))]
        if self._is_wild():
            self.dice.shuffle(parts)
        shebang = self.dice.choice(["", "", "#!jinja|yaml\n", "#!jinja -s|yaml\n"])
        if self._is_wild():
            shebang = self.dice.choice(["#!yaml|jinja\n", "#!yaml\n", "#!none|yaml\n"])
        return shebang + "\n".join(parts) + self.dice.choice(["", "\n", "\n\n"])

    def _stateconf_sls(self, env: str, name: str) -> str:
        options = self.dice.choice([" -s", " -p", " -so"] if self._is_wild() else ["", " -o", " -G"])
        number = self._number()
        second = f".t{number}:\n  test.nop:\n    - require:\n      - test: .s{number}\n"
        return f"#!stateconf{options} yaml . jinja\n.s{number}:\n  test.nop: []\n{second}"

    def _json_sls(self, env: str, name: str) -> str:
        data = {f"j{self._number()}": {"test.succeed_with_changes": [{"name": "a"}, {"order": 4}]}}
        return self.dice.choice(["#!json\n", "#!jinja|json\n"]) + json.dumps(
            data, indent=self.dice.choice([None, 1])
        )

    def _py_sls(self, env: str, name: str) -> str:
        sound = ["sls", "saltenv", "sorted(pillar)", "__salt__['test.echo']('x')", "grains['os']"]
        shown = self.dice.choice(["1/0", "tmplpath"] if self._is_wild() else sound)
        return (
            "#!py\n\n\ndef run():\n"
            f"    return {{'p{self._number()}': {{'test.show_notification': [{{'text': str({shown})}}]}}}}\n"
        )

    def _pyobjects_sls(self, env: str, name: str) -> str:
        first, second = self._number(), self._number()
        return (
            f"#!pyobjects\nwith Test.nop('o{first}'):\n    Test.succeed_with_changes('o{second}', name='a')\n"
            f"Test.nop('q{first}', require=Test('o{first}'), onfail=[Test('o{second}')])\n"
        )

    def _number(self) -> int:
        self.count += 1
        return self.count

    def _head(self, env: str, name: str) -> str:
        """Return imports, includes, extensions and exclusions of a file."""
        lines = [
            "{% import 'macros.jinja' as m with context %}",
            "{% from 'macros.jinja' import exported, mapped %}",
        ]
        lines += ["{% import_yaml 'defaults.yaml' as defaults %}"]
        if name.startswith("web") and env == "base" and self.dice.random() < 0.5:
            lines.append("{% import_json 'web/data.json' as data %}")
        others = [
            *ENVIRONMENTS[env],
            "missing",
            ".conf",
            "..common",
            ".",
            "web.*",
            "{dev: devel}",
            "{base: common}",
        ]
        weights = [4.0] * len(ENVIRONMENTS[env])
        weights += [0.3, 1, 0.5, 0.2, 0.6, 0.5, 0.5] if self._is_wild() else [0, 0, 0, 0, 0.6, 0.5, 0]
        if self.dice.random() < 0.4:
            chosen = self.dice.choices(others, weights, k=self.dice.randrange(1, 3))
            lines += ["include:", *(f"  - {one}" for one in chosen)]
        if "include:" in lines and self.ids and self._is_wild():
            lines += ["extend:", f"  {self._old_id()}:", "    test:", f"      - {self._argument()}"]
        if self.ids and self.dice.random() < 0.1:
            lines += ["exclude:", self.dice.choice([f"  - id: {self._old_id()}", "  - sls: web.*", "  - db"])]
        return "\n".join(lines)

    def _old_id(self) -> str:
        """Return an ID of this file, or one of another, which may not exist."""
        own = self.ids[self.first_of_file :]
        return self.dice.choice(self.ids[-12:] if self._is_wild() or not own else own)

    def _block(self) -> str:
        """Return a piece of a file: a state, states of a loop, a macro's, under a condition."""
        kind = self.dice.random()
        if kind < 0.55:
            return self._state(self._new_id())
        if kind < 0.67:
            number = self._number()
            items = self.dice.choice(
                ["[1, 2]", "exported", "range(2)", "defaults.ports", "pillar.get('list', [3])"]
            )
            body = self._state(f"l{number}-{{{{ item }}}}")
            return f"{{% for item in {items} %}}\n{body}\n{{% endfor %}}"
        if kind < 0.75:
            return f"{{{{ m.shown('m{self._number()}', {self._expression()}) }}}}"
        if kind < 0.82:
            return f"{{% if {self._expression()} %}}\n{self._state(self._new_id())}\n{{% endif %}}"
        if kind < 0.9:
            text = self.dice.choice(["load_yaml", "load_json", "load_text"])
            inner = self.dice.choice(
                ["{a: 1, b: [x, ~]}", '{"a": 1, "b": ["x"]}', "- 1\n- 0644", "a: {{ 1 + 1 }}"]
            )
            if text == "load_json" and not self._is_wild():
                inner = '{"a": [1, null], "b": {{ 1 + 1 }}}'
            number = self._number()
            shown = f"v{number}:\n  test.show_notification:\n    - text: {{{{ loaded{number} | json }}}}"
            return f"{{% {text} as loaded{number} %}}\n{inner}\n{{% endload %}}\n{shown}"
        state = f"n{self._number()}:\n  test.show_notification:\n    - text: {{{{ ns | json }}}}"
        return f"{{% set ns = {self._expression()} %}}\n{state}"

    def _new_id(self) -> str:
        number = self._number()
        made = self.dice.choice(
            [f"s{number}"] * 6 + [f"'state {number}'", f"/etc/x{number}", f"a.b{number}", f"'{number}'"]
        )
        if self._is_wild():
            made = str(number)
        self.ids.append(made)
        return made

    def _state(self, state_id: str) -> str:
        function = self.dice.choice(FUNCTIONS)
        form = self.dice.random()
        if form < 0.05:
            return f"{state_id}: test.{function}"
        if form < 0.1:
            return f"{state_id}:\n  test:\n    - {function}\n    - {self._argument()}"
        lines = [f"{state_id}:", f"  test.{function}:"]
        if function == "show_notification":
            lines.append(f"    - text: {self._value()}")
        if function == "configurable_test_state":
            for argument in ("result", "changes"):
                values = ["Maybe", "~", "x"] if self._is_wild() else ["True", "False"]
                lines.append(f"    - {argument}: {self.dice.choice(values)}")
            lines.append(f"    - comment: {self._value()}")
        lines += [f"    - {self._argument()}" for _ in range(self.dice.choice([0, 1, 1, 2, 3]))]
        if len(lines) == 2:
            lines[1] += "" if self._is_wild() else " []"
        if self.dice.random() < 0.1:
            lines.append(
                f"  cmd.run:\n    - name: {self.dice.choice(['true', 'echo a', 'exit 3', 'echo x >&2'])}"
            )
        return "\n".join(lines)

    def _is_wild(self) -> bool:
        return self.dice.random() < self.wild

    def _expression(self) -> str:
        return expression(self.dice) if self._is_wild() else self.dice.choice(WORDS["expressions"])

    def _value(self) -> str:
        if self.dice.random() < 0.5:
            return f"{{{{ {self._expression()} | json }}}}"
        value: str = self.dice.choice(WORDS["unsound values"] if self._is_wild() else WORDS["values"])
        return value

    def _argument(self) -> str:
        chance = self.dice.random()
        if chance < 0.45 and self.ids[self.first_of_file :]:
            return f"{self.dice.choice(REQUISITES)}:\n      - {self._reference()}"
        if chance < 0.55:
            names = self.dice.choice(WILD_NAMES if self._is_wild() else NAMES)
            return f"names: {names}"
        if chance < 0.8:
            kind = "unsound conditions" if self._is_wild() else "conditions"
            condition: str = self.dice.choice(WORDS[kind])
            return condition
        return f"name: {self._value() if self._is_wild() else self.dice.choice(['a', 'b', 'c d'])}"

    def _reference(self) -> str:
        target = self._old_id()
        forms = [f"test: {target}"] * 8 + [target]
        wild = [
            "test: s*",
            "test: nothing",
            "test.nop: x",
            f"test: {target}\n        other: x",
            "[a]",
            "test: a",
        ]
        wild += [f"id: {target}", "sls: web", "sls: db.conf", f"cmd: {target}"]
        return self.dice.choice(wild if self._is_wild() else forms)

    def _top(self, env: str, names: list[str]) -> str:
        lines = [f"{env}:"]
        typed = dict.fromkeys(WORDS["targets"]) | WORDS["typed targets"]
        # Not by pillar: stock's process matches with that of an earlier tree.
        typed = {
            target: kind
            for target, kind in typed.items()
            if not re.search("[IJ]@|pillar", f"{target} {kind}")
        }
        for target in self.dice.sample(list(typed), self.dice.randrange(1, 4)):
            lines += [f"  {target}:"]
            if typed[target]:
                lines.append(f"    - match: {typed[target]}")
            chosen = self.dice.sample(names, self.dice.randrange(1, 3))
            lines += [f"    - {one}" for one in chosen]
            if self.dice.random() < 0.08:
                lines.append(
                    self.dice.choice(["    - web.*", "    - dev: devel", "    - absent", "    - '*'"])
                )
        if env == "base":
            lines += [
                "  'w*1.example.org':",
                f"    - {self.dice.choice(names)}",
                f"    - {self.dice.choice(names)}",
            ]
        if env == "base" and self.dice.random() < 0.3:
            lines += ["dev:", f"  {self.dice.choice(WORDS['targets'])}:", "    - devel"]
        return "\n".join(lines) + "\n"

    def _pillar_file(self) -> str:
        lines = []
        if self.dice.random() < 0.3:
            wild = ["three.*", ".sub", "missing", "one"]
            one = self.dice.choice(wild if self._is_wild() else ["two", "three", "three.sub"])
            with_key = "two:\n      key: inc:deep\n      defaults: {given: 1}"
            lines += ["include:", f"  - {self.dice.choice([one, one, one, with_key])}"]
        for key in self.dice.sample(PILLAR_KEYS, self.dice.randrange(1, 5)):
            lines.append(f"{key}: {self._pillar_value(key)}")
        if self.dice.random() < 0.2:
            shown = (
                expression(self.dice) if self._is_wild() else self.dice.choice(WORDS["expressions of pillar"])
            )
            lines.append(f"shown: {{{{ {shown} | json }}}}")
        return "\n".join(lines) + "\n"

    def _pillar_value(self, key: str) -> str:
        values = {
            "role": ["web", "db", "[web, db]"],
            "nested": ["{a: {b: 1}}", "{a: {c: [1]}}", "{a: x}", "{z: ~}", "text"],
            "list": ["[1, 2]", "[2, 3, {a: 1}]", "[]", "{a: 1}"],
            "lookup": ["{pkg: mine}", "{n: 2}", "~"],
            "text": ["a", "'%s %d'", "yes", "{{ grains['kernel'] }}", "{{ given | default('no') }}"],
            "number": ["1", "0x1f", "010", "1.5", "{{ 1 + 1 }}"],
        }
        return self.dice.choice(values[key])

    def _pillar_top(self) -> str:
        lines = ["base:"]
        for target in self.dice.sample(WORDS["targets"], self.dice.randrange(1, 4)):
            lines += [f"  {target}:"]
            if self.dice.random() < 0.2:
                lines.append(f"    - order: {self.dice.choice([1, 5, 'x'] if self._is_wild() else [1, 5])}")
            if self.dice.random() < 0.2:
                lines.append("    - ignore_missing: True")
            lines += [
                f"    - {one}"
                for one in self.dice.sample([*PILLAR_FILES, "gone"] if self._is_wild() else PILLAR_FILES, 2)
            ]
        if self.dice.random() < 0.3:
            lines += ["dev:", "  '*':", "    - one"]
        return "\n".join(lines) + "\n"

    def _damage(self) -> None:
        """Change a line of one file, as a typing mistake would."""
        path = self.dice.choice([one for one in self.files if one.endswith(".sls")])
        lines = self.files[path].split("\n")
        at = self.dice.randrange(len(lines))
        lines[at : at + 1] = self.dice.choice(slips(lines[at], self.dice.randrange(len(lines[at]) or 1)))
        self.files[path] = "\n".join(lines)


def slips(line: str, letter: int) -> list[list[str]]:
    """Return lists of lines that may replace a line; `letter` is the position of one in it."""
    return [
        [], [line, line], [" " + line], [line[1:]], ["\t" + line.lstrip()], [line.replace(":", "", 1)],
        [line.replace("- ", "-", 1)], [line.replace("- ", "", 1)], [line[:letter] + line[letter + 1 :]],
        [line + ":"], [line.replace("'", "", 1)], [line.replace("}", "", 1)], [line, "  x"], [line[:letter]],
        [line.replace("%}", "}", 1)], [line, "{{ missing }}"], [line, "{{ 1/0 }}"], [line, "{% endif %}"],
        [line + " # {{ x.y.z }}"], ["- " + line], [line, "&a *b"], [line, "%"], [line, "@"], ["? " + line],
    ]  # fmt: skip
