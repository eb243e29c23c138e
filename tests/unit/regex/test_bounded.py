"""Regular expressions of targets, which have bounded cost."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from salt_g.errors import TargetError
from salt_g.regex.bounded import MAX_PATTERN, compile_bounded, matches_start


@pytest.mark.parametrize(
    "pattern",
    [
        *[
            "(a+)+$",
            "(a*)*b",
            "((a+)?)*b",
            "(x|a+)+$",
            "(?:(?:a+))+b",
            "(a+b?)+$",
            "(a|aa)+$",
            r"(\w\w|\w)+!",
        ],
        *[
            r"(.*,)*x",
            r"([a-z.]+\.)+com",
            "(a*a*,)*b",
            r"(\w+\d)+!",
            r"((?:a*a*)?,)*b",
            r"(a+)\1*(\1b?)+",
            "(?:.|a)*?(b+)*c",
            "((ab)+)+$",
            "(?:(?:b?){2}a)*!",
        ],
    ],
)
def test_a_repeat_of_a_repeat_is_refused(pattern):
    with pytest.raises(TargetError, match="repeats a repeat"):
        compile_bounded(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        *[
            r"(web\d+,)*x",
            r"web\d+\.[a-z]+",
            "(ab)+c*",
            r"(\d+-)+\d+",
            "(a{1,3}){2}",
            r"(\d{1,3}\.){3}\d{1,3}",
        ],
        *[
            r"([a-z0-9-]+\.)+example\.com",
            "(web|db)+",
            r"(\w+\.)*\w+",
            r".*foo.*bar.*",
            "(?:foo-?)+",
            r"(\S+\s+)*x",
        ],
        *[
            "^(?!db).*",
            "(web|db|mq)[0-9]{2,}(-[a-z]+)?(-[0-9]+)?$",
            r"\A(?:test\.(ping|echo)|state\..*)\Z",
            "(ab?)+",
        ],
    ],
)
def test_usual_patterns_compile(pattern):
    assert compile_bounded(pattern).pattern == pattern


def test_an_invalid_pattern_is_named():
    with pytest.raises(TargetError, match=r"'\(x' is invalid"):
        compile_bounded("(x")


def test_a_very_long_pattern_is_refused():
    with pytest.raises(TargetError, match="exceeds the limit of 4096"):
        compile_bounded("a" * (MAX_PATTERN + 1))


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("[\u0100-\uffff]" * 10, "too many wide ranges"),
        ("(?:" * 250 + "ax" + "|b)+" * 250, "too many groups"),
    ],
)
def test_patterns_that_take_long_to_check_are_refused(pattern, reason):
    with pytest.raises(TargetError, match=reason):
        compile_bounded(pattern)


def test_the_start_of_the_text_has_to_match():
    assert matches_start("we", "web")
    assert not matches_start("eb", "web")
    assert matches_start("WE", "web", ignore_case=True)


@pytest.mark.parametrize(
    "pattern", ["(.*a){12}", "a?" * 40 + "a" * 40, ".*" * 12 + "x", "(a?){60}b", "a*" * 80 + "b"]
)
def test_too_many_repeats_are_refused(pattern):
    with pytest.raises(TargetError, match="too many repeats"):
        compile_bounded(pattern)


@pytest.mark.parametrize(
    ("pattern", "subject"),
    [(".*a.*a.*b", "a" * 60_000), ("a*" * 5 + "b", "a" * 1000)],
)
def test_a_subject_that_is_too_long_for_its_pattern_does_not_match(pattern, subject):
    began = time.process_time()

    matched = matches_start(pattern, subject)

    assert not matched
    assert time.process_time() - began < 1.0


@given(
    st.recursive(
        st.sampled_from(["a", "b", "[ab]", ".", r"\w", "ab"]),
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "{0,3}", "*?"])).map(
                lambda t: f"(?:{t[0]}){t[1]}"
            ),
            st.tuples(inner, inner).map("".join),
            st.tuples(inner, inner).map(lambda t: f"(?:{t[0]}|{t[1]})"),
        ),
        max_leaves=6,
    )
)
@settings(max_examples=300)
def test_an_allowed_pattern_ends_soon(pattern):
    began = time.process_time()

    try:
        for subject in ("a" * 40, "ab" * 20, "ba" * 20 + "b"):
            matches_start(f"{pattern}!", subject)
    except TargetError:
        pass

    assert time.process_time() - began < 2.0
