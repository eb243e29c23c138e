"""File filters, with the values that stock gives."""

import pytest

from salt_g.render.jinja.filters.files import path_join

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


@pytest.mark.parametrize("parts", [(5,), ("a", 1), (None, "x"), (["a"],)])
def test_only_text_is_joined_to_a_path(parts):
    with pytest.raises(TypeError, match="expected str, bytes"):
        path_join(*parts)
