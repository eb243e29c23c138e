"""Environments of templates: the sandbox, deferred variables, bounds, and code that is compiled once."""

import jinja2
import pytest
from jinja2.exceptions import SecurityError

from salt_g.api import Deferred
from salt_g.render.jinja.environment import Environment, compiled


def rendered(text, *, options=(), name=None, **variables):
    environment = Environment.of_rendering(options, variables)
    return environment.from_code(compiled(options, text, name, name)).render(variables)


def test_a_deferred_variable_is_computed_for_templates_that_name_it():
    gathered = []

    def gather():
        gathered.append("grains")
        return {"os": "X"}

    assert rendered("{{ 1 }}", grains=Deferred(gather)) == "1"
    assert gathered == []
    assert rendered("{{ grains.os }}", grains=Deferred(gather)) == "X"
    assert gathered == ["grains"]


@pytest.mark.parametrize("text", ["{{ ().__class__ }}", "{{ f.__globals__ }}"])
def test_attributes_of_python_itself_are_refused(text):
    with pytest.raises(SecurityError):
        rendered(text, f=rendered)


def test_a_result_that_would_be_too_large_is_refused():
    with pytest.raises(OverflowError):
        rendered("{{ 'x' * 10 ** 10 }}")
    assert rendered("{{ 'x' * 3 }}{{ 2 ** 3 }}") == "xxx8"


def test_undefined_variables_are_errors_unless_they_are_allowed():
    with pytest.raises(jinja2.UndefinedError):
        rendered("{{ nosuch }}")
    assert rendered("[{{ nosuch }}]", options=(("allow_undefined", True),)) == "[]"


def test_the_same_text_is_compiled_once():
    first = compiled((), "{{ 1 }} once", "a.jinja", "/a.jinja")

    assert compiled((), "{{ 1 }} once", "a.jinja", "/a.jinja") is first


def test_code_of_an_identical_file_has_the_name_of_its_own():
    text = "{% set v = 1 %}identical"

    one, two = (compiled((), text, name, f"/{name}") for name in ("one.jinja", "two.jinja"))

    assert (one.co_filename, two.co_filename) == ("/one.jinja", "/two.jinja")


def test_a_faulty_file_is_named_in_its_error():
    with pytest.raises(jinja2.TemplateSyntaxError) as caught:
        compiled((), "{% if %}", "bad.jinja", "/bad.jinja")

    assert (caught.value.name, caught.value.filename) == ("bad.jinja", "/bad.jinja")


def test_renderings_share_nothing_that_a_template_or_filter_can_change():
    first = Environment.of_rendering((), {"x": 1})
    first.filters["shout"] = first.tests["loud"] = first.globals["y"] = str
    second = Environment.of_rendering((), {})
    assert "shout" not in second.filters and "loud" not in second.tests
    assert not {"x", "y"} & second.globals.keys()
    assert second.bounds is not first.bounds and second.globals["range"].__self__ is second.bounds
