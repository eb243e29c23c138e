"""Findings in trees: the rule, and file and line of the source."""

import re
import textwrap

import pytest

from salt_g.errors import InvocationError
from salt_g.lint import tree_findings
from salt_g.lint.linter import lint
from salt_g.lint.systems import SYSTEMS, grains_of
from tests.support.broken_sls import BROKEN


@pytest.fixture
def found(tmp_path, monkeypatch):
    """Return a function that returns [(rule, "file:line")] for a tree {path: text}, for these systems."""
    monkeypatch.chdir(tmp_path)

    def make(
        files, *, systems=("debian",), pillar=(), names=(), env="base", saltenv=None, more=(), **options
    ):
        for folder, texts in (("states", dict(files)), ("pillar", dict(pillar))):
            for name, text in texts.items():
                path = tmp_path / folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(textwrap.dedent(text).lstrip("\n"), errors="surrogateescape")
        settings = {
            "cachedir": str(tmp_path / "cache"),
            "file_roots": {env: [str(tmp_path / "states")], **dict(more)},
            "saltenv": saltenv,
            "pillar_roots": {"base": [str(tmp_path / "pillar")]},
        }
        grains = {system: grains_of(system, "web1") for system in systems}
        return lint(settings, grains, names, **options)

    return make


def places(findings):
    return [(finding.rule, f"{finding.path.partition('/')[2]}:{finding.line}") for finding in findings]


@pytest.mark.parametrize("name", BROKEN)
def test_an_error_is_found_at_its_line(found, name):
    text, rule, line = BROKEN[name]

    findings = found({"a.sls": text})

    assert (rule, f"a.sls:{line}") in places(findings), findings


SOUND = {
    "states": "a:\n  test.nop: []\nb:\n  test.nop:\n    - require:\n      - a\n",
    "a function that asks the machine": (
        "{% set ip = salt['network.ip_addrs']('eth0')[0] %}\na:\n  cmd.run:\n    - name: echo {{ ip }}\n"
    ),
    "pillar that nobody gave": "a:\n  cmd.run:\n    - name: {{ pillar['x']['y'] }}\n",
    "pillar with a default": (
        "{% set p = salt['pillar.get']('x', {'y': 1}) %}\na:\n  test.nop:\n    - name: {{ p.y }}\n"
    ),
    "grains of users": "{% if grains['role'] == 'db' %}\na:\n  test.nop: []\n{% endif %}\n",
    "a source that depends on the machine": (
        "/x:\n  file.managed:\n    - source: salt://{{ salt['cmd.run']('hostname') }}/x\n"
    ),
    "one source of several": (
        "/x:\n  file.managed:\n    - source:\n      - salt://nosuch\n      - salt://a.sls\n"
    ),
    "a state of another system": "a:\n  win_dns_client.dns_exists: []\n",
    "an empty file": "# nothing yet\n",
    "Python": "#!py\ndef run():\n    raise SystemExit(1)\n",
}


@pytest.mark.parametrize("name", SOUND)
def test_right_or_undecidable_code_is_no_finding(found, name):
    assert found({"a.sls": SOUND[name]}) == []


def test_nothing_of_the_tree_runs(found, tmp_path):
    mark = tmp_path / "ran"
    files = {
        "a.sls": f"{{% do salt['cmd.run']('touch {mark}') %}}\na:\n  test.nop: []\n",
        "b.sls": f"#!py\nopen({str(mark)!r}, 'w')\ndef run():\n    return {{}}\n",
        "_modules/mine.py": f"open({str(mark)!r}, 'w')\ndef f():\n    return 1\n",
        "c.sls": "a:\n  cmd.run:\n    - name: {{ salt['mine.f']() }}\n",
    }

    assert found(files) == []
    assert not mark.exists()


def test_a_line_is_that_of_the_imported_template(found):
    files = {
        "a.sls": "{% from 'm.jinja' import x %}\na:\n  test.nop: []\n",
        "m.jinja": "{# x #}\n{% set x = nosuch.y %}\n",
    }

    assert places(found(files)) == [("undefined", "m.jinja:2")]


def test_a_managed_template_is_parsed(found):
    files = {
        "a.sls": "/x:\n  file.managed:\n    - source: salt://t\n    - template: jinja\n",
        "t": "x\n{% nosuch %}\n",
    }

    assert places(found(files)) == [("syntax", "t:2")]


def test_a_finding_in_an_included_file_is_reported_once(found):
    files = {"a.sls": "include: [b]\n", "c.sls": "include: [b]\n", "b.sls": "x:\n  nosuch.fun: []\n"}

    assert places(found(files)) == [("unknown-function", "b.sls:2")]


def test_code_that_depends_on_an_unknown_value_is_a_warning(found):
    text = "{% if salt['cmd.run']('x') %}\na:\n  nosuch.fun: []\n{% endif %}\nb:\n  nosuch.gun: []\n"

    levels = {finding.line: finding.level for finding in found({"a.sls": text})}

    assert levels == {3: "warning", 6: "error"}


def test_an_error_on_one_system_is_a_warning_that_names_it(found):
    text = "{% if grains.os_family == 'RedHat' %}\na:\n  nosuch.fun: []\n{% endif %}\nb:\n  nosuch.gun: []\n"

    findings = found({"a.sls": text}, systems=SYSTEMS)

    assert [(one.line, one.level, one.systems) for one in findings] == [
        (3, "warning", ("rhel",)),
        (6, "error", ()),
    ]


def test_pillar_counts(found):
    pillar = {"top.sls": "base:\n  '*': [p]\n", "p.sls": "port: 80\n"}
    text = "{% if pillar['port'] == 80 %}\na:\n  nosuch.fun: []\n{% endif %}\n"

    assert [finding.level for finding in found({"a.sls": text}, pillar=pillar)] == ["error"]


def test_an_error_in_pillar_is_reported(found):
    pillar = {"top.sls": "base:\n  '*': [p]\n", "p.sls": "port: {{ nosuch }}\n"}

    assert places(found({"a.sls": "a:\n  test.nop: []\n"}, pillar=pillar)) == [("pillar", "p.sls:1")]


def test_an_error_of_yaml_in_pillar_with_a_template_is_at_its_source_line(found):
    pillar = {
        "top.sls": "base:\n  '*': [p]\n",
        "p.sls": "{% for n in [1, 2] %}\na{{ n }}: 1\n{% endfor %}\nport: 'x\n",
    }

    assert places(found({"a.sls": "a:\n  test.nop: []\n"}, pillar=pillar)) == [("pillar", "p.sls:4")]


def test_a_pillar_that_does_not_exist_is_where_the_top_file_names_it(found):
    pillar = {"top.sls": "base:\n  '*':\n    - nosuch\n"}

    assert places(found({"a.sls": "a:\n  test.nop: []\n"}, pillar=pillar)) == [("pillar", "top.sls:3")]


def test_a_filter_that_a_managed_template_lacks(found):
    files = {
        "a.sls": "/x:\n  file.managed:\n    - source: salt://t\n    - template: jinja\n",
        "t": "x\n{{ y | nosuch }}\n",
    }

    assert places(found(files)) == [("syntax", "t:2")]


def test_an_import_of_what_a_template_lacks_is_at_the_import(found):
    files = {
        "a.sls": "{# x #}\n{% from 'm.jinja' import y %}\n{{ y('a') }}\n",
        "m.jinja": "{% macro x() %}{% endmacro %}\n",
    }

    assert places(found(files)) == [("undefined", "a.sls:2")]


def test_errors_in_an_extension_are_at_its_line(found):
    files = {
        "a.sls": (
            "include: [b]\nextend:\n  b:\n    service:\n"
            "      - wtch: [test: q]\n      - require:\n        - pkg: p\n"
        ),
        "b.sls": "b:\n  service.running: []\n",
    }

    assert set(places(found(files))) == {("misspelt-argument", "a.sls:5"), ("unknown-requisite", "a.sls:7")}


def test_similar_names_are_looked_for_until_many_were_compared(found, monkeypatch):
    """Comparing each of thousands of findings with all names takes minutes."""
    monkeypatch.setattr(tree_findings, "MOST_COMPARED", 3)
    one = "{0}:\n  test.nop:\n    - require:\n      - test: {0}x\n"

    findings = found({"a.sls": "".join(map(one.format, ("abcd", "efgh", "ijkl")))})

    assert [one.rule for one in findings] == ["unknown-requisite"] * 3
    assert [bool(one.advice) for one in findings] == [True, False, False]


def test_states_that_a_file_of_python_declares_may_exist(found):
    files = {
        "a.sls": "#!py\ndef run():\n    return {'x': {'test.nop': []}}\n",
        "b.sls": "include: [a]\ny:\n  test.nop:\n    - require: [test: x]\n    - listen: [test: z]\n",
    }

    assert found(files) == []


def test_a_source_beside_an_sls_at_the_root(found):
    files = {"a.sls": "/x:\n  file.managed:\n    - source: salt://{{ tpldir }}/files/f\n", "files/f": "x"}

    assert found(files) == []


def test_pillar_of_a_recorded_minion_is_complete(found):
    text = "a:\n  cmd.run:\n    - name: {{ pillar['nosuch'] }}\n"

    assert places(found({"a.sls": text}, is_recorded=True)) == [("undefined", "a.sls:3")]


class TestTop:
    def test_an_sls_that_does_not_exist(self, found):
        findings = found({"top.sls": "base:\n  '*':\n    - webb\n", "web.sls": "a:\n  test.nop: []\n"})

        assert places(findings) == [("unknown-sls", "top.sls:3")]
        assert findings[0].advice == "nearest: web"

    def test_a_top_file_that_cannot_be_read(self, found):
        assert places(found({"top.sls": "base:\n  '*': [a\n"})) == [("syntax", "top.sls:2")]

    def test_a_line_that_is_no_item(self, found):
        assert places(found({"top.sls": "base:\n  '*':\n  a\n"})) == [("syntax", "top.sls:3")]

    def test_a_target_without_a_list(self, found):
        files = {"top.sls": "base:\n  '*': [a]\n  'x*': a\n", "a.sls": "x:\n  test.nop: []\n"}

        assert places(found(files)) == [("top", "top.sls:3")]

    def test_a_requisite_of_what_the_top_file_assigns_with_it(self, found):
        files = {
            "top.sls": "base:\n  '*': [a, b]\n",
            "a.sls": "x:\n  test.nop: []\n",
            "b.sls": "y:\n  test.nop:\n    - require: [test: x]\n",
        }

        assert found(files) == []

    def test_a_requisite_of_what_it_never_assigns_with_it(self, found):
        files = {
            "top.sls": "base:\n  '*': [b]\n",
            "a.sls": "x:\n  test.nop: []\n",
            "b.sls": "y:\n  test.nop:\n    - require: [test: x]\n",
        }

        findings = found(files)

        assert places(findings) == [("not-included", "b.sls:3")]
        assert findings[0].advice == "a declares it: include that"

    def test_an_id_in_two_files_that_it_assigns_together(self, found):
        files = {
            "top.sls": "base:\n  '*': [a, b]\n",
            "a.sls": "x:\n  test.nop: []\n",
            "b.sls": "x:\n  test.nop: []\n",
        }

        assert places(found(files)) == [("duplicate-id", "a.sls:1"), ("duplicate-id", "b.sls:1")]


def test_examples_of_pillar_in_a_formula_are_not_states(found):
    files = {"a/init.sls": "x:\n  test.nop: []\n", "test/pillar/default.sls": "a:\n  lookup:\n    b: 1\n"}

    assert found(files) == []


def test_named_files_only(found):
    files = {"a.sls": "x:\n  nosuch.fun: []\n", "b.sls": "x:\n  nosuch.fun: []\n"}

    assert places(found(files, names=["b"])) == [("unknown-function", "b.sls:2")]
    assert places(found(files, names=["[b-z]"])) == [("unknown-function", "b.sls:2")]


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("wep", "nearest: web"),
        ("web/sub.sls", "with dots and without .sls: web.sub"),
        ("x.*", ""),
        ("zzz", ""),
    ],
)
def test_a_name_that_does_not_exist_is_refused_with_the_nearest(found, name, advice):
    with pytest.raises(InvocationError, match=f"there is no SLS '{re.escape(name)}' in base") as refused:
        found({"web.sls": "a: test.nop\n"}, names=[name])

    assert str(refused.value).endswith(advice)


def test_a_link_to_nothing_is_found_at_the_link(found, tmp_path):
    (tmp_path / "states").mkdir()
    (tmp_path / "states" / "broken.sls").symlink_to("nowhere")
    files = {"a.sls": "include:\n  - broken\n"}

    findings = found(files)

    assert [(one.path, one.rule, one.advice) for one in findings] == [
        ("states/a.sls", "unknown-sls", ""),
        ("states/broken.sls", "unknown-sls", ""),
    ]
    assert findings[1].message == "the file is a link to nowhere, which does not exist"
    assert found(files, names=["broken"]) == findings[1:]


def test_a_template_of_another_environment_has_its_path(found):
    files = {"a.sls": "{% include 'b.sls' %}\n", "b.sls": "# b\n{{ 1 / 0 }}\n"}

    [finding] = found(files, env="dev")

    assert places([finding]) == [("syntax", "b.sls:2")]


def test_an_environment_that_the_tree_does_not_have_is_refused(found):
    with pytest.raises(InvocationError, match="there is no environment 'nope': file_roots has dev"):
        found({"a.sls": "a: test.nop\n"}, env="dev", saltenv="nope")


def test_a_name_is_looked_for_in_the_environments_that_have_it(found, tmp_path):
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "b.sls").write_text("x:\n  nosuch.fun: []\n")

    findings = found({"a.sls": "y: nosuch.fun\n"}, names=["b"], more={"dev": [str(tmp_path / "more")]})

    assert [(one.rule, one.path) for one in findings] == [("unknown-function", "more/b.sls")]


def test_a_file_that_no_sls_names_is_a_warning_at_the_file(found):
    sound = "a:\n  test.nop: []\n"
    files = {
        "web/a.b.sls": "b:\n  test.nop: []\n",
        "c.d.sls": sound,
        "c/d.sls": sound,
        "pillar.example.sls": "a: 1\n",
    }

    [finding] = found(files)

    assert places([finding]) == [("unknown-sls", "web/a.b.sls:1")]
    assert finding.level == "warning" and "a dot in a name stands for a directory" in finding.message


def test_a_mirrored_requisite_in_an_extension_is_found_there(found):
    files = {
        "db.sls": "dbs:\n  test.nop: []\n",
        "web.sls": "include: [db]\nextend:\n  dbs:\n    test:\n      - watch_in:\n        - service: nginx\n",
    }

    assert places(found(files)) == [("unknown-extend", "web.sls:6")]


def test_a_relative_include_is_found_at_its_line(found):
    text = "# sub.one\ninclude:\n  - .sub.one\n  - ..two\n  - base: ..sub.three\n"

    assert places(found({"app/run.sls": text})) == [
        ("unknown-sls", f"app/run.sls:{line}") for line in (3, 4, 5)
    ]


def test_each_of_several_sources_is_found_at_its_line(found):
    text = """
        # salt://web/one
        /etc/a:
          file.managed:
            - source:
              - salt://web/one
              - salt://web/{{ grains.os }}
        """

    assert places(found({"a.sls": text})) == [("missing-file", "a.sls:5"), ("missing-file", "a.sls:6")]
