"""Findings, and the known names that are nearest to a wrong one."""

import pytest

from salt_g.state.compile.diagnostics import Problem, Problems


@pytest.mark.parametrize(
    ("wanted", "known", "nearest"),
    [
        ("ngnix", ["nginx", "apache"], ["nginx"]),
        ("web1", ["web1x", "web1y", "web1z", "web1w"], ["web1z", "web1y", "web1x"]),
        ("a", ["zzz"], []),
        ("", ["a"], []),
        ("10", [10, 100], ["10", "100"]),
    ],
)
def test_at_most_three_known_names_are_nearest(wanted, known, nearest):
    assert Problem("x", wanted=wanted, known=known).nearest == nearest


def test_findings_keep_their_order_and_what_they_are_about():
    problems = Problems()
    problems.add("one", sls="web", state_id="a")
    problems.extend([Problem("two"), Problem("one")])

    assert problems.messages() == ["one", "two", "one"]
    assert [problem.sls for problem in problems] == ["web", "", ""]
    assert problems
    assert not Problems()


def test_a_replaced_text_keeps_its_place_and_only_whole_texts_are_replaced():
    problems = Problems()
    problems.add("one", sls="web")
    problems.add("one and more")

    problems.replace("one", "two")

    assert [(problem.message, problem.sls) for problem in problems] == [("two", "web"), ("one and more", "")]
