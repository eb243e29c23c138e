"""Templates of the file roots, seen from outside."""

import pytest

from salt_g.modules import jinja


class FakeRendering:
    """Records the text; renders to a mapping."""

    def render_text(self, text, *, pipe):
        self.seen = (text, pipe)
        return {"a": 1}


@pytest.mark.parametrize(
    ("function", "arguments", "first_line"),
    [
        (jinja.load_map, ("x/map.jinja", "x"), '{% from "x/map.jinja" import x with context %}'),
        (jinja.import_yaml, ("x.yaml",), '{% import_yaml "x.yaml" as imported %}'),
        (jinja.import_json, ("x.json",), '{% import_json "x.json" as imported %}'),
    ],
)
def test_a_template_that_imports_it_is_rendered(call_context, function, arguments, first_line):
    rendering = FakeRendering()
    call_context(opts={"renderer": "jinja|yaml"}, render=rendering)

    assert function(*arguments) == {"a": 1}
    assert rendering.seen[0].startswith(first_line)
    assert rendering.seen[1] == "jinja|yaml"
