"""Strategies for merging pillar of several sources."""

import pytest

from salt_g.pillar.merging import Merging

BASE, OVER = {"a": {"b": 1, "l": [1]}, "c": 1}, {"a": {"l": [2]}, "d": 2}


@pytest.mark.parametrize(
    ("strategy", "merged"),
    [
        ("recurse", {"a": {"b": 1, "l": [2]}, "c": 1, "d": 2}),
        ("none", {"a": {"b": 1, "l": [2]}, "c": 1, "d": 2}),
        ("overwrite", {"a": {"l": [2]}, "c": 1, "d": 2}),
        ("aggregate", {"a": {"l": [2]}, "c": 1, "d": 2}),
        ("list", {"a": [{"b": 1, "l": [1]}, {"l": [2]}], "c": 1}),
    ],
)
def test_each_strategy_has_its_result_and_changes_nothing(strategy, merged):
    before = repr((BASE, OVER))

    assert Merging(strategy).merge(BASE, OVER) == merged
    assert repr((BASE, OVER)) == before


def test_lists_are_joined_where_the_settings_say_so():
    merging = Merging.from_opts({"pillar_source_merging_strategy": "recurse", "pillar_merge_lists": True})

    assert merging.merge(BASE, OVER)["a"]["l"] == [1, 2]


@pytest.mark.parametrize(
    ("renderer", "strategy"),
    [
        ("jinja|yaml", "recurse"),
        ("jinja|yamlex", "aggregate"),
        ("yamlex_jinja", "aggregate"),
        (None, "recurse"),
    ],
)
def test_smart_looks_at_the_renderer(renderer, strategy):
    assert Merging.from_opts({"renderer": renderer}).strategy == strategy


def test_an_unknown_strategy_merges_recursively_and_is_warned_of(caplog):
    assert Merging("clever").merge(BASE, OVER) == Merging("recurse").merge(BASE, OVER)
    assert "unknown pillar_source_merging_strategy 'clever'" in caplog.text


def test_an_unknown_strategy_merges_mappings_and_replaces_lists():
    merged = Merging("nosuch", merge_lists=True).merge({"a": {"b": [1]}}, {"a": {"b": [2], "c": 3}})

    assert merged == {"a": {"b": [2], "c": 3}}
