"""Matching for the minion of the running call."""

import pytest

from salt_g.errors import NoCallContext, TargetError
from salt_g.match.service import Matches, this_minion


@pytest.fixture
def call(call_context):
    """Return a function that enters the call of a minion with these custom matchers."""

    def enter(matchers=None, **parts):
        return call_context(tables={"matchers": matchers or {}}, **parts)

    return enter


@pytest.mark.parametrize(
    ("tgt", "tgt_type", "options", "is_meant"),
    [
        ("uni*", "glob", {}, True),
        ("os:X", "grain", {}, True),
        ("os|X", "grain", {"delimiter": "|"}, True),
        ("a:b", "pillar", {}, True),
        ("group", "nodegroup", {}, True),
        ("unit", "glob", {"minion_id": "other"}, False),
        ("oth*", "glob", {"minion_id": "other"}, True),
        ("stored:1", "data", {}, True),
    ],
)
def test_the_data_of_the_call_are_matched(call, tgt, tgt_type, options, is_meant):
    call(
        grains={"os": "X"},
        pillar={"a": "b"},
        opts={"nodegroups": {"group": "unit"}},
        functions={"data.getval": {"stored": 1}.get},
    )

    assert Matches().matches(tgt, tgt_type, **options) is is_meant


def test_a_users_matcher_serves_a_type_of_its_own_or_a_built_in_one(call):
    matchers = {
        "colour_match.match": lambda tgt: tgt == "red",
        "glob_match.match": lambda tgt: tgt == "special",
        "grain_match.match": lambda tgt, delimiter=":": tgt == f"os{delimiter}Mine",
    }
    call(matchers=matchers, opts={"id": "m1"})

    assert Matches().matches("red", "colour") is True
    assert Matches().matches("blue", "colour") is False
    assert Matches().matches("special", "glob") is True
    assert Matches().matches("m1", "glob") is False
    assert Matches().matches("os|Mine", "grain", delimiter="|") is True
    assert Matches().matches("m1", "list") is True


def test_an_unknown_type_is_an_error(call):
    call()

    with pytest.raises(TargetError):
        Matches().matches("x", "nosuch")


def test_the_minion_is_read_from_the_call(call):
    call(opts={"id": "m1", "nodegroups": None, "range_server": "host:80"})

    minion = this_minion()

    assert (minion.id, minion.nodegroups, minion.range_server, minion.data("k")) == (
        "m1",
        {},
        "host:80",
        None,
    )
    assert this_minion("other").id == "other"


def test_there_is_no_minion_without_a_call():
    with pytest.raises(NoCallContext):
        this_minion()
