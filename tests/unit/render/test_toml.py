"""TOML as an SLS."""

import pytest

from salt_g.errors import RenderError
from salt_g.render.toml import render


def test_tables_are_mappings_and_nothing_is_one_too():
    assert render('[a]\nb = ["x", 1]\n', None) == {"a": {"b": ["x", 1]}}
    assert render("", None) == {}


@pytest.mark.parametrize("text", ["a: 1", "a = ", "a = 1\na = 2"])
def test_other_text_is_a_render_error(text):
    with pytest.raises(RenderError, match="invalid TOML"):
        render(text, None)
