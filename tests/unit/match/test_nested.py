"""Paths into grains and pillar."""

import pytest

from salt_g.match.nested import accepts_exact, accepts_glob, accepts_pcre, matches_nested

DATA = {
    "role": "Web",
    "list": ["a", {"k": {"deep": 1}}],
    "a": {"b": {"c": "d:e"}, "x": ["y"]},
    "n": 5,
    "none": None,
    "empty": {},
}


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        ("role:web", True),
        ("role:W*", True),
        ("role:we", False),
        ("role", False),
        ("list:a", True),
        ("list:k", True),
        ("list:k:deep:1", True),
        ("list:z", False),
        ("a:b:c:d:e", True),
        ("a:b:c:d", False),
        ("a:b", True),
        ("a:*:c:d:e", True),
        ("a:x:y", True),
        ("*:b", True),
        ("n:5", True),
        ("none:none", True),
        ("empty:*", False),
        ("nosuch:*", False),
    ],
)
def test_a_path_ends_in_a_value_or_a_key(expr, expected):
    assert matches_nested(DATA, expr, accepts_glob) is expected


@pytest.mark.parametrize("expr", ["a:" * 60 + "x", "*:" * 60 + "x", "*:a:" * 30 + "x"])
def test_deep_data_is_compared_once_at_each_level(expr):
    # Each level doubled the number of comparisons: 60 of them never ended.
    data = {"a": "b"}
    for _ in range(60):
        data = {"a": data}

    assert not matches_nested(data, expr, accepts_glob)


def test_another_delimiter_leaves_colons_in_values():
    assert matches_nested(DATA, "a|b|c|d:e", accepts_exact, delimiter="|")
    assert not matches_nested(DATA, "a:b", accepts_exact, delimiter="|")


def test_each_comparison_ignores_case_and_reads_its_own_patterns():
    assert accepts_glob("Web1", "w?b[0-9]")
    assert accepts_pcre("Web1", r"web\d$")
    assert not accepts_pcre("xWeb1", "web")
    assert accepts_exact("Web", "wEB")
    assert not accepts_exact("Web", "w*")


def test_a_broken_expression_matches_nothing_and_is_logged(caplog):
    assert accepts_pcre("a", "(") is False
    assert caplog.messages
