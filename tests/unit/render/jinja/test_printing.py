"""Printed values, with the values that stock gives."""

import pytest

RENDERED = [
    (
        "{'a': 'x\\ny', 'b': ['m\\nn'], 'c': {'d': 'q\\tr'}}",
        "{'a': \"x\\ny\", 'b': ['m\\nn'], 'c': {'d': \"q\\tr\"}}",
    ),
    ("['a\\nb']", "['a\\nb']"),
    ("({'a':1},)", "({'a': 1},)"),
    ("{'a': \"it's\"}", "{'a': \"it's\"}"),
    ("{'a': 'é\\n'}", "{'a': \"é\\n\"}"),
    ("{}", "{}"),
    ("{'a': none, 'b': true, 'c': 1.5, 1: 2}", "{'a': None, 'b': True, 'c': 1.5, 1: 2}"),
    ("'plain'", "plain"),
    ("none", "None"),
    ("true", "True"),
    ("odict([('z',1),('a','b')])", "{'z': 1, 'a': 'b'}"),
    ("[odict([('z',1)])]", "[{'z': 1}]"),
    ("{'a': {'b': {}}}", "{'a': {'b': {}}}"),
]


@pytest.mark.parametrize(("expression", "text"), RENDERED)
def test_an_expression_renders_as_with_stock(render, expression, text):
    assert render("{{ " + expression + " }}") == text
