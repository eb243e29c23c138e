"""Plain scalars that YAML reads as numbers, booleans or null, and their values."""

import math

import pytest

from salt_g.formats import yaml_scalars
from salt_g.formats.yaml_scalars import BOOL, FLOAT, INT, MERGE, NULL, READERS, STR, TIMESTAMP, VALUE, tag_of


@pytest.mark.parametrize(
    ("text", "tag", "value"),
    [
        ("0", INT, 0), ("-0", INT, 0), ("+1_000", INT, 1000), ("0644", INT, 644), ("-0644", INT, -0o644),
        ("000", INT, 0), ("0b101", INT, 5), ("-0x1F", INT, -31), ("1:30", INT, 90), ("-1:00:01", INT, -3601),
        ("1.", FLOAT, 1.0), (".5", FLOAT, 0.5), ("-1.5e+3", FLOAT, -1500.0), ("1:30.5", FLOAT, 90.5),
        ("-.inf", FLOAT, -math.inf), ("+.INF", FLOAT, math.inf),
        ("yes", BOOL, True), ("Off", BOOL, False), ("NO", BOOL, False),
        ("~", NULL, None), ("", NULL, None), ("NULL", NULL, None),
    ],
)  # fmt: skip
def test_words_that_are_not_text_have_values(text, tag, value):
    assert tag_of(text) == tag
    read = READERS[tag](text)
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize(
    "text",
    ["y", "n", "yEs", "nULL", "1e3", "08", "1:60", "0x", "1.5e3", ".", "-", "+.nan", "1.2.3", "2020-01-01",
     "٣", "1 ", "inf"],
)  # fmt: skip
def test_other_words_are_text(text):
    assert tag_of(text) == STR


def test_merges_and_values_have_tags_of_their_own():
    assert (tag_of("<<"), tag_of("=")) == (MERGE, VALUE)


@pytest.mark.parametrize("text", ["2020-01-01", "2020-1-1 1:02:03.4 Z", "2020-01-01T10:00:00+02:00"])
def test_a_date_stays_text_but_is_written_with_quotes(text):
    assert tag_of(text) == STR
    assert yaml_scalars.written_tag_of(text) == TIMESTAMP
    assert READERS[TIMESTAMP](text) == text


def test_not_a_number_is_read():
    assert math.isnan(READERS[tag_of(".NaN")](".NaN"))


@pytest.mark.parametrize(
    ("tag", "text"),
    [(BOOL, "maybe"), (INT, "ten"), (INT, ""), (INT, "0b2"), (FLOAT, "x"), (yaml_scalars.BINARY, "ü")],
)
def test_a_value_that_does_not_match_its_tag_is_an_error(tag, text):
    with pytest.raises(ValueError):
        READERS[tag](text)


@pytest.mark.parametrize("text", ["aGk=", "aGk", "aG\nk="])
def test_binary_text_may_lack_its_padding_or_be_folded(text):
    assert READERS[yaml_scalars.BINARY](text) == b"hi"
