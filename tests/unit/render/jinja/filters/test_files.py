"""File filters, with the values that stock gives."""

import pytest

RENDERED = [
    ("'/a/' | path_join('b','/c')", "/a/b/c"),
    ("'a' | path_join('..','b')", "b"),
    ("'a' | path_join", "a"),
    ("'a' | path_join('b', use_posixpath=True)", "a/b"),
    ("'/etc/passwd' | is_empty", "False"),
    ("'/nonexistent' | is_empty", "False"),
    ("'/etc/passwd' | is_text_file", "True"),
    ("'/bin/sh' | is_bin_file", "True"),
    ("'/nonexistent' | is_text_file", "False"),
    ("'/etc/passwd' | is_bin_file", "False"),
    ("'nosuchprog' | which", "None"),
    ("'root' | get_uid", "0"),
    ("'nosuchuser' | get_uid", "None"),
]


@pytest.mark.parametrize(("expression", "text"), RENDERED)
def test_an_expression_renders_as_with_stock(render, expression, text):
    assert render("{{ " + expression + " }}") == text
