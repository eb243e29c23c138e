"""Formats that programs read, by name."""

from collections import OrderedDict

import pytest

from salt_g.formats.serializers import reader, writer


@pytest.mark.parametrize("name", ["yaml", "json", "msgpack"])
def test_data_comes_back_as_it_was(name):
    data = {"a": "ü", "b": [1, {"c": None}], 1: True} if name != "json" else {"a": "ü", "b": [1, {"c": None}]}

    assert reader(name)(writer(name)(data)) == data


def test_yamlex_keeps_the_order_of_mappings_that_have_one():
    assert writer("yamlex")(OrderedDict(b=1, a=2)) == "{b: 1, a: 2}"
    assert reader("yamlex")("{b: 1}") == {"b": 1}


def test_json_text_keeps_letters_beyond_ascii():
    assert writer("json")({"a": "ü"}) == '{"a": "ü"}'
    assert writer("json")({"a": "ü"}, ensure_ascii=True) == '{"a": "\\u00fc"}'


def test_yaml_text_escapes_letters_beyond_ascii_by_default():
    assert writer("yaml")({"a": "ü"}) == '{a: "\\xFC"}'
    assert writer("yaml")({"a": "ü"}, allow_unicode=True) == "{a: ü}"


def test_a_yaml_scalar_has_no_end_mark():
    assert writer("yaml")("word") == "word"


def test_ini_sections_are_mappings_of_text():
    text = writer("configparser")({"main": {"port": 80}})

    assert reader("configparser")(text) == {"main": {"port": "80"}}


def test_data_without_sections_is_refused_for_ini():
    with pytest.raises(TypeError, match="can only serialize dictionaries"):
        writer("configparser")([1])


def test_text_without_sections_is_refused_for_ini():
    with pytest.raises(ValueError, match="no section headers"):
        reader("configparser")("port = 80")


def test_toml_is_read_and_written():
    pytest.importorskip("tomllib")
    pytest.importorskip("tomli_w")

    text = writer("toml")({"a": {"b": "ü"}})

    assert reader("toml")(text) == {"a": {"b": "ü"}}


def test_an_unknown_format_has_neither():
    assert writer("runes") is None
    assert reader("runes") is None
