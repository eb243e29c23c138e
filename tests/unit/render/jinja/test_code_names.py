"""Identical templates, compiled once, with the name of each in messages."""

import dis
from types import CodeType

import jinja2
import pytest

from salt_g.render.jinja import code_names, environment

LIBRARY = "{% macro one(x) %}\n{% from 'other.jinja' import lacking %}{{ lacking }}{{ x.y }}\n{% endmacro %}"


def compiled(text, name, filename):
    return environment.compiled.__wrapped__((), text, name, filename)


def direct(text, name, filename):
    return environment._compiler(()).compile(text, name, filename)


def meaning(code):
    """Return everything of a code object but the columns, which depend on the length of the name."""
    constants = [meaning(part) if isinstance(part, CodeType) else part for part in code.co_consts]
    lines = [line for _, line in dis.findlinestarts(code)]
    return code.co_filename, code.co_name, code.co_code, code.co_names, code.co_varnames, constants, lines


def module_of(code):
    loader = jinja2.DictLoader({"other.jinja": ""})
    surroundings = environment.Environment(())
    surroundings.loader = loader
    return surroundings.from_code(code).make_module()


@pytest.mark.parametrize("name", ["a/lib.jinja", "it's.jinja", 'a"b', "ü.jinja", "back\\slash"])
def test_code_is_the_same_as_if_it_were_compiled_under_its_name(name):
    assert meaning(compiled(LIBRARY, name, f"/srv/{name}")) == meaning(direct(LIBRARY, name, f"/srv/{name}"))


def test_a_second_copy_is_not_compiled(monkeypatch):
    compiled(LIBRARY, "a/lib.jinja", "/srv/a/lib.jinja")

    monkeypatch.setattr(environment, "_compiler", None)
    second = compiled(LIBRARY, "b/lib.jinja", "/srv/b/lib.jinja")

    assert second.co_filename == "/srv/b/lib.jinja"


def test_errors_of_a_copy_name_its_own_file_and_line():
    compiled(LIBRARY, "a/lib.jinja", "/srv/a/lib.jinja")

    with pytest.raises(jinja2.UndefinedError, match=r"imported on line 2 in 'b/lib.jinja'"):
        module_of(compiled(LIBRARY, "b/lib.jinja", "/srv/b/lib.jinja")).one(1)


def test_a_syntax_error_names_its_own_file():
    with pytest.raises(jinja2.TemplateSyntaxError) as caught:
        compiled("{% if %}", "a/bad.jinja", "/srv/a/bad.jinja")

    assert (caught.value.name, caught.value.filename, caught.value.lineno) == (
        "a/bad.jinja",
        "/srv/a/bad.jinja",
        1,
    )


def test_a_text_with_the_stand_in_name_keeps_it():
    text = f"{{{{ '{code_names.NAMELESS}' }}}}"

    assert compiled(text, "a.jinja", "/a.jinja") == direct(text, "a.jinja", "/a.jinja")
