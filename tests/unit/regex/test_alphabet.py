"""Character sets as bits."""

import pytest

from salt_g.regex.alphabet import Alphabet


def test_sets_share_what_both_name():
    alphabet = Alphabet(map(ord, "ax"), ignore_case=False)

    assert alphabet.one(ord("a")) & alphabet.listed([("RANGE", (ord("a"), ord("f")))])
    assert not alphabet.one(ord("a")) & alphabet.one(ord("x"))
    assert alphabet.everything & alphabet.one(ord("x"))


@pytest.mark.parametrize(
    ("kind", "inside", "outside"),
    [
        ("DIGIT", "0", "a"),
        ("SPACE", " ", "_"),
        ("WORD", "_", "-"),
        ("NOT_DIGIT", "a", "0"),
        ("NOT_WORD", "-", "é"),
    ],
)
def test_categories(kind, inside, outside):
    alphabet = Alphabet(map(ord, inside + outside), ignore_case=False)
    found = alphabet.listed([("CATEGORY", f"CATEGORY_{kind}")])

    assert found & alphabet.one(ord(inside))
    assert not found & alphabet.one(ord(outside))


def test_a_negated_set_is_all_others():
    alphabet = Alphabet([ord("a")], ignore_case=False)
    found = alphabet.listed([("NEGATE", None), ("LITERAL", ord("a"))])

    assert found == alphabet.everything & ~alphabet.one(ord("a"))


def test_a_character_that_is_not_named_has_a_neighbour_or_a_sample():
    alphabet = Alphabet([ord("k")], ignore_case=False)

    assert alphabet.listed([("RANGE", (ord("l"), ord("p")))])


@pytest.mark.parametrize("ignore_case", [False, True])
def test_cases_are_one_character_where_case_is_ignored(ignore_case):
    alphabet = Alphabet([ord("k")], ignore_case=ignore_case)

    assert bool(alphabet.one(ord("k")) & alphabet.one(ord("K"))) is ignore_case
