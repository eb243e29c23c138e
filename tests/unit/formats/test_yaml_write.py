"""Text of node trees, which parses to the same tree."""

import io

import pytest

from salt_g.formats import yaml_scalars
from salt_g.formats.yaml_load import load
from salt_g.formats.yaml_nodes import (
    SEQ,
    STR,
    ScalarNode,
    SequenceNode,
    compose,
    tag_object,
)
from salt_g.formats.yaml_write import resolve, write


def text_of(node, **layout):
    stream = io.StringIO()
    write(node, stream, layout)
    return stream.getvalue()


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\nb:\n- x\n- '1'\n- 'yes'\n- ''\nü: |\n  one\n  two\n",
        "a: [1, {b: c}]\n",
        "&a {x: *a}\n",
        "- http://x\n- 'a: b'\n- '# c'\n- \" \\t\"\n",
    ],
)
def test_written_text_is_equivalent(text):
    before = load(text)
    after = load(text_of(compose(text)))

    assert str(after) == str(before)


@pytest.mark.parametrize("text", ["2020-01-01", "0644", "null", "~", "on", "<<", "="])
def test_text_that_a_reader_would_take_for_something_else_gets_quotes(text):
    assert text_of(ScalarNode(tag=STR, value=text)) in (f"'{text}'\n", f'"{text}"\n')


def test_a_single_word_has_no_end_mark():
    assert text_of(ScalarNode(tag=STR, value="word")) == "word\n"
    assert text_of(ScalarNode(tag=tag_object(yaml_scalars.INT), value="5")) == "5\n"


def test_a_block_that_keeps_its_empty_lines_has_one():
    text = "a: |+\n  x\n\n"

    assert text_of(compose(text)) == f"{text}...\n"
    assert load(f"{text}...\n") == {"a": "x\n\n"}


def test_a_tag_is_written_where_it_is_not_the_one_of_the_text():
    node = ScalarNode(tag=tag_object(yaml_scalars.BINARY), value="aGk=")

    assert load(text_of(SequenceNode(tag=SEQ, value=[node]))) == [b"hi"]


def test_letters_of_other_languages_are_written_as_they_are():
    text = "ü: 日本\n"

    assert text_of(compose(text)) == text


def test_a_node_in_quotes_is_text_whatever_it_says():
    assert resolve(ScalarNode, "5", (True, False)) == yaml_scalars.INT
    assert resolve(ScalarNode, "5", (False, True)) == yaml_scalars.STR
    assert resolve(ScalarNode, None, (True, False)) == yaml_scalars.NULL
