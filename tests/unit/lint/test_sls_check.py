"""One compile that collects every finding."""

import pytest

from salt_g.lint.sls_check import Compilation, declared_elsewhere
from salt_g.state.compile.diagnostics import Problem


@pytest.fixture
def compiled(compile_context):
    """Return a function that compiles `a` in this tree."""
    return lambda files: Compilation(compile_context(files), ["a"], "base")


def test_a_compile_knows_what_it_declares(compiled):
    made = compiled({"a.sls": "include: [b]\nx:\n  test.nop: []\n", "b.sls": "y:\n  test.nop: []\n"})

    assert made.ids == {"x", "y"}
    assert made.includes == {"b"}
    assert [low["__id__"] for low in made.chunks] == ["x", "y"]
    assert made.problems == []


def test_the_line_of_an_id_is_known_after_the_compile(compiled, tmp_path):
    made = compiled({"a.sls": "# a\nx:\n  test.nop: []\n"})

    assert made.declared_at("a", "x") == (str(tmp_path / "states" / "a.sls"), ("", 2, 0))
    assert made.declared_at("nosuch", "x") == ("", ("", 0, 0))


def test_findings_of_all_layers(compiled):
    text = "include: [n]\nx:\n  test.nop:\n    - require: [test: n]\nextend:\n  z:\n    test: [y: 1]\n"

    assert [found.rule for found in compiled({"a.sls": text}).problems] == [
        "unknown-sls",
        "unknown-extend",
        "unknown-requisite",
    ]


def test_unknown_values_and_pillar_are_noted(compiled):
    assert compiled({"a.sls": "# {{ salt['cmd.run']('x') }}"}).has_unknown
    assert compiled({"a.sls": "# {{ pillar.get('x') }}"}).asks_pillar is False  # Pillar was not compiled.
    assert not compiled({"a.sls": "x:\n  test.nop: []\n"}).has_unknown


def test_others_may_declare_what_is_missing():
    problem = Problem("x", sls="a", wanted="nginx")

    assert declared_elsewhere(problem, {"a": {"nginx"}, "b": {"nginx"}, "c": {"y"}}) == ["b"]
