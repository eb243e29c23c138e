"""Trees of nodes, and the parser's errors converted to ours."""

import pytest

from salt_g.errors import YamlError
from salt_g.formats import yaml_scalars
from salt_g.formats.yaml_nodes import MAP, MAX_DEPTH, SEQ, STR, compose, describe, tag_object


class Mark:
    def __init__(self, line, column, name="x"):
        self.line, self.column, self.name = line, column, name


def test_nodes_have_tags_values_and_places():
    root = compose("a: 0644\nb: ['1', x]\n")

    (a, number), (_, items) = root.value
    assert (root.ctag, a.ctag, items.ctag) == (MAP, STR, SEQ)
    assert (number.ctag, number.value) == (tag_object(yaml_scalars.INT), "0644")
    assert [item.ctag for item in items.value] == [STR, STR]
    assert (items.start_mark.line, items.start_mark.column) == (1, 3)


@pytest.mark.parametrize(
    ("text", "stage", "line"),
    [
        ("a: [1\n", "parse", 2),
        ("a: 'x\n", "scan", 2),
        ("a: 1\n\tb: 2\n", "scan", 2),
        ("a: *nobody\n", "compose", 1),
        ("a: 1\n---\nb: 2\n", "compose", 2),
        ("a: 1\nb: \x01\n", "read", 2),
        (b"a: \xff\n", "read", 1),
        ("a: \udc80\n", "read", 0),
    ],
)
def test_an_error_says_in_which_phase_and_line_it_was_found(text, stage, line):
    with pytest.raises(YamlError) as refused:
        compose(text, name="web.sls")

    assert (refused.value.stage, refused.value.line) == (stage, line)
    # The reader's own message counts characters.
    assert stage == "read" or f'in "web.sls", line {line}' in str(refused.value)


@pytest.mark.parametrize("text", ["[" * (MAX_DEPTH + 1), "- " * (MAX_DEPTH + 1) + "x", "{a: " * 5000])
def test_a_document_that_is_nested_too_deeply_is_refused(text):
    with pytest.raises(YamlError, match=f"deeper than {MAX_DEPTH} levels"):
        compose(text)


def test_a_long_document_lets_others_run_meanwhile():
    turns = []

    compose("- x\n" * 10_000, yield_to_hub=lambda: turns.append(1))

    assert len(turns) == 10


def test_colons_inside_of_brackets_are_text():
    root = compose("a: [salt://b, x?y]\n")

    assert [item.value for item in root.value[0][1].value] == ["salt://b", "x?y"]


def test_a_place_that_two_lines_of_an_error_share_is_reported_once():
    place = '  in "web.sls", line 2, column 5'

    assert describe("while a", Mark(1, 4), "found b", Mark(1, 4), "web.sls").count(place) == 1
    assert describe("while a", Mark(1, 4), "found b", Mark(2, 4), "web.sls").count(place) == 1
    assert describe(None, None, "found b", Mark(1, 4), None) == 'found b\n  in "x", line 2, column 5'
