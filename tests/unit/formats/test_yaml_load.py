"""Loaded YAML: the values that SLS files mean by it."""

import pytest

from salt_g.errors import YamlError
from salt_g.formats.yaml_load import load, load_located


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0644", 644),
        ("-010", -8),
        ("08", "08"),
        ("0x1F", 31),
        ("0b11", 3),
        ("0o17", "0o17"),
        ("1_000", 1000),
        ("12:30:45", 45045),
        ("1:30.5", 90.5),
        ("1e3", "1e3"),
        ("1.0e+3", 1000.0),
        ("-.inf", float("-inf")),
        ("yes", True),
        ("Off", False),
        ("y", "y"),
        ("~", None),
        ("2020-01-02 03:04:05", "2020-01-02 03:04:05"),
        ("!!binary aGk", b"hi"),
        ("!!str 12", "12"),
        ("!!int '08'", 8),
        ("'yes'", "yes"),
        ("", None),
    ],
)
def test_a_scalar_is_read_by_the_rules_of_sls_files(text, value):
    assert load(text) == value


def test_mappings_keep_their_order():
    assert list(load("b: 1\na: 2\nc: 3\n")) == ["b", "a", "c"]


def test_own_keys_win_over_merged_ones():
    text = "x: &x {p: 1, q: 2}\nz:\n  <<: *x\n  q: 9\n"

    assert load(text)["z"] == {"p": 1, "q": 9}


def test_an_alias_is_the_same_object():
    data = load("a: &a [1]\nb: *a\n")

    assert data["a"] is data["b"]


def test_a_repeated_key_is_an_error_with_both_places():
    with pytest.raises(YamlError) as caught:
        load("a: 1\nb: 2\na: 3\n")

    assert str(caught.value) == (
        'while constructing a mapping\n  in "<unicode string>", line 1, column 1\n'
        "found conflicting ID 'a'\n  in \"<unicode string>\", line 3, column 1"
    )
    assert (caught.value.line, caught.value.column, caught.value.stage) == (3, 1, "construct")


def test_two_merged_mappings_that_share_a_key_are_refused():
    with pytest.raises(YamlError, match="found conflicting ID 'q'"):
        load("x: &x {q: 2}\ny: &y {q: 3}\nw:\n  <<: [*x, *y]\n")


def test_a_mapping_as_key_shows_the_nodes():
    with pytest.raises(YamlError) as caught:
        load("x: {{ a }}")

    assert "found unacceptable key [(ScalarNode(tag='tag:yaml.org,2002:str', value='a')" in str(caught.value)


def test_the_given_name_is_in_messages():
    with pytest.raises(YamlError) as caught:
        load("a: [1\n", name="/etc/x.conf")

    assert 'in "/etc/x.conf", line 1, column 4' in str(caught.value)


@pytest.mark.parametrize(
    ("text", "problem", "stage"),
    [
        ("a: b: c", "mapping values are not allowed in this context", "scan"),
        ("a:\n\tb: 1", "found character that cannot start any token", "scan"),
        ("a: !foo x", "could not determine a constructor for the tag '!foo'", "construct"),
        ("a: 1\n---\nb: 1", "but found another document", "compose"),
    ],
)
def test_the_problem_and_the_stage_of_an_error_can_be_distinguished(text, problem, stage):
    with pytest.raises(YamlError) as caught:
        load(text)

    assert (caught.value.problem, caught.value.stage) == (problem, stage)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[salt://a, salt://b]", ["salt://a", "salt://b"]),
        ("{a: http://x?y=1, b: c:d}", {"a": "http://x?y=1", "b": "c:d"}),
        ("[1:30, 'x:y']", [90, "x:y"]),
    ],
)
def test_colons_and_question_marks_may_be_inside_of_brackets(text, value):
    assert load(text) == value


def test_bytes_are_read_as_utf_8():
    assert load("a: [é:b, http://x]".encode()) == {"a": ["é:b", "http://x"]}


def test_a_bottomless_document_is_refused():
    with pytest.raises(YamlError, match="nested deeper"):
        load("[" * 50_000)


def test_lines_of_the_upper_keys_are_known():
    data, lines = load_located("web:\n  pkg.installed:\n    - name: x\n\n1: {a: {b: {c: 1}}}\n")

    assert data[1] == {"a": {"b": {"c": 1}}}
    assert lines == {
        ("web",): 1,
        ("web", "pkg.installed"): 2,
        (1,): 5,
        (1, "a"): 5,
        (1, "a", "b"): 5,
    }
