"""YAML as an SLS."""

import pytest

from salt_g.errors import RenderError
from salt_g.render.yaml import render


def test_the_order_of_keys_is_kept_and_nothing_is_an_empty_mapping():
    assert list(render("z: 1\na: 2\n", None)) == ["z", "a"]
    assert render("# only a comment\n", None) == {}


@pytest.mark.parametrize(("text", "line"), [("a: 1\nb: @x\n", 2), ("a: [1\nb: 2\n", 2), ("a: 1\na: 2\n", 2)])
def test_a_fault_is_a_render_error_with_its_line(text, line):
    with pytest.raises(RenderError) as caught:
        render(text, None)

    assert caught.value.line == line


def test_a_second_document_is_the_readers_own_error():
    with pytest.raises(Exception, match="single document") as caught:
        render("a: 1\n---\nb: 2\n", None)

    assert not isinstance(caught.value, RenderError)
