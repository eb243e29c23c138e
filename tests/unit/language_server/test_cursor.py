"""Cursor positions in the text of an SLS."""

import pytest

from salt_g.language_server.cursor import JinjaPlace, jinja_place, key_lines, word_at, yaml_place


@pytest.mark.parametrize(
    ("before", "place"),
    [
        ("{{ salt['cmd.ru", JinjaPlace("function", "cmd.ru")),
        ("{% set x = salt.cmd.", JinjaPlace("function", "cmd.")),
        ("{{ salt['pillar.get']('a:b:c", JinjaPlace("pillar", "c", ("a", "b"))),
        ('{{ salt.grains.get("os', JinjaPlace("grains", "os")),
        ("{{ pillar['a'][\"b\"]['", JinjaPlace("pillar", "", ("a", "b"))),
        ("{{ pillar.get('a", JinjaPlace("pillar", "a")),
        ("{{ grains.a.b", JinjaPlace("grains", "b", ("a",))),
        ("{%- from 'a/b", JinjaPlace("template", "a/b")),
        ("{{ x }} {{ grains['o", JinjaPlace("grains", "o")),
        ("{{ my.pillar.x", None),
        ("{{ x }} salt['cmd", None),
        ("salt['cmd", None),
        ("{{ x", None),
    ],
)
def test_expressions_of_jinja(before, place):
    assert jinja_place(before) == place


@pytest.mark.parametrize(
    ("text", "keys", "is_item", "key", "prefix"),
    [
        ("we|", (), False, "", "we"),
        ("a:\n  pkg.|", ("a",), False, "", "pkg."),
        ("a:\n  pkg.installed:\n    - na|", ("a", "pkg.installed"), True, "", "na"),
        ("a:\n  pkg.installed:\n  - na|", ("a", "pkg.installed"), True, "", "na"),
        (
            "a:\n  f.m:\n    - x: 1\n    - require:\n      - pkg: n|",
            ("a", "f.m", "require"),
            True,
            "pkg",
            "n",
        ),
        ("a:\n  f.m:\n    - require:\n      - pkg: n\n    - |", ("a", "f.m"), True, "", ""),
        ("a:\n  f.m: []\nb:\n  |", ("b",), False, "", ""),
        ("a:\n  f.m:\n{% if x %}\n    # y\n    - |", ("a", "f.m"), True, "", ""),
        ("{{ x }}:\n  f.m:\n    - |", ("{{ x }}", "f.m"), True, "", ""),
        ("include:\n- a\n- b|", ("include",), True, "", "b"),
        ("'a b':\n  c|", ("a b",), False, "", "c"),
        ("a:\n  f.m:\n    - x:\n        y: 1\n        z|", ("a", "f.m", "x"), False, "", "z"),
    ],
)
def test_places_in_yaml(text, keys, is_item, key, prefix):
    before, _, after = text.partition("|")
    lines = (before + after).split("\n")

    place = yaml_place(lines, before.count("\n"), len(before.rpartition("\n")[2]))

    assert (place.keys, place.is_item, place.key, place.prefix) == (keys, is_item, key, prefix)
    assert [lines[line].strip().lstrip("- ").rstrip(":").strip("'") for line in place.lines] == list(keys)


def test_the_line_of_a_nested_key():
    lines = ["a:", "  port: 1", "b:", "  c:", "    port: 2", "  port: 3"]

    assert key_lines(lines, ("b", "port")) == 6
    assert key_lines(lines, ("b", "c", "port")) == 5
    assert key_lines(lines, ("port",)) == 0


def test_words():
    assert word_at("- pkg: nginx", 8) == (7, 12)
    assert word_at("a  b", 2) == (2, 2)
