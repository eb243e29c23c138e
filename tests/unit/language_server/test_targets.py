"""Targets of the name at the cursor."""

import pytest

from salt_g.language_server.documents import Position
from salt_g.language_server.overlay import TreeFile
from salt_g.language_server.targets import definition_line, target_at


@pytest.fixture
def target(document):
    """Return a function that returns (kind, name, about, path) at `|` of a text."""

    def look(text, relative="a.sls", setting="file_roots"):
        opened, position = document("a.sls", text)
        found = target_at(opened, TreeFile(setting, "base", relative, ""), Position(*position))
        if found is None:
            return None
        assert opened.line(position[0])[found.start : found.end] or found.name == ""
        return found.kind, found.name, found.about, found.path

    return look


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a|bc:\n  x.y: []", ("state", "abc", "", ())),
        ("a:\n  pkg.inst|alled: []", ("state function", "pkg.installed", "", ())),
        ("a:\n  p|kg:\n    - installed", ("state function", "pkg.installed", "", ())),
        ("a:\n  pkg:\n    - in|stalled", ("state function", "pkg.installed", "", ())),
        ("a:\n  pkg.installed:\n    - na|me: x", ("argument", "name", "pkg.installed", ())),
        ("a:\n  x.y:\n    - require:\n      - pkg: b|c", ("state", "bc", "pkg", ())),
        ("a:\n  x.y:\n    - require:\n      - p|kg: bc", ("state", "bc", "pkg", ())),
        ("a:\n  x.y:\n    - require:\n      - b|c", ("state", "bc", "", ())),
        ("a:\n  x.y:\n    - require:\n      - sls: b.|c", ("sls", "b.c", "", ())),
        ("include:\n  - .b|c", ("sls", ".bc", "", ())),
        ("extend:\n  b|c:\n    x.y: []", ("state", "bc", "", ())),
        ("a:\n  x.y:\n    - source: salt://b/|c.txt", ("file", "b/c.txt", "", ())),
        ("{% from 'b/|c' import d %}", ("file", "b/c", "", ())),
        ("{% from 'b' import d as e %}\n{{ |e(1) }}", ("name", "d", "b", ())),
        ("{% macro d() %}{% endmacro %}\n{{ d|() }}", ("name", "d", "", ())),
        ("{{ salt['cmd.|run'] }}", ("execution function", "cmd.run", "", ())),
        ("{{ salt.c|md.run() }}", ("execution function", "cmd.run", "", ())),
        ("{{ salt['pillar.get']('a:b|c:d') }}", ("pillar", "bc", "", ("a", "bc"))),
        ("{{ pillar.a.b|c }}", ("pillar", "bc", "", ("a", "bc"))),
        ("{{ grains['o|s'] }}", ("grains", "os", "", ("os",))),
        ("# a|b", None),
        ("a:\n  x.y:\n    - name: b|c", None),
        ("in|clude:\n  - a", None),
        ("|", None),
    ],
)
def test_targets(target, text, found):
    assert target(text) == found


def test_in_top_files_and_pillar(target):
    assert target("base:\n  '*':\n    - w|eb", "top.sls") == ("sls", "web", "", ())
    assert target("include:\n  - w|eb", setting="pillar_roots") == ("sls", "web", "", ())
    assert target("a|b: 1", setting="pillar_roots") is None


def test_paths_of_templates_as_formulas_write_them(target):
    for variable, path in (("tplroot", "web/m"), ("tpldir", "web/sub/m"), ("other", "/m")):
        text = f"{{%- from {variable} ~ '/m' import d, e with context %}}\n{{{{ |e.x }}}}"
        assert target(text, "web/sub/a.sls") == ("name", "e", path, ())


def test_the_line_of_a_definition():
    text = "{# x #}\n{%- macro a(b) -%}\n{% set ab = 1 %}"

    assert definition_line(text, "a") == 2
    assert definition_line(text, "ab") == 3
    assert definition_line(text, "b") == 0
