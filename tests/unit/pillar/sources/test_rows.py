"""Rows of a database as pillar."""

import pytest

from salt_g.errors import InvocationError
from salt_g.pillar.sources._rows import add_rows, queries

#: The columns and rows of stock's page about `with_lists`.
GROUPED = [
    ("a", "b", "c", "d", "e", 1),
    ("a", "b", "c", "f", "g", 2),
    ("a", "z", "h", "y", "j", 3),
    ("a", "z", "h", "y", "k", 4),
]


def rows(given, *rows):
    """Return the pillar of one query, with columns named k1, k2, …"""
    pillar = {}
    (query,) = queries([given], {})
    add_rows(pillar, query, [f"k{number}" for number in range(1, len(rows[0]) + 1)], rows)
    return pillar


def test_the_depth_says_how_many_columns_are_keys():
    row = ("a", "b", "c", "d")

    assert rows(["q", 1], row) == {"a": {"k2": "b", "k3": "c", "k4": "d"}}
    assert rows(["q", 2], row) == {"a": {"b": {"k3": "c", "k4": "d"}}}
    assert rows(["q", 3], row) == rows("q", row) == rows(["q", 9], row) == {"a": {"b": {"c": "d"}}}


def test_later_rows_win_or_make_lists():
    two = ("a", "b", 1), ("a", "b", 2)

    assert rows("q", *two) == {"a": {"b": 2}}
    assert rows({"query": "q", "as_list": True}, *two, ("a", "b", 3)) == {"a": {"b": [1, 2, 3]}}
    assert rows("q", ("a", 1), ("a", None)) == {"a": None}
    assert rows({"query": "q", "ignore_null": True}, ("a", 1), ("a", None)) == {"a": 1}


def test_columns_group_into_lists():
    assert rows({"query": "q", "with_lists": "1,3"}, *GROUPED) == {
        "a": [{"c": [{"e": 1}, {"g": 2}]}, {"h": [{"j": 3, "k": 4}]}]
    }


def test_documents_are_merged():
    given = {"query": "q", "as_json": True}
    one, two = ('{"a": {"b": [1, 2]}, "c": 3}',), ({"a": {"b": [1, 3]}, "d": 4},)

    assert rows(given, one, two) == {"a": {"b": [1, 3]}, "c": 3, "d": 4}
    assert rows({**given, "as_list": True}, one, two) == {"a": {"b": [1, 2, 3]}, "c": 3, "d": 4}
    with pytest.raises(InvocationError, match="must be a JSON object, not a list"):
        rows(given, ("[1]",))


def test_named_queries_have_places_of_their_own():
    pillar = {}
    for query in queries(["top"], {"b": "named", "a": {"query": "named"}, "empty": ""}):
        add_rows(pillar, query, ["key", "value"], [("x", query.query)])

    assert pillar == {"x": "top", "b": {"x": "named"}, "a": {"x": "named"}}


@pytest.mark.parametrize("given", [{"depth": 1}, {"query": "q", "deep": 1}, 7])
def test_a_malformed_query_is_reported(given):
    with pytest.raises(
        InvocationError, match="the query 'name' has .*; valid options are query, depth, as_list"
    ):
        queries([], {"name": given})
