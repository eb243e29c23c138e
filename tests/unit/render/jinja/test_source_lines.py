"""Source lines of rendered text, through tags, macros, imports and includes."""

import pytest

from salt_g.errors import RenderError


@pytest.fixture
def lines_of(service, files):
    """Return a function that returns {stripped rendered line: source location} of an SLS.

    A location is `line` or `file:line<used at`.
    """

    def make(text, **opts):
        path = files.add("web.sls", text)
        made = service(**opts)
        found = made.locate_sls(path, sls="web", saltenv="base")
        rendered = found.text.splitlines()
        plain = [line.strip() for line in rendered if line.strip()]
        # Marks leave no trace in what is rendered.
        assert "\U000f5a17" not in found.text
        places = {}
        for number, line in enumerate(rendered, 1):
            at = found.source_of(number)
            shown = f"{at.name}:{at.line}<{at.used_at}" if at.name else str(at.line)
            places.setdefault(line.strip(), []).append(shown)
        return {line: places[line][0] if len(places[line]) == 1 else places[line] for line in plain}

    return make


def test_a_loop_shows_the_same_lines_again(lines_of):
    found = lines_of("{% for i in [1, 2] %}\nid{{ i }}:\n  test.nop: []\n{% endfor %}\nlast: test.nop\n")

    assert found == {"id1:": "2", "id2:": "2", "test.nop: []": ["3", "3"], "last: test.nop": "5"}


@pytest.mark.parametrize("options", [{}, {"trim_blocks": True, "lstrip_blocks": True}])
def test_whitespace_that_tags_remove_moves_no_line(lines_of, options):
    text = (
        "{%- set a = 1 -%}\n\n{# a comment\nof two lines #}\n{%- if a %}\n  \nx: test.nop\n"
        "    {% else %}\ny: test.nop\n    {%- endif %}\nz: test.nop\n"
    )

    assert lines_of(text, jinja_sls_env=options) == {"x: test.nop": "7", "z: test.nop": "11"}


def test_a_line_that_begins_with_an_expression_is_its_own(lines_of):
    assert lines_of("{% set a = 'x' %}\n{{ a }}: test.nop\n\n{{ a ~ 'y' }}: test.nop") == {
        "x: test.nop": "2",
        "xy: test.nop": "4",
    }


def test_lines_of_one_value_belong_to_the_line_that_prints_it(lines_of):
    text = "a: test.nop\n{{ {'b': {'c': 1, 'd': 2}} | yaml(False) }}\ne: test.nop\n"

    assert lines_of(text) == {"a: test.nop": "1", "b:": "2", "c: 1": "2", "d: 2": "2", "e: test.nop": "3"}


def test_a_macro_shows_its_own_lines_and_its_callers(lines_of, files):
    files.add("lib/m.jinja", "{% macro m(n) %}\n{{ n }}:\n  test.nop: []\n{% endmacro %}\n")
    text = "# x\n{% from 'lib/m.jinja' import m %}\n{{ m('q') }}\nb: test.nop\n"

    assert lines_of(text) == {
        "# x": "1",
        "q:": "lib/m.jinja:2<3",
        "test.nop: []": "lib/m.jinja:3<3",
        "b: test.nop": "4",
    }


def test_a_relative_import_is_named_from_the_roots(lines_of, files):
    files.add("m.jinja", "{% macro m() %}\nq: test.nop\n{% endmacro %}")

    assert lines_of("{% import './m.jinja' as lib %}\n{{ lib.m() }}\n") == {"q: test.nop": "m.jinja:2<2"}


def test_an_included_template_shows_its_own_lines(lines_of, files):
    files.add("part.jinja", "{% if true %}\nq: test.nop\n{% endif %}\n")

    assert lines_of("a: test.nop\n{% include 'part.jinja' %}\nb: test.nop\n") == {
        "a: test.nop": "1",
        "q: test.nop": "part.jinja:2<2",
        "b: test.nop": "3",
    }


def test_a_macro_of_the_same_file_shows_its_lines(lines_of):
    text = "{% macro m() %}\nq: test.nop\n{% endmacro %}\n{{ m() }}\nb: test.nop\n"

    assert lines_of(text) == {"q: test.nop": "2", "b: test.nop": "5"}


def test_values_are_what_they_are_without_marks(lines_of, files):
    files.add("map.yaml", "{% set n = 1 %}\nport: {{ n }}\nname: web\n")
    text = (
        "{% import_yaml 'map.yaml' as map %}\n"
        "{% load_yaml as more %}\nx: 1\ny: [a,\n  b]\n{% endload %}\n"
        "{% set block %}\n text\n{% endset %}\n"
        "{% set plain = (1, block | length)[1] %}\n"
        "{% filter upper %}\na{{ map.port }}: test.nop\n{% endfilter %}\n"
        "b{{ more.y[1] }}{{ plain }}: test.nop\n"
    )

    assert lines_of(text) == {"A1: TEST.NOP": "12", "bb7: test.nop": "14"}


def test_the_block_of_a_call_shows_the_lines_of_its_file(lines_of, files):
    files.add("m.jinja", "{% macro m(n) %}\n{{ n }}:\n  test.nop:\n{{ caller() }}\n{% endmacro %}\n")
    text = "{% from 'm.jinja' import m %}\n{% call m('q') %}\n    - a: 1\n    - b: 2\n{% endcall %}\n"

    assert lines_of(text) == {
        "q:": "m.jinja:2<2",
        "test.nop:": "m.jinja:3<2",
        "- a: 1": "3",
        "- b: 2": "4",
    }


def test_a_call_whose_block_is_looked_at_keeps_the_lines_of_its_macro(lines_of):
    text = (
        "{% macro m() %}\n{% set n = caller() | length %}\nl{{ n }}: test.nop\n{% endmacro %}\n"
        "{% call m() %}\n a\n{% endcall %}\n"
    )

    assert lines_of(text) == {"l4: test.nop": "3"}


def test_a_macro_whose_text_is_looked_at_has_the_line_of_its_use(lines_of):
    text = "{% macro m() %}\n a\n{% endmacro %}\n{% set n = m() | length %}\n\nl{{ n }}: test.nop\n"

    assert lines_of(text) == {"l4: test.nop": "6"}


def test_a_line_of_options_at_the_top_counts(lines_of):
    text = '#jinja2: {"trim_blocks": true}\n{% if true %}\na: test.nop\n{% endif %}\n'

    assert lines_of(text) == {"a: test.nop": "3"}


def test_text_that_is_no_yaml_has_its_source_lines_too(service, files):
    path = files.add("bad.sls", "{% for i in [1, 2, 3] %}\n# {{ i }}\n{% endfor %}\na: b: c\n")
    made = service()

    with pytest.raises(RenderError) as caught:
        made.render_sls(path, sls="bad", saltenv="base")
    located = made.locate_sls(path, sls="bad", saltenv="base")

    assert caught.value.line == 8
    assert located.source_of(8) == ("", 4, 0)
    assert located.data == {}


def test_a_text_without_template_is_its_own_source(service, files):
    located = service().locate_sls(files.add("a.sls", "a: test.nop\n"), sls="a", saltenv="base")

    assert located.sources == ()
    assert located.source_of(1) == ("", 1, 0)
