"""Limits on the growth of a document through aliases."""

import pytest

from salt_g.errors import YamlError
from salt_g.formats.yaml_load import load


def bomb(levels, width=10):
    """Return a document of a few lines that expands to `width ** levels` values."""
    lines = ["a0: &a0 x"]
    lines += [
        f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * width)}]" for level in range(1, levels + 1)
    ]
    return "\n".join(lines)


def test_a_document_may_say_a_thing_twice():
    data = load("a: &a {x: 1}\nb: *a\nc: {<<: *a, y: 2}\n")

    assert data == {"a": {"x": 1}, "b": {"x": 1}, "c": {"x": 1, "y": 2}}


def test_a_thousand_values_by_aliases_are_harmless():
    data = load(bomb(3))

    assert len(data["a3"][9][9]) == 10


@pytest.mark.parametrize("levels", [7, 9, 400])
def test_a_document_that_grows_by_aliases_is_refused(levels):
    with pytest.raises(YamlError, match="aliases add more than"):
        load(bomb(levels))


def test_long_text_counts_by_its_length():
    with pytest.raises(YamlError, match="aliases add more than"):
        load("a: &a " + "x" * 100_000 + "\nb: [" + ", ".join(["*a"] * 200) + "]\n")


def test_merges_count_like_aliases():
    lines = ["a0: &a0 {x: 1}"]
    lines += [f"a{n}: &a{n} {{k{n}: 1, <<: [{', '.join([f'*a{n - 1}'] * 10)}]}}" for n in range(1, 10)]

    with pytest.raises(YamlError, match="aliases add more than"):
        load("\n".join(lines))


def test_aliases_nest_no_deeper_than_lists_may():
    lines = ["a0: &a0 [x]", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 2000))]

    with pytest.raises(YamlError, match="aliases nest the document deeper"):
        load("\n".join(lines))


def test_data_may_refer_to_itself():
    data = load("a: &a [*a]\n")

    assert data["a"][0] is data["a"]


def test_a_large_document_without_aliases_is_not_counted():
    data = load("a: {" + ", ".join(f"'k{n}*': {n}" for n in range(50_000)) + "}")

    assert len(data["a"]) == 50_000
