"""Number of ways in which a pattern can divide a text."""

import contextlib
import string

import pytest

from salt_g.regex.cost import Effort, Excessive, Explosive, check_size, effort_of


@pytest.mark.parametrize(
    ("pattern", "effort"),
    [
        ("", Effort(0, 1)),
        ("web1", Effort(0, 1)),
        ("a*", Effort(1, 1)),
        ("a+b+", Effort(2, 1)),
        ("a{2}", Effort(0, 1)),
        ("a{0,3}", Effort(0, 4)),
        ("a?b?", Effort(0, 4)),
        ("a|b", Effort(0, 1)),
        ("a|ab", Effort(0, 2)),
        ("(?:a|b*)", Effort(1, 2)),
        ("(?=a*)b*", Effort(2, 1)),
        ("(a)?(?(1)b*|c)", Effort(1, 2)),
    ],
)
def test_repeats_and_choices_are_counted(pattern, effort):
    assert effort_of(pattern) == effort


@pytest.mark.parametrize(("count", "repeats"), [(62, 0), (63, 0), (64, 1), (65, 1)])
def test_a_long_repeat_counts_as_an_endless_one(count, repeats):
    assert effort_of(f"a{{0,{count}}}").repeats == repeats


@pytest.mark.parametrize("pattern", ["(a*)*", "(a|a?)+", r"(\w+_?)*", "(?:a+){65}", "(.*,)+"])
def test_a_repeat_of_something_ambiguous_explodes(pattern):
    with pytest.raises(Explosive):
        effort_of(pattern)


@pytest.mark.parametrize("pattern", ["((ab)+)+", "(?:(?:b?){2}a)*", "(?:(?:a+b?){1,2}c)+", "((a|b*){2}c)*"])
def test_a_group_in_a_repeat_counts_as_one_that_varies(pattern):
    with pytest.raises(Explosive):
        effort_of(pattern)


@pytest.mark.parametrize("pattern", [r"(?:(?:ab)+c)+", r"(?:(?:foo)?,)+", r"(?:(?:[a-z]+\d)+-)+"])
def test_groups_that_another_part_separates_are_allowed(pattern):
    assert effort_of(pattern).repeats > 0


@pytest.mark.parametrize("end", [")", "){2}", ")?", ")+c"])
def test_nested_choices_are_estimated_once(end):
    # The number of steps doubled with each level: 40 of them never ended.
    deep = "(?:" * 40 + "az" + "".join(f"|{letter}cd{end}" for letter in string.ascii_letters[:40])

    with contextlib.suppress(Explosive):
        effort_of(deep)


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("[\u0100-\uffff]" * 10, "wide ranges"),
        ("".join(chr(0x4E00 + number) for number in range(501)), "more than 500 different characters"),
    ],
)
def test_a_pattern_that_takes_long_to_compile_is_refused(pattern, reason):
    with pytest.raises(Excessive, match=reason):
        check_size(pattern)


def test_usual_sets_are_compiled():
    check_size("[\u0100-\uffff]" * 5 + "[^a-z]" * 500)


@pytest.mark.parametrize("pattern", [r"(\d+,)*", "(ab*)*", r"([a-z]+-)*", "(?:[^,]*,)*"])
def test_a_repeat_of_separated_items_shares_the_text_only(pattern):
    assert effort_of(pattern) == Effort(2, 1)


def test_letters_of_both_cases_are_one_without_case():
    assert effort_of("(a+A)*") == Effort(2, 1)
    with pytest.raises(Explosive):
        effort_of("(a+A)*", ignore_case=True)


def test_a_short_repeat_of_an_ambiguous_item_multiplies_its_ways():
    assert effort_of("(a?a?){3}") == Effort(0, 4**3)
    assert effort_of("(a*b?){3}").repeats == 3


def test_steps_grow_with_the_length_to_the_power_of_the_repeats():
    assert Effort(0, 7).steps(1000) == 7
    assert Effort(1, 1).steps(1000) == 1000
    assert Effort(2, 3).steps(1000) == 1000 * 1001 // 2 * 3
    assert Effort(80, 1).steps(32) == 10**12
    assert Effort(5, 1).steps(0) == 1


def test_estimates_have_an_upper_limit():
    assert Effort(99, 10**12).steps(10**6) == 10**12
    assert effort_of("a?" * 200).ways == 10**12
