"""Compiled SLS, and changes that invalidate them."""

import pytest

from salt_g.lint.compiled_tree import CompiledTree

FILES = {
    "a.sls": "include: [b]\nx:\n  test.nop: []\n",
    "b.sls": "{% from 'm.jinja' import y %}\n{{ y }}:\n  test.nop: []\n",
    "m.jinja": "{% set y = 'z' %}",
    "c.sls": "w:\n  cmd.run:\n    - name: {{ salt['cmd.run']('x') }}\n",
    "d.sls": "v:\n  file.managed:\n    - name: /v\n    - source: salt://v.txt\n",
}


@pytest.fixture
def context(compile_context):
    return compile_context(FILES)


@pytest.fixture
def tree(context):
    return CompiledTree(context, is_true=True)


@pytest.mark.parametrize(
    ("changed", "again"),
    [
        ("m.jinja", {"a", "b"}),
        ("b.sls", {"a", "b"}),
        ("b/init.sls", set()),
        ("a.sls", {"a"}),
        ("v.txt", {"d"}),
        ("c.sls", {"c"}),
    ],
)
def test_only_what_used_the_changed_file_is_compiled_again(context, tree, changed, again):
    before = {sls: tree.get(sls, "base") for sls in "abcd"}

    context.forget({changed})
    tree.forget({changed})

    assert {sls for sls in "abcd" if tree.get(sls, "base") is not before[sls]} == again
    assert len(tree.kept()) == 4


def test_an_outdated_sls_is_known_until_it_is_compiled_again(tree):
    before = {sls: tree.get(sls, "base") for sls in "abc"}
    tree.forget({"m.jinja"})

    assert sorted(tree.outdated()) == [("base", "a"), ("base", "b")]
    assert {sls: tree.last(sls, "base") for sls in "abc"} == before
    assert tree.last("nosuch", "base") is None

    assert tree.get("a", "base") is tree.last("a", "base") is not before["a"]
    assert list(tree.outdated()) == [("base", "b")]
    tree.settle()
    assert tree.last("b", "base") is None


def test_a_changed_import_is_read_again(context, tree, tmp_path):
    assert tree.get("a", "base").compilation.ids == {"x", "z"}
    (tmp_path / "states" / "m.jinja").write_text("{% set y = 'other' %}")

    context.forget({"m.jinja"})
    tree.forget({"m.jinja"})

    assert tree.get("a", "base").compilation.ids == {"x", "other"}


def test_only_what_met_an_unknown_value_is_compiled_for_both_of_its_truths(context, tree):
    other = CompiledTree(context, is_true=False, certain=tree)

    assert other.get("a", "base") is tree.get("a", "base")
    assert other.get("c", "base") is not tree.get("c", "base")
    assert other.last("a", "base") is tree.last("a", "base")
    assert other.last("c", "base") is other.get("c", "base")
    assert other.last("d", "base") is None
