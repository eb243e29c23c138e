"""Tests of templates, with the values that stock gives."""

import pytest

RENDERED = [
    ("'abc' is match('b')", "False"),
    ("'abc' is match('a.c')", "True"),
    ("1 is equalto(1)", "True"),
    ("(1,) is list", "False"),
    ("[1] is list", "True"),
    ("{} is mapping", "True"),
]


@pytest.mark.parametrize(("expression", "text"), RENDERED)
def test_an_expression_renders_as_with_stock(render, expression, text):
    assert render("{{ " + expression + " }}") == text
