"""Criteria of a target, in any spelling."""

import pytest

from salt_g.wire.compound_words import ENGINES, WORD, criteria, looks_at_minions_word


def kinds(tgt, tgt_type="compound"):
    return list(criteria(tgt, tgt_type))


def test_words_of_a_compound_target_are_its_criteria():
    assert kinds("G@os:Debian and not web* or E@db\\d+") == [
        ("grain", "os:Debian"),
        ("glob", "web*"),
        ("pcre", "db\\d+"),
    ]


def test_other_targets_are_one_criterion():
    assert kinds("os:Debian", "grain") == [("grain", "os:Debian")]
    assert kinds(["a", "b"], "list") == [("list", "['a', 'b']")]


@pytest.mark.parametrize("tgt", ["(G@os:Debian)", "((G@os:Debian", "a)G@os:Debian", "not(G@os:Debian)"])
def test_no_parenthesis_hides_a_criterion(tgt):
    assert ("grain", "os:Debian") in kinds(tgt)


def test_a_target_may_be_a_list_of_words():
    assert kinds(["web*", "and", "I@role:db"]) == [("glob", "web*"), ("pillar", "role:db")]
    assert kinds([5]) == [("glob", "5")]


@pytest.mark.parametrize(("letter", "kind"), ENGINES.items())
def test_each_engine_has_its_letter(letter, kind):
    assert kinds(f"{letter}@x") == [(kind, "x")]


def test_a_delimiter_of_ones_own_is_no_part_of_the_pattern():
    assert kinds("G;@os;Debian") == [("grain", "os;Debian")]
    assert WORD.match("G;@os;Debian")["delimiter"] == ";"


def test_unknown_letters_are_unknown():
    assert kinds("Z@x") == [("unknown", "x")]
    assert kinds("N@webs") == [("nodegroup", "webs")]


@pytest.mark.parametrize(
    ("tgt", "tgt_type", "does"),
    [
        ("web* and P@os:D.*", "compound", True),
        ("S@10.0.0.0/8", "compound", True),
        ("R@%all", "compound", True),
        ("D@x", "compound", True),
        ("os:Debian", "grain", True),
        ("I@role:web and L@a,b", "compound", False),
        ("*", "glob", False),
    ],
)
def test_targets_that_depend_on_what_minions_say(tgt, tgt_type, does):
    assert looks_at_minions_word(tgt, tgt_type) is does
