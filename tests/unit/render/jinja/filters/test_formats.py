"""Format filters, with the values that stock gives."""

import pytest

RENDERED = [
    ("{'b':1,'a':[1,{'c':none}]} | yaml", "{a: [1, {c: null}], b: 1}"),
    ("{'b':1,'a':[1,{'c':none}]} | yaml(false)", "a:\n- 1\n- c: null\nb: 1"),
    ("'x' | yaml", "x"),
    ("none | yaml", "null"),
    ("'multi\\nline' | yaml", "'multi\n\n  line'"),
    ("[] | yaml", "[]"),
    ("'yes' | yaml", "'yes'"),
    ("1.5 | yaml", "1.5"),
    ("'a: b' | yaml", "'a: b'"),
    ("'' | yaml", "''"),
    ("'é' | yaml", "é"),
    ("{'b':1,'a':'é<>'} | json", '{"a": "é<>", "b": 1}'),
    ("{'b':1,'a':2} | json(sort_keys=False)", '{"b": 1, "a": 2}'),
    ("{'b':[1]} | json(indent=2)", '{\n  "b": [\n    1\n  ]\n}'),
    ("'x' | json", '"x"'),
    ("{'b':1,'a':'é<>&\\''} | tojson", '{"b": 1, "a": "\\u00e9\\u003c\\u003e\\u0026\\u0027"}'),
    ("[1] | tojson(2)", "[\n  1\n]"),
    ("{'b':1,'a':2} | tojson(sort_keys=True)", '{"a": 2, "b": 1}'),
    ("'é' | tojson(ensure_ascii=False)", '"é"'),
    ("{'b':1,'a':'é'} | python", "{'a': 'é', 'b': 1}"),
    ("'x' | python", "'x'"),
    ("{'r': {'a': 1, 'b': {'c': 'x'}}} | xml", '<?xml version="1.0" ?>\n<r a="1">\n <b c="x"/>\n</r>\n'),
    ("{'r': 'text'} | xml", '<?xml version="1.0" ?>\n<r>text</r>\n'),
    (
        "{'a': {'b': {'c': {'d': true}}}} | xml",
        '<?xml version="1.0" ?>\n<a>\n <b>\n  <c d="True"/>\n </b>\n</a>\n',
    ),
    ("{'a':1,'l':[1,2]} | dict_to_sls_yaml_params", "- a: 1\n- l:\n  - 1\n  - 2"),
    ("{'a':1} | dict_to_sls_yaml_params(flow_style=True)", "[{a: 1}]"),
    ("'{a: 1, b: [x, y]}' | load_yaml", "{'a': 1, 'b': ['x', 'y']}"),
    ("'[http://x]' | load_yaml", "['http://x']"),
    ("'{\"a\": 1}' | load_json", "{'a': 1}"),
    ("'x' | load_text", "x"),
    ("'2020-01-01' | load_yaml", "2020-01-01"),
    ("'' | load_yaml", "None"),
    ("'a\"b\\n\\té☃' | yaml_dquote", '"a\\"b\\n\\t\\xE9\\u2603"'),
    ('"it\'s\\n\\nx" | yaml_squote', "'it''s\n\n\nx'"),
    ("'x' | yaml_squote", "'x'"),
    ("' lead' | yaml_squote", "' lead'"),
    ("'x' | yaml_encode", '"x"'),
    ("1.5 | yaml_encode", "1.5"),
    ("none | yaml_encode", "null"),
    ("'é' | yaml_encode", '"\\xE9"'),
    ("'a\\\\b' | yaml_dquote", '"a\\\\b"'),
    ("5 | yaml_dquote", '"5"'),
    ("'\\x07' | yaml_dquote", '"\\a"'),
    ("'x\\n' | yaml_squote", "'x\n\n'"),
]
REFUSED = [
    ("'x' | xml", "Jinja syntax error: Value is not a dict or list. Cannot render as XML"),
    ("'x' | load_json", "Jinja syntax error: Unable to load json from x"),
    ("5 | load_json", "Jinja syntax error: Unable to load json from 5"),
    ("{'a':1} | load_json", "Jinja syntax error: Unable to load json from {'a': 1}"),
]


@pytest.mark.parametrize(("expression", "text"), RENDERED)
def test_an_expression_renders_as_with_stock(render, expression, text):
    assert render("{{ " + expression + " }}") == text


@pytest.mark.parametrize(("expression", "message"), REFUSED)
def test_an_expression_is_refused_with_stocks_words(refused, expression, message):
    assert refused("{{ " + expression + " }}").partition("; line 1")[0] == message
