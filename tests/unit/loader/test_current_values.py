"""Proxies for values of the running call, converted to plain values."""

from collections import OrderedDict, UserString

import pytest

from salt_g import api
from salt_g.loader.current_values import plain


def test_maps_lists_and_texts_of_the_call_are_plain_at_any_depth(call_context):
    call_context(grains={"os": "Debian", "ips": ["a"]})

    found = plain({"a": [api.grains, (UserString("x"),)], UserString("key"): OrderedDict(b=1)})

    assert found == {"a": [{"os": "Debian", "ips": ["a"]}, ("x",)], "key": {"b": 1}}
    assert type(found["a"][0]) is dict
    assert {type(key) for key in found} == {str}


@pytest.mark.parametrize("value", [None, 5, 1.5, "text", b"bytes", {"set"}, frozenset("f")])
def test_other_values_stay(value):
    assert plain(value) is value
