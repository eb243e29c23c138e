"""Colons and question marks in brackets that the parser rejects and we read as text."""

import pytest

from salt_g.errors import YamlError
from salt_g.formats.yaml_flow_marks import HiddenMarks, may_be_refusal
from salt_g.formats.yaml_load import load


class Refusal:
    """An error of the parser at a position."""

    def __init__(self, line, column, problem="found unexpected ':'"):
        self.problem = problem
        self.problem_mark = self
        self.line, self.column = line, column


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("[salt://a, salt://b]", ["salt://a", "salt://b"]),
        ("{a: http://b?c=d}", {"a": "http://b?c=d"}),
        ("[a:b, 'c:d', e?]", ["a:b", "c:d", "e?"]),
        ("[a, b: c:d]", ["a", {"b": "c:d"}]),
        ("[10:30:00, a::b]", [37800, "a::b"]),
        ("x: y\u2028\nz: [c:d]", {"x": "y", "z": ["c:d"]}),
        ("[http://x/\ue000?\ue001]", ["http://x/\ue000?\ue001"]),
    ],
)
def test_they_are_read_as_written(text, data):
    assert load(text) == data


def test_an_error_beside_them_is_still_found_at_its_place():
    with pytest.raises(YamlError, match="did not find expected ',' or ']'") as refused:
        load("a: 1\nb: [c:d, e:f\n")

    assert refused.value.line == 3


def test_all_colons_of_addresses_are_hidden_at_once():
    hidden = HiddenMarks("[http://a,\n ftp://b, c:d]")

    assert hidden.hide(Refusal(0, 5))

    assert hidden.text.count(":") == 1
    assert hidden.restore(hidden.text) == "[http://a,\n ftp://b, c:d]"


@pytest.mark.parametrize(
    ("text", "column", "is_hidden"),
    [("[a:b]", 2, True), ("[a: b]", 2, False), ("[a:]", 2, False), ("[a:", 2, True), ("[a?]", 2, True),
     ("[?a]", 1, False), ("?", 0, False), ("[a]", 9, False)],
)  # fmt: skip
def test_an_indicator_is_not_hidden(text, column, is_hidden):
    hidden = HiddenMarks(text)

    assert hidden.hide(Refusal(0, column)) is is_hidden
    assert (hidden.text != text) is is_hidden
    assert len(hidden.text) == len(text)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\x85", "\u2028", "\u2029"])
def test_lines_end_where_the_parser_ends_them(end):
    hidden = HiddenMarks(f"a{end}{end}[b:c]")

    assert hidden.hide(Refusal(2, 2))
    assert hidden.restore(hidden.text[-5:]) == "[b:c]"
    assert ":" not in hidden.text


def test_only_errors_about_them_may_be_refusals():
    assert may_be_refusal(Refusal(0, 0))
    assert may_be_refusal(Refusal(0, 0, "did not find expected ',' or '}'"))
    assert not may_be_refusal(Refusal(0, 0, None))
    assert not may_be_refusal(Refusal(0, 0, "found undefined alias"))
