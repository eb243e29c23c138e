"""Errors of templates: the message, the line, the surrounding lines."""

import pytest

from salt_g.errors import InvocationError, RenderError
from salt_g.render.jinja.environment import Environment, compiled
from salt_g.render.jinja.failures import explain


def failure(text, variables=None, path="/srv/web.sls"):
    """Return the explained error of a text that cannot be rendered."""
    environment = Environment.of_rendering((), variables or {})
    try:
        environment.from_code(compiled((), text, None, None)).render(variables or {})
    except Exception as exc:  # a template may raise anything
        return explain(exc, text, variables or {}, path)
    raise AssertionError("the text was rendered")


def refuse():
    raise InvocationError("wrong argument")


def test_an_undefined_variable_has_its_line_and_file():
    error = failure("a\n{{ nosuch }}\n")

    assert str(error).startswith("Jinja variable 'nosuch' is undefined; line 2")
    assert (error.line, error.path) == (2, "/srv/web.sls")
    assert "{{ nosuch }}    <======================" in error.context


def test_a_syntax_error_and_a_forbidden_attribute_are_one_kind():
    assert str(failure("{{ ().__class__ }}")).startswith("Jinja syntax error: access to attribute")


def test_a_function_that_fails_is_named_as_such():
    error = failure("{{ refuse() }}", {"refuse": refuse})

    assert str(error).startswith("Problem running salt function in Jinja template: wrong argument; line 1")


def test_any_other_error_has_its_traceback():
    error = failure("{{ 1 / 0 }}")

    assert str(error).startswith("Jinja error: division by zero\nTraceback (most recent call last):")


def test_an_error_that_has_its_place_already_stays_as_it_is():
    error = RenderError("located", line=7)

    assert explain(error, "text", {}, "/srv/web.sls") is error


def test_a_line_of_an_imported_file_is_shown_from_there(refused, files):
    path = files.add("lib.jinja", "{% macro m() %}\n{{ nosuch }}\n{% endmacro %}\n")

    message = refused("\n\n{% from 'lib.jinja' import m %}{{ m() }}")

    assert f"Jinja variable 'nosuch' is undefined\n{path}(2):\n---\n" in message


def test_an_imported_file_with_the_name_of_the_sls_is_taken_for_it_as_by_stock(refused, files):
    files.add("a/b", "{% macro m() %}\n{{ nosuch }}\n{% endmacro %}\n")

    message = refused("first\nsecond\n{% from 'a/b' import m %}{{ m() }}")

    assert message.startswith("Jinja variable 'nosuch' is undefined; line 2\n")
    assert "second    <======================" in message


def test_an_error_in_an_imported_file_names_it(service, files):
    path = files.add("lib.jinja", "{# x #}\n{% set x = nosuch.y %}\n")

    with pytest.raises(RenderError) as caught:
        service().render_text("{% import 'lib.jinja' as lib %}")

    assert caught.value.template == (path, 2)
    assert failure("{{ nosuch }}").template is None
