"""`salt.utils.stringutils` for users' plugins."""

import pytest

from salt_g.compat.utils.values.stringutils import expr_match


@pytest.mark.parametrize(
    ("expression", "matches"), [("web*", True), ("web[0-9]+", True), ("we", False), ("(", False), ("*", True)]
)
def test_a_name_matches_a_glob_or_a_whole_expression(expression, matches):
    assert expr_match("web11", expression) is matches


def test_an_expression_without_a_bound_matches_nothing():
    assert not expr_match("a" * 40, "(a+)+b")
