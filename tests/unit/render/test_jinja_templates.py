"""Imports, tags, options and messages of templates."""

import pytest

from salt_g.errors import RenderError


def test_imported_templates_see_the_common_variables_but_not_those_set(render, files):
    files.add("lib.jinja", "{% set seen = v | default('nothing') %}{% set me = grains.id ~ sls %}")

    text = "{% set v = 1 %}{% import 'lib.jinja' as a %}{% import 'lib.jinja' as b with context %}"

    assert render(text + "{{ a.seen }} {{ b.seen }} {{ a.me }}") == "nothing 1 unita.b"


def test_relative_names_begin_at_the_directory_of_the_template(render, files):
    files.add("a/near.jinja", "{% set near = 'NEAR' %}")
    files.add("up.jinja", "{% set up = 'UP' %}")

    text = "{% from './near.jinja' import near %}{% from '../up.jinja' import up %}{{ near }} {{ up }}"

    assert render(text) == "NEAR UP"


def test_relative_names_cannot_leave_the_roots(refused):
    assert "TemplateNotFound: ../../x" in refused("{% import '../../x' as y %}")


def test_data_files_are_rendered_and_loaded(render, files):
    files.add("m.yaml", "z: 1\na: {{ 1 + 1 }}\n")
    files.add("m.json", '{"id": "{{ grains.id }}"}')
    files.add("m.txt", "plain {{ 3 }}\n")

    text = '{% import_yaml "m.yaml" as y %}{% import_json "m.json" as j %}{% import_text "m.txt" as t %}'

    assert render(text + "{{ [y, j, t] | tojson }}") == '[{"z": 1, "a": 2}, {"id": "unit"}, "plain 3"]'


def test_loaded_blocks_can_be_imported(render, files):
    files.add("map.jinja", "{% load_yaml as cfg %}\nwho: {{ grains.id }}\n{% endload %}")

    assert render("{% from 'map.jinja' import cfg %}{{ cfg.who }}") == "unit"


def test_a_changed_file_is_read_again(render, files):
    files.add("x.jinja", "{% set v = 1 %}")
    text = "{% from 'x.jinja' import v %}{{ v }}"
    first = render(text)
    files.add("x.jinja", "{% set v = 2 %}")

    assert (first, render(text)) == ("1", "2")


def test_random_filters_of_constants_are_computed_each_time(render):
    assert render("{{ 24 | random_str }}") != render("{{ 24 | random_str }}")


def test_functions_are_items_and_attributes(render):
    text = (
        "{{ salt['test.echo'](1) }}{{ salt.test.echo(2) }} {{ 'test.echo' in salt }} {{ 'no.such' in salt }}"
    )

    assert render(text) == "12 True False"


def test_a_function_that_fails_is_reported_with_the_line(refused):
    assert refused("a\n{{ salt['test.fail']() }}\n") == (
        "Problem running salt function in Jinja template: it broke; line 2\n\n"
        "---\na\n{{ salt['test.fail']() }}    <======================\n---"
    )


def test_the_lines_around_an_undefined_variable_are_shown(refused):
    text = "".join(f"{number}\n" for number in range(1, 9)) + "{{ nope }}\n" + "x\n" * 9

    assert refused(text) == (
        "Jinja variable 'nope' is undefined; line 9\n\n---\n[...]\n4\n5\n6\n7\n8\n"
        "{{ nope }}    <======================\nx\nx\nx\nx\nx\n[...]\n---"
    )


def test_a_fault_in_an_imported_file_shows_that_file(refused, files):
    path = files.add("lib.jinja", "{% macro m() %}\n{{ nope }}\n{% endmacro %}\n")

    assert refused("{% from 'lib.jinja' import m %}{{ m() }}") == (
        f"Jinja variable 'nope' is undefined\n{path}(2):\n---\n"
        "{% macro m() %}\n{{ nope }}    <======================\n{% endmacro %}\n---"
    )


def test_a_syntax_error_has_its_line(refused):
    assert refused("a\n{% if true %}\nb\n").startswith(
        "Jinja syntax error: Unexpected end of template. Jinja was looking for the following tags: 'elif'"
    )


def test_other_errors_show_the_traceback(refused):
    message = refused("{{ raise('custom problem') }}")

    assert message.startswith("Jinja error: custom problem\nTraceback (most recent call last):")
    assert "TemplateError: custom problem" in message


def test_the_place_of_an_error_is_in_its_attributes(service):
    with pytest.raises(RenderError) as caught:
        service().render_text("a\n{{ nope }}", pipe="jinja")

    assert caught.value.line == 2
    assert caught.value.context.startswith("---\na\n")


def test_sls_and_templates_have_options_of_their_own(service):
    made = service(
        jinja_sls_env={"trim_blocks": True},
        jinja_env={"variable_start_string": "<<", "variable_end_string": ">>"},
    )

    assert made.render_text("{% if true %}\nx{% endif %}", pipe="jinja", sls="a") == "x"
    assert made.render_template("<< 1 >>", engine="jinja") == "1"


def test_a_header_line_sets_options_of_one_file(render):
    assert render('#jinja2: {"trim_blocks": true}\n{% if true %}\nx{% endif %}\n') == "x\n"


def test_undefined_variables_may_be_allowed(service):
    assert service(allow_undefined=True).render_text("[{{ nope }}]", pipe="jinja") == "[]"


@pytest.mark.parametrize("text", ["{{ ''.__class__ }}", "{{ ''.__class__.__mro__ }}"])
def test_the_sandbox_keeps_python_out(refused, text):
    assert "access to attribute '__class__' of 'str' object is unsafe" in refused(text)


def test_an_unknown_argument_of_the_renderer_is_refused(service):
    with pytest.raises(RenderError, match="Unknown renderer option: -x"):
        service().render_text("a", pipe="jinja -x|yaml")


def test_a_py_template_returns_its_text(service):
    text = "def run():\n    return 'id ' + grains['id'] + ' ' + name\n"

    assert service().render_template(text, engine="py", context={"name": "n"}) == "id unit n"


def test_an_unknown_plugin_of_functions_is_undefined(service):
    class Table(dict):
        def has_plugin(self, name):
            return name == "test"

    made = service(tables={"modules": Table({"test.echo": lambda text: text})})
    text = "{{ salt.nosuch is defined }} {{ salt.test.echo('x') }}"

    assert made.render_template(text, engine="jinja") == "False x"


def test_binary_values_are_text_where_they_can_be(render):
    assert (
        render("{{ '{a: !!binary aGk, b: [!!binary /w==]}' | load_yaml }}") == "{'a': 'hi', 'b': [b'\\xff']}"
    )
