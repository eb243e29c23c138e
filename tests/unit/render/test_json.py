"""JSON as an SLS."""

import pytest

from salt_g.render.json import render


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("", {}),
        (" \n", {}),
        ("#!json", {}),
        ('#!json\n{"a": [1]}', {"a": [1]}),
        ('{"a": "#!"}', {"a": "#!"}),
    ],
)
def test_a_text_is_data_without_its_first_line_of_renderers(text, data):
    assert render(text, None) == data


def test_other_text_is_an_error():
    with pytest.raises(ValueError, match="Expecting"):
        render("a: 1", None)
