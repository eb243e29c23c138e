"""Paths into nested data, and merging of it."""

import pytest

from salt_g.data.nested import merge_recursive, traverse

DATA = {"a": {"b": [{"c": 1}, {"c": 2, "d": 3}, 4]}, "x:y": 5, 7: "seven", "n": {-2: "minus"}, "t": (1, 2)}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("a:b:0:c", 1),
        ("a:b:1:c", 2),
        ("a:b:c", 1),
        ("a:b:d", 3),
        ("a:b:-1", 4),
        ("x:y", 5),
        ("7", "seven"),
        (7, "seven"),
        ("n:-2", "minus"),
        ("t:1", 2),
    ],
)
def test_a_path_leads_to_its_value(path, value):
    assert traverse(DATA, path) == value


@pytest.mark.parametrize(
    "path",
    ["a:z", "a:b:3", "a:b:-4", "a:b:0:c:d", "", ":", "a:b:--1", "a:b:²", "a:²", "a:b:" + "9" * 5000, "n:-"],
)
def test_a_path_to_nothing_gives_the_default(path):
    assert traverse(DATA, path, "default") == "default"


def test_another_delimiter_is_taken_literally():
    assert traverse({"a": {"b:c": 1}}, "a|b:c", delimiter="|") == 1


def test_maps_merge_and_all_else_is_replaced():
    base, over = {"a": {"b": 1, "c": [1]}, "d": 1}, {"a": {"c": [2]}, "d": {"e": 1}}

    assert merge_recursive(base, over) == {"a": {"b": 1, "c": [2]}, "d": {"e": 1}}
    assert merge_recursive(base, over, merge_lists=True)["a"]["c"] == [1, 2]
    assert base == {"a": {"b": 1, "c": [1]}, "d": 1}


def test_joined_lists_keep_their_order_without_what_is_there_already():
    assert merge_recursive([1, 2], [2, {"a": 1}, 3], merge_lists=True) == [1, 2, {"a": 1}, 3]


def test_without_copies_the_callers_values_are_shared():
    base, over = {"a": {"b": [1]}}, {"a": {"c": [2]}, "d": [3]}

    merged = merge_recursive(base, over, copies=False)

    assert merged == {"a": {"b": [1], "c": [2]}, "d": [3]}
    assert (base, over) == ({"a": {"b": [1]}}, {"a": {"c": [2]}, "d": [3]})
    assert merged["d"] is over["d"]


def test_a_merged_result_shares_nothing_with_its_source():
    over = {"a": {"b": [1]}}

    merged = merge_recursive({}, over)
    merged["a"]["b"].append(2)

    assert over == {"a": {"b": [1]}}
