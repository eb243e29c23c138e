"""Data from nodes: keys, merges, aliases and tags, and the location of errors."""

from collections import OrderedDict

import pytest

from salt_g.errors import YamlError
from salt_g.formats.yaml_construct import construct, construct_located


def data_of(text, mapping=dict):
    return construct(text, name="web.sls", mapping=mapping)


def test_own_keys_win_over_merged_ones():
    text = "a: &a {x: 1, y: 1}\nb: &b {x: 2, z: 2}\nc:\n  <<: [*a, *b]\n  x: own\n"

    assert data_of(text)["c"] == {"x": "own", "y": 1, "z": 2}


def test_two_merged_mappings_may_not_share_a_key():
    with pytest.raises(YamlError, match="found conflicting ID 'x'"):
        data_of("a: &a {x: 1}\nb: &b {x: 2}\nc: {<<: [*a, *b]}\n")


def test_merging_a_mapping_twice_gives_the_same_as_once():
    text = "a: &a {x: 1}\nb: &b {<<: *a, y: 2}\nc: {<<: *b}\nd: {<<: *b}\n"

    data = data_of(text)

    assert data["c"] == data["d"] == data["b"] == {"x": 1, "y": 2}


def test_an_alias_is_the_same_object_even_inside_of_itself():
    data = data_of("a: &a [1, *a]\nb: *a\n")

    assert data["a"] is data["b"]
    assert data["a"][1] is data["a"]


def test_tags_choose_the_type():
    text = "a: !!str 1\nb: !!int '2'\nc: !!set {x, y}\nd: !!binary aGk=\ne: !!python/unicode ü\n"

    assert data_of(text) == {"a": "1", "b": 2, "c": {"x", "y"}, "d": b"hi", "e": "ü"}


def test_every_mapping_is_of_the_wanted_type():
    data = data_of("a: {b: {}}", OrderedDict)

    assert {type(data), type(data["a"]), type(data["a"]["b"])} == {OrderedDict}


@pytest.mark.parametrize(
    ("text", "problem", "line", "column"),
    [
        ("a: 1\nb: 2\na: 3\n", "found conflicting ID 'a'", 3, 1),
        ("a:\n  ? [x]\n  : 1\n", "found unacceptable key", 2, 5),
        ("a: !nope 1\n", "could not determine a constructor for the tag '!nope'", 1, 4),
        ("a: !!int ten\n", "invalid literal for int", 1, 4),
        ("a: !!int [1]\n", "expected a scalar node, but found sequence", 1, 4),
        ("a: !!map [1]\n", "expected a mapping node, but found sequence", 1, 4),
        ("a: !!seq {b: 1}\n", "expected a sequence node, but found mapping", 1, 4),
        ("a: {<<: 1}\n", "expected a mapping or list of mappings for merging, but found scalar", 1, 9),
        ("a: {<<: [1]}\n", "expected a mapping for merging, but found scalar", 1, 10),
    ],
)
def test_an_error_says_what_and_where(text, problem, line, column):
    with pytest.raises(YamlError) as refused:
        data_of(text)

    assert problem in refused.value.problem
    assert (refused.value.line, refused.value.column) == (line, column)
    assert f'in "web.sls", line {line}, column {column}' in str(refused.value)


def test_keys_are_located_as_deep_as_asked_for():
    text = "web:\n  pkg.installed:\n    - name: x\n1: {a: {b: c}}\n"

    data, lines = construct_located(text, name="x", mapping=dict, depth=2)

    assert data == {"web": {"pkg.installed": [{"name": "x"}]}, 1: {"a": {"b": "c"}}}
    assert lines == {("web",): 1, ("web", "pkg.installed"): 2, (1,): 4, (1, "a"): 4}


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n", b""])
def test_an_empty_document_is_none(text):
    assert data_of(text) is None
