import copy
from collections import OrderedDict

import pytest
from jinja2 import StrictUndefined, UndefinedError
from jinja2.sandbox import SandboxedEnvironment

from salt_g.data.nested import merge_recursive
from salt_g.formats.ordered import Ordered, unmarked
from salt_g.formats.yaml_dump import dump
from salt_g.formats.yaml_load import load

TEXT = "b: 1\na: {d: 1, c: 2}\n"


def test_yaml_keeps_the_order_of_an_author():
    data = load(TEXT, mapping=Ordered)

    assert dump(data, default_flow_style=True) == "{b: 1, a: {d: 1, c: 2}}\n"


def test_yaml_sorts_any_other_mapping():
    assert dump(load(TEXT), default_flow_style=True) == "{a: {c: 2, d: 1}, b: 1}\n"


def test_yaml_sorts_an_ordered_mapping_when_asked():
    text = dump(load(TEXT, mapping=Ordered), default_flow_style=True, sort_ordered=True)

    assert text == "{a: {c: 2, d: 1}, b: 1}\n"


def test_copies_are_ordered_on_every_level_and_apart():
    data = load(TEXT, mapping=Ordered)

    copied = copy.deepcopy(data)

    assert copied == data
    assert isinstance(copied["a"], Ordered) and copied["a"] is not data["a"]
    assert isinstance(copy.copy(data), Ordered) and isinstance(data.copy(), Ordered)


def test_a_mapping_in_itself_can_be_copied():
    data = Ordered()
    data["self"] = data

    copied = copy.deepcopy(data)

    assert copied["self"] is copied


def test_a_merge_is_as_ordered_as_what_is_merged_into():
    ordered, plain = load(TEXT, mapping=Ordered), load("z: 1\n")

    assert isinstance(merge_recursive(ordered, plain), Ordered)
    assert not isinstance(merge_recursive(plain, ordered), Ordered)


def test_errors_of_templates_call_it_as_stock_does():
    template = SandboxedEnvironment(undefined=StrictUndefined).from_string("{{ data.nope }}")

    with pytest.raises(UndefinedError, match="'collections.OrderedDict object' has no attribute 'nope'"):
        template.render(data=Ordered(a=1))


def test_an_ordered_mapping_becomes_text_as_in_stock():
    nested = {"b": 1, "a": OrderedDict(c=2)}

    assert str(load("b: 1\na: {c: 2}\n", mapping=Ordered)) == str(OrderedDict(nested))
    assert f"{Ordered(b=1)}" == str(OrderedDict(b=1))


def test_an_unmarked_mapping_becomes_text_as_any_other():
    assert str(unmarked(load("b: [{c: 2}]\n", mapping=Ordered))) == "{'b': [{'c': 2}]}"
