"""The parser and emitter used when the C part of ruamel.yaml is missing."""

import io

import pytest

from salt_g.formats import yaml_pure
from salt_g.formats.yaml_construct import Construction
from salt_g.formats.yaml_nodes import compose, resolve
from salt_g.formats.yaml_write import resolve as resolve_written
from salt_g.formats.yaml_write import write


@pytest.mark.parametrize(
    "text",
    [
        "a: 0644\nb: [yes, 1.5, ~, '010', http://x]\nc: &c {d: 2020-01-01}\ne:\n  <<: *c\n",
        "- |\n  one\n  two\n- >\n  a\n  b\n- !!binary aGk\n",
        "",
    ],
)
def test_it_gives_the_same_data_as_the_c_parser(text):
    pure = Construction("x").run(yaml_pure.parse(text, resolve))

    assert pure == Construction("x").run(compose(text))


def test_written_text_is_equivalent():
    text = "a: [1, 'yes', '2020-01-01']\nb:\n  c: x\n"
    stream = io.StringIO()

    yaml_pure.write(compose(text), stream, {"allow_unicode": True}, resolve_written)

    assert stream.getvalue() == text


@pytest.mark.parametrize(
    "layout",
    [
        *({"indent": number} for number in (None, 1, 4, 9, 10)),
        {"line_break": "\r\n"},
        {"explicit_start": True, "explicit_end": True},
    ],
)
def test_options_of_the_layout_are_those_of_the_c_emitter(layout):
    text = "a:\n  b: {x: 1}\n  c: |\n    one\n    two\n  d:\n  - e: f\n    g: h\n"
    pure, fast = io.StringIO(), io.StringIO()

    yaml_pure.write(compose(text), pure, {"allow_unicode": True, **layout}, resolve_written)
    write(compose(text), fast, layout)

    assert pure.getvalue() == fast.getvalue()


def test_canonical_text_has_the_same_data():
    text = "a: [1, 'yes']\nb:\n  c: x\n"
    stream = io.StringIO()

    yaml_pure.write(compose(text), stream, {"allow_unicode": True, "canonical": True}, resolve_written)

    assert '? !!str "a"' in stream.getvalue()
    assert Construction("x").run(compose(stream.getvalue())) == {"a": [1, "yes"], "b": {"c": "x"}}
