"""Placeholder for values that only a minion knows, as templates use it."""

import json

import jinja2
import pytest

from salt_g.formats import yaml_dump
from salt_g.lint.unknown import TEXT, Lenient, NotedData, Unknown, holds_unknown, unknown_values


@pytest.mark.parametrize(
    "text",
    [
        "{{ x }}",
        "{{ x.a.b }}",
        "{{ x['a'][0] }}",
        "{{ x() }}",
        "{{ x.get('a', 1) }}",
        "{{ x + 1 }}",
        "{{ 2 * x }}",
        "{{ x / 2 }}",
        "{{ x ~ '' }}",
        "{{ x | default('y') }}",
    ],
)
def test_it_stays_unknown(text):
    assert jinja2.Environment().from_string(text).render(x=Unknown()) == TEXT


def test_it_has_no_items():
    text = "{% for a in x %}{{ a }}{% endfor %}{% for a, b in x.items() %}{{ a }}{% endfor %}"

    assert jinja2.Environment().from_string(text).render(x=Unknown()) == ""


def test_its_truth_is_that_of_the_pass(monkeypatch):
    assert bool(Unknown())
    monkeypatch.setattr(Unknown, "is_true", False)
    assert not Unknown()


def test_formats_take_it():
    assert json.loads(json.dumps({"a": Unknown()})) == {"a": TEXT}
    assert TEXT in yaml_dump.dump({"a": Unknown()})
    assert not Unknown() < 3


def test_it_is_recognized_inside():
    assert holds_unknown({"a": [f"x{TEXT}"]})
    assert not holds_unknown({"a": ["x", 1, None]})


def test_a_missing_key_is_unknown_and_reported():
    seen = []
    values = Lenient({"a": 1}, seen.append)

    assert (values["a"], values.get("a"), values.get("b", 2), values["c"]) == (1, 1, 2, TEXT)
    assert seen == ["b", "c"]
    assert "c" not in values


def test_read_keys_are_noted():
    read = []
    values = NotedData({"a": {"b": 1}}, read.append)

    assert values["a"]["b"] == 1
    assert values.get("c") is None
    assert "d" not in values
    assert read == ["a", "c", "d"]
    for look in (
        list,
        dict,
        lambda noted: {**noted},
        lambda noted: noted.items(),
        lambda noted: noted.values(),
    ):
        del read[:]
        look(values)
        assert None in read


def test_missing_keys_are_noted_too():
    read, missing = [], []
    values = Lenient({}, missing.append, read.append)

    assert values["a"] == TEXT
    assert values.get("b") is None
    assert set(read) == {"a", "b"}
    assert missing == ["a", "b"]


def test_unknown_values_are_false_in_a_block():
    with unknown_values(is_true=False):
        assert not Unknown()
        with unknown_values(is_true=True):
            assert Unknown()
        assert not Unknown()
    assert Unknown()
