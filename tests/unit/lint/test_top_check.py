"""Checks of a top file."""

import pytest

from salt_g.lint.top_check import TopCheck, looks_like_pillar


@pytest.fixture
def top(compile_context):
    """Return a function that checks this top file, with SLS a, b and web.c."""
    others = {name: "x:\n  test.nop: []\n" for name in ("a.sls", "b.sls", "web/c.sls")}
    return lambda text: TopCheck(compile_context({**others, "top.sls": text}), "base")


def test_assignments_are_those_of_a_target(top):
    made = top("base:\n  '*': [a, 'web.*']\n  db: [b, match: glob]\n")

    assert made.assignments() == [["a", "web.c"]]
    assert made.assigns_both("a", "b")
    assert not made.assigns("nosuch")


def test_a_malformed_top_file(top):
    assert [found.rule for found in top("base: [a]\n").findings(["a"])] == ["top"]
    assert [found.rule for found in top("[a]\n").findings(["a"])] == ["top"]


def test_names_of_files_of_pillar():
    assert looks_like_pillar("test.pillar.default")
    assert looks_like_pillar("dev.pillar_top")
    assert not looks_like_pillar("web.pillars")
