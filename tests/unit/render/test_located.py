"""Data of an SLS with the lines of its ids."""

import pytest

from salt_g.render.located import render_located
from salt_g.render.pipe import PipeStep
from salt_g.render.request import RenderRequest

YAML = PipeStep("yaml", "")
REQUEST = RenderRequest(opts={}, files=None, path="/web.sls")


def test_lines_belong_to_the_text_that_yaml_read():
    found = render_located("a:\n  test.nop: []\n\nb: test.nop\n", [YAML], REQUEST)

    assert found.data == {"a": {"test.nop": []}, "b": "test.nop"}
    assert (found.text, found.path) == ("a:\n  test.nop: []\n\nb: test.nop\n", "/web.sls")
    assert {key: line for key, line in found.lines.items() if key in (("a",), ("b",), "a", "b")}


@pytest.mark.parametrize("text", ["", "# nothing\n", "null\n"])
def test_an_empty_file_is_an_empty_mapping(text):
    assert render_located(text, [YAML], REQUEST).data == {}


@pytest.mark.parametrize(("text", "steps"), [('{"a": 1}', [PipeStep("json", "")]), ("text", [])])
def test_other_renderers_have_no_lines(text, steps):
    found = render_located(text, steps, REQUEST)

    assert (found.lines, found.text) == ({}, "")


def test_data_that_an_earlier_step_returned_are_not_read_again():
    found = render_located('{"a": 1}', [PipeStep("json", ""), YAML], REQUEST)

    assert (found.data, found.lines) == ({"a": 1}, {})
