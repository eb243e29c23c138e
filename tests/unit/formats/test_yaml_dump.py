"""Dumped YAML: the bytes that stock's dumper writes."""

from collections import OrderedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salt_g.formats.yaml_dump import dump
from salt_g.formats.yaml_load import load

_TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)
_SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | _TEXT
_DATA = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4),
    max_leaves=15,
)


@given(_DATA, st.sampled_from([None, True, False]))
def test_dumped_text_can_be_loaded(data, flow_style):
    assert load(dump(data, default_flow_style=flow_style)) == data


@pytest.mark.parametrize(
    ("data", "options", "text"),
    [
        ({"b": 1, "a": [1, "x"]}, {}, "a: [1, x]\nb: 1\n"),
        ({"b": 1, "a": [1, "x"]}, {"default_flow_style": False}, "a:\n- 1\n- x\nb: 1\n"),
        ({"b": 1, "a": 2}, {"sort_keys": False}, "{b: 1, a: 2}\n"),
        (OrderedDict(b=1, a=2), {}, "{b: 1, a: 2}\n"),
        (
            ["yes", "0644", "2020-01-01", "1.5", "é", "~", ""],
            {},
            "['yes', '0644', '2020-01-01', '1.5', é, '~', '']\n",
        ),
        ([None, True, 1e17, float("inf")], {}, "[null, true, 1.0e+17, .inf]\n"),
        ("x", {}, "x\n"),
        ("a\nb", {"default_style": '"'}, '"a\\nb"\n'),
        ("a\n\n", {"default_style": "|"}, "|+\n  a\n\n...\n"),
        ({1, 2}, {}, "!!set {1: null, 2: null}\n"),
        (b"x", {}, "!!binary |\n  eA==\n"),
        (object, {}, "NULL\n"),
        ((), {}, "[]\n"),
    ],
)
def test_data_is_laid_out_as_stock_does(data, options, text):
    assert dump(data, **options) == text


def test_an_object_that_occurs_twice_is_an_alias():
    shared = [1]

    assert dump({"a": shared, "b": shared}) == "a: &id001 [1]\nb: *id001\n"
