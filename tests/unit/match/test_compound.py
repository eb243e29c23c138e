"""Compound expressions: their meaning, and malformed ones, which match no minion."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salt_g.errors import TargetError
from salt_g.match.compound import check_compound
from salt_g.match.matchers import MinionView, matches

MINION = MinionView(
    "web1",
    grains={"os": "Debian", "a:b": "x", "n": {"k": "v"}},
    nodegroups={"g": "web* or db*", "none": [], "blank": ""},
)


def is_meant(tgt):
    return matches(tgt, "compound", MINION)


@pytest.mark.parametrize(
    "tgt",
    [
        "web*",
        "G@os:deb*",
        "web* and G@os:Debian",
        "not db* and web*",
        "web* not db*",
        "db* or web*",
        "db* and nope* or web*",
        "web* or nope* and nope*",
        "( db* or web* ) and not ( E@x.* )",
        "N@g and L@web1,web2",
        "not ( N@g and db* )",
        "G|@n|k|v",
        "P@os:(Debian|RedHat)",
        ["web*", "and", "G@os:Debian"],
        "X@y or web*",
        "N@none or web*",
        "web* and not N@none",
        "not N@blank",
        "(db* or web*",
    ],
)
def test_the_minion_is_meant(tgt):
    assert is_meant(tgt)


@pytest.mark.parametrize(
    "tgt",
    [
        "",
        "and web*",
        "web* and",
        "web* or or web*",
        "web* db*",
        "( web*",
        "web* )",
        "( )",
        "( ) or web*",
        "not ( )",
        "not E@(web1",
        "web* or E@[",
        "not P@os:(",
        "not J|@a|b|(",
        "N@none",
        "web* N@none",
        "( and web* )",
        "not",
        "not not web*",
        "N@nope or web*",
        "R@%cluster or web*",
        "G@os",
        "( " * 100 + "web*" + " )" * 100,
        7,
        None,
        {"web1": 1},
    ],
)
def test_a_malformed_or_false_expression_matches_no_minion(tgt):
    assert not is_meant(tgt)


@given(
    st.lists(
        st.sampled_from(["and", "or", "not", "(", ")", "web*", "db*", "N@g", "G@os:x", "R@y"]), max_size=12
    )
)
def test_any_row_of_words_ends_in_a_bool(words):
    assert is_meant(" ".join(words)) in (True, False)


@given(
    st.recursive(
        st.sampled_from(["web*", "db*"]),
        lambda inner: st.tuples(inner, st.sampled_from(["and", "or"]), inner),
    )
)
def test_parenthesised_trees_mean_what_python_means(tree):
    def words(node):
        return node if isinstance(node, str) else f"( {words(node[0])} {node[1]} {words(node[2])} )"

    def value(node):
        if isinstance(node, str):
            return node == "web*"
        left, right = value(node[0]), value(node[2])
        return left and right if node[1] == "and" else left or right

    assert is_meant(words(tree)) == value(tree)


@pytest.mark.parametrize(
    ("tgt", "text"),
    [
        ("(db* or web*", "'.db.' is read as one criterion; parentheses need spaces"),
        ("not db1)", "parentheses need spaces"),
        ("not web1,db1", "a list of ids is written L@web1,db1"),
        ("( web* or db*", "a closing parenthesis is missing"),
        ("web* or ( )", "no target between the parentheses"),
        (["web*", "or", "E@("], "regular expression '.' is invalid"),
        ("N@odd or web*", "a target is missing before '.'"),
    ],
)
def test_a_word_that_cannot_be_a_criterion_is_reported(tgt, text):
    with pytest.raises(TargetError, match=text):
        check_compound(tgt, {"odd": "web1 or"})


@pytest.mark.parametrize("tgt", ["web* and not N@blank", "G@cpu:*(R)*", "E@(web|db)1", "X@y or a@b", "L@a,b"])
def test_an_expression_without_such_words_passes(tgt):
    check_compound(tgt, {"blank": []})
