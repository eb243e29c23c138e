"""Date filters, with the values that stock gives."""

import pytest

RENDERED = [
    ("'86400' | strftime", "1970-01-02"),
    ("86400.5 | date_format", "1970-01-02"),
    ("'2002/12/25' | strftime", "2002-12-25"),
    ("'2015-01-01 10:00' | strftime('%H')", "10"),
    ("'2002-12-25' | strftime('%d')", "25"),
]


@pytest.mark.parametrize(("expression", "text"), RENDERED)
def test_an_expression_renders_as_with_stock(render, expression, text):
    assert render("{{ " + expression + " }}") == text
