"""Regular expressions of targets are bounded in effort."""

import pytest

from salt_g.errors import TargetError
from salt_g.regex import MAX_PATTERN, compile_bounded, matches_start


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a*)*b", "((a+)?)*b", "(x|a+)+$", "(?:(?:a+))+b", "(a+b?)+$"])
def test_a_repeat_of_a_repeat_is_refused(pattern):
    with pytest.raises(TargetError, match="repeats a repeat"):
        compile_bounded(pattern)


@pytest.mark.parametrize(
    "pattern", [r"(web\d+,)*x", r"web\d+\.[a-z]+", "(ab)+c*", r"(\d+-)+\d+", "(a{1,3}){2}"]
)
def test_usual_patterns_compile(pattern):
    assert compile_bounded(pattern).pattern == pattern


def test_an_invalid_pattern_is_named():
    with pytest.raises(TargetError, match=r"'\(x' is invalid"):
        compile_bounded("(x")


def test_a_very_long_pattern_is_refused():
    with pytest.raises(TargetError, match="at most"):
        compile_bounded("a" * (MAX_PATTERN + 1))


def test_the_start_of_the_text_has_to_match():
    assert matches_start("we", "web")
    assert not matches_start("eb", "web")
    assert matches_start("WE", "web", ignore_case=True)
