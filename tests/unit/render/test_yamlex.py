"""YAML with repeated keys, which are merged."""

import pytest

from salt_g.errors import RenderError
from salt_g.render.yamlex import render


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("", {}),
        ("a: 1\na: 2", {"a": 2}),
        ("a: !aggregate [1, 2]\na: !aggregate [2, 3]", {"a": [1, 2, 3]}),
        ("a: !aggregate 1\na: !aggregate 2", {"a": [1, 2]}),
        ("a: !aggregate {x: 1}\na: !aggregate {y: 2}", {"a": {"x": 1, "y": 2}}),
        ("a: {x: 1}\na: {y: 2}", {"a": {"y": 2}}),
        ("a: !aggregate [1]\na: [2]", {"a": [2]}),
        ("a: !aggregate [1]\n!reset a: !aggregate [2]", {"a": [2]}),
        ("a: !aggregate ~", {"a": []}),
        ("!aggregate a: 1\n!aggregate a: [2]", {"a": [1, 2]}),
        ("p: {!aggregate a: {x: 1}}\np: {!aggregate a: {y: 2}}", {"p": {"a": {"x": 1, "y": 2}}}),
        ("b: &b {x: 1}\na: {<<: *b, y: 2}", {"b": {"x": 1}, "a": {"x": 1, "y": 2}}),
    ],
)
def test_marks_say_what_is_joined(text, data):
    assert render(text, None) == data


@pytest.mark.parametrize("text", ["x: 1\na: @x", "x: 1\n? [a]\n: b", "x: 1\n? {a: 1}\n: b"])
def test_a_fault_is_a_render_error_with_its_line(text):
    with pytest.raises(RenderError) as caught:
        render(text, None)

    assert caught.value.line == 2
