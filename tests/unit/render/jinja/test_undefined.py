"""Undefined values in filters, with the values that stock gives."""

import pytest

RENDERED = [
    ("undefinedvar | default('x')", "x"),
]
REFUSED = [
    ("[undefinedvar] | tojson", "Jinja variable 'undefinedvar' is undefined"),
    ("{'a':{'b':undefinedvar}} | yaml", "Jinja variable 'undefinedvar' is undefined"),
    ("[undefinedvar, other] | json", "Jinja variable 'undefinedvar' is undefined\n'other' is undefined"),
    ("undefinedvar | load_yaml", "Jinja variable 'undefinedvar' is undefined"),
    ("[undefinedvar] | combinations(1) | list", "Jinja variable 'undefinedvar' is undefined"),
]


@pytest.mark.parametrize(("expression", "text"), RENDERED)
def test_an_expression_renders_as_with_stock(render, expression, text):
    assert render("{{ " + expression + " }}") == text


@pytest.mark.parametrize(("expression", "message"), REFUSED)
def test_an_expression_is_refused_with_stocks_words(refused, expression, message):
    assert refused("{{ " + expression + " }}").partition("; line 1")[0] == message
