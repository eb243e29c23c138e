"""Lint repeated after changes of files."""

import os
import textwrap

import pytest

from salt_g.lint.linter import SystemLint
from salt_g.lint.systems import grains_of


@pytest.fixture
def write(tmp_path):
    """Return a function that writes the file at a path below the temporary directory."""

    def make(path, text):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text).lstrip("\n"))

    return make


@pytest.fixture
def system(tmp_path):
    settings = {
        "cachedir": str(tmp_path / "cache"),
        "file_roots": {"base": [str(tmp_path / "states")]},
        "pillar_roots": {"base": [str(tmp_path / "pillar")]},
    }
    return SystemLint(settings, grains_of("debian", "web1"))


def rules(system):
    return [finding.rule for finding in system.findings()]


def test_a_finding_goes_when_its_file_is_mended(system, write):
    write("states/a.sls", "x:\n  file.manged: []\n")
    write("states/b.sls", "y:\n  test.nop: []\n")
    assert rules(system) == ["unknown-function"]

    write("states/a.sls", "x:\n  file.managed: []\n")
    assert rules(system) == ["unknown-function"]  # The linter was not notified of the change.
    system.forget({"a.sls"})

    assert rules(system) == []


def test_a_new_file_is_found(system, write):
    write("states/a.sls", "include: [b]\n")
    assert rules(system) == ["unknown-sls"]

    write("states/b.sls", "y:\n  test.nop: []\n")
    system.forget({"b.sls"})

    assert rules(system) == []


def test_changed_pillar_compiles_what_read_the_changed_keys(system, write):
    write("pillar/top.sls", "base:\n  '*': [p]\n")
    write("pillar/p.sls", "port: 80\nname: x\n")
    write("states/a.sls", "{% if pillar['port'] == 81 %}\nx:\n  nosuch.fun: []\n{% endif %}\n")
    write("states/b.sls", "y:\n  cmd.run:\n    - name: {{ salt['pillar.get']('name') }}\n")
    assert rules(system) == []
    before = {sls: system.tree.get(sls, "base") for sls in "ab"}

    write("pillar/p.sls", "port: 81\nname: x\n")
    system.forget(set(), is_pillar=True)

    assert rules(system) == ["unknown-function"]
    assert [system.tree.get(sls, "base") is before[sls] for sls in "ab"] == [False, True]


def test_pillar_that_depends_on_an_unknown_value_makes_a_warning(system, write):
    write("pillar/top.sls", "base:\n  '*': [p]\n")
    write("pillar/p.sls", "on: {% if salt['cmd.run']('x') %}1{% else %}0{% endif %}\n")
    write("states/a.sls", "{% if pillar['on'] %}\nx:\n  nosuch.fun: []\n{% endif %}\n")

    assert [(finding.rule, finding.level) for finding in system.findings()] == [
        ("unknown-function", "warning")
    ]


def test_a_pillar_sls_that_is_missing_is_where_it_is_named(system, write):
    write("pillar/top.sls", "base:\n  '*':\n    - p\n    - gone\n")
    write("pillar/p.sls", "include:\n  - .lost\n")

    found = {(os.path.basename(finding.path), finding.line) for finding in system.findings()}
    assert found == {("p.sls", 2), ("top.sls", 4)}


def test_preparation_in_steps_leaves_nothing_to_compile(system, write):
    for name in "abc":
        write(f"states/{name}.sls", f"{name}:\n  test.nop: []\n")

    assert len(list(system.prepare())) == 4
    assert sorted(system.tree.kept()) == [("base", "a"), ("base", "b"), ("base", "c")]


@pytest.mark.parametrize(
    ("name", "sls"),
    [
        ("web/init.sls", "web"),
        ("web/map.jinja", "web"),
        ("other.jinja", ""),
        ("top.sls", ""),
        ("f/pillar/x.sls", ""),
        ("a.sls", "a"),
    ],
)
def test_an_sls_that_says_most_about_a_file_is_compiled_first(system, write, name, sls):
    write("states/web/init.sls", "{% from 'web/map.jinja' import x %}\n{{ x }}:\n  test.nop: []\n")
    write("states/web/map.jinja", "{% set x = 'x' %}")
    write("states/a.sls", "a:\n  test.nop:\n    - require: [test: x]\n")
    system.findings()
    system.forget({"web/map.jinja"})
    before = system.number_left()

    assert system.first_for("base", name) == sls
    assert system.first_for("dev", name) == ""
    assert (before, system.number_left()) == (1, 0 if sls == "web" else 1)


def test_early_findings_take_others_as_they_were(system, write):
    write("states/map.jinja", "{% set x = 'x' %}")
    for name in "ab":
        write(
            f"states/{name}.sls", f"{{% from 'map.jinja' import x %}}\n{{{{ x }}}}{name}:\n  test.nop: []\n"
        )
    write("states/c.sls", "include: [a]\nc:\n  test.nop:\n    - require:\n      - test: xa\n")
    assert system.findings() == []
    write("states/map.jinja", "{% set x = nosuch.y %}")
    system.forget({"map.jinja"})

    (sls,) = {system.first_for("base", "map.jinja")}
    (found,) = system.early_findings([("base", sls)])

    assert (found.rule, found.path.rpartition("/")[2], found.line) == ("undefined", "map.jinja", 1)
    assert system.number_left() == 2


def test_early_findings_of_a_tree_that_was_never_compiled_need_no_others(system, write):
    write("states/a.sls", "a:\n  file.manged:\n    - require: [test: b]\n")
    write("states/b.sls", "b:\n  test.nop: []\n")

    assert system.first_for("base", "a.sls") == "a"
    assert [one.rule for one in system.early_findings([("base", "a")])] == ["unknown-function"]
    assert system.number_left() == 1


@pytest.mark.parametrize(("name", "found"), [("web.init", ["web"]), ("*", ["a", "web"]), ("top", ["top"])])
def test_names_as_states_run_them_and_patterns_choose_sls(system, write, name, found):
    for path in ("states/a.sls", "states/web/init.sls"):
        write(path, f"{path}:\n  nosuch.fun: []\n")
    write("states/top.sls", "base:\n  '*': [a]\n")

    system.check_wanted([name])

    assert system._chosen("base", [name]) == found


def test_an_environment_that_any_directory_serves_is_there(tmp_path, write):
    write("states/a.sls", "x:\n  test.nop: []\n")
    settings = {
        "cachedir": str(tmp_path),
        "file_roots": {"__env__": [str(tmp_path / "states")]},
        "saltenv": "dev",
    }

    SystemLint(settings, grains_of("debian", "web1")).check_wanted(["a"])
