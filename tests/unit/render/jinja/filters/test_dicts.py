"""Mapping filters, with the values that stock gives."""

import pytest

RENDERED = [
    ("{'a':{'b':[{'c':1},{'d':2}]}} | traverse('a:b:d')", "2"),
    ("{'a':{'b':[5,6]}} | traverse('a:b:1')", "6"),
    ("{'a':{'b':[5,6]}} | traverse('a:b:9','no')", "no"),
    ("{1:{'x':2}} | traverse('1:x')", "2"),
    ("{true:3} | traverse('true')", "3"),
    ("{'a':1} | traverse('a:b','d')", "d"),
    ("{'a':1} | traverse(['a'])", "1"),
    ("{'a:b':1} | traverse('a:b','d')", "d"),
    ("[1,2] | traverse(1)", "2"),
    ("'abc' | traverse('x','d')", "d"),
    ("none | traverse('x','d')", "d"),
    ("{'a':[{1:2}]} | traverse('a:1')", "2"),
    ("{'a':none} | traverse('a:b','d')", "d"),
    ("{'a':[1,2]} | traverse('a:-1')", "2"),
    ("{} | set_dict_key_value('a:b:c', 1)", "{'a': {'b': {'c': 1}}}"),
    ("{'a':5} | set_dict_key_value('a:b', 1)", "{'a': {'b': 1}}"),
    ("{} | set_dict_key_value('a.b', 1, delimiter='.')", "{'a': {'b': 1}}"),
    ("{'a':{'b':1}} | update_dict_key_value('a',{'c':2})", "{'a': {'b': 1, 'c': 2}}"),
    ("{'a':[1]} | append_dict_key_value('a',2)", "{'a': [1, 2]}"),
    ("{} | extend_dict_key_value('a:b',[1])", "{'a': {'b': [1]}}"),
    ("{'a':none} | append_dict_key_value('a',1)", "{'a': [1]}"),
    ("{'a':1,'b':2} | to_entries", "[{'key': 'a', 'value': 1}, {'key': 'b', 'value': 2}]"),
    ("['x'] | to_entries", "[{'key': 0, 'value': 'x'}]"),
    ("[{'Name':'a','Value':1},{'key':'','name':'n','value':2},{'x':1}] | from_entries", "{'a': 1, 'n': 2}"),
    (
        "['+--+--+','| a | b |','+--+--+','| 1 | x |','| 2 | y |'] | mysql_to_dict('a')",
        "{1: {'a': 1, 'b': 'x'}, 2: {'a': 2, 'b': 'y'}}",
    ),
    ("{'a':'é',1:['x',(2,'y')]} | json_encode_dict", "{b'a': b'\\xc3\\xa9', 1: [b'x', [2, b'y']]}"),
    ("['é',('b',)] | json_encode_list(encoding='latin-1', preserve_tuples=True)", "[b'\\xe9', (b'b',)]"),
    ("['é','b'] | json_decode_list(encoding='ascii', errors='ignore')", "[b'', b'b']"),
    ("{'a':'é'} | json_encode_dict(encoding='ascii', keep=True)", "{b'a': 'é'}"),
    ("['a',{'b':'c'}] | json_encode_list", "[b'a', {b'b': b'c'}]"),
    ("'ab' | json_encode_list", "[b'a', b'b']"),
    ("{'a': 1} | json_decode_list", "[b'a']"),
    ("{'h':[{'n':'a','up':true},{'n':'b','up':false}]} | json_query('h[?up].n')", "['a']"),
]


@pytest.mark.parametrize(("expression", "text"), RENDERED)
def test_an_expression_renders_as_with_stock(render, expression, text):
    assert render("{{ " + expression + " }}") == text
