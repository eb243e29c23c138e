"""Agreement of the quick reader and libyaml on every text that the quick reader accepts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from salt_g.errors import YamlError
from salt_g.formats.ordered import Ordered
from salt_g.formats.yaml_block import Declined, read_block
from salt_g.formats.yaml_construct import construct
from salt_g.formats.yaml_load import load

UNDERSTOOD = [
    "",
    "# nothing\n\n",
    "a: 1",
    "a: 0644\nb: -1.5\nc: ~\nd: yes\n",
    "a:\nb:\n  - c\n",
    "a:\n- b\n- c: 1\n  d: 2\ne:\n",
    "- - a: b\n    c: d\n  - e\n-\n- f\n",
    "  a:\n    b:\n      c: d\n    e: f\n",
    "/etc/x:\n  file.managed:\n    - source: salt://a/b?saltenv=dev\n    - mode: '0644'\n",
    "'it''s': \"a\\tb\\n\\\"c\\\\\"\n",
    "a: b # said\n# c: d\n  # e\nf: g#h\n",
    "a: [b, 'c', 1]\nd: {}\ne: {f: 1, g: yes}\nh: []\n",
    "2: a\ntrue: b\n~: c\n",
    'a: b:c::d\ne: it\'s "so" & *so\n',
    "é: ü\u00a0\n",
]
DECLINED = [
    "just text",
    "[a, b]",
    "a: 1\na: 2",
    "a: {b: 1, b: 2}",
    "a: b\n  c",
    "- a\n b",
    "a: |\n  text\n",
    "a: &x b",
    "a: *x",
    "a: !!str 1",
    "<<: b",
    "a: <<",
    "a: =",
    "---\na: b",
    "a: b\n...\n",
    "? a\n: b",
    "a:\tb",
    "a: b\r\n",
    "a : b",
    "a: b: c",
    "a: - b",
    "a: 'b\n  c'",
    'a: "\\x41"',
    "a: 'b' c",
    "  a: 1\nb: 2",
    "a:\n  b: 1\n c: 2",
    "- a\nb: c",
    "a: [b, [c]]",
    "a: 0b_",
    "a: b\u2028",
    "\ufeffa: b",
    "a: \x07",
    "x" * 2000 + ": a",
    "\n".join(" " * depth + "a:" for depth in range(200)),
]
PIECES = ["a", "b c", "1", "0644", "-2", "yes", "~", "'q''q'", '"d\\n"', "x:y", "#c", " #c", ":", ": ", "- "]
PIECES += [
    "-",
    "  ",
    " ",
    "\n",
    "\n",
    "\n  ",
    "\n  - ",
    "\n- ",
    "\n    ",
    "\n\n",
    "k: ",
    "l:",
    "m: v\n",
    "[a, b]",
]
PIECES += [
    "{a: b}",
    "&",
    "*",
    "|",
    ">",
    "?",
    "<<: ",
    "---",
    "...",
    "'",
    '"',
    "!",
    "\t",
    "%",
    "@",
    ",",
    "é",
    "=",
]


def slowly(text: str) -> object:
    return construct(text, name="test", mapping=Ordered)


@pytest.mark.parametrize("text", UNDERSTOOD)
def test_plain_block_yaml_is_read_as_libyaml_reads_it(text: str) -> None:
    data = read_block(text, Ordered)

    assert repr(data) == repr(slowly(text))


@pytest.mark.parametrize("text", DECLINED)
def test_other_than_plain_yaml_is_left_to_libyaml(text: str) -> None:
    with pytest.raises(Declined):
        read_block(text, dict)


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_no_text_is_read_otherwise_than_by_libyaml(text: str) -> None:
    try:
        data = read_block(text, Ordered)
    except Declined:
        return

    assert repr(data) == repr(slowly(text))


def test_collections_of_equal_lines_are_not_the_same_object() -> None:
    first, second = read_block("- {a: 1}\n- {a: 1}", dict)

    assert first == second and first is not second


def test_reading_lets_others_have_their_turn() -> None:
    turns: list[int] = []

    read_block("- a\n" * 10_000, dict, lambda: turns.append(1))

    assert len(turns) == 5


def test_libyaml_lets_others_have_their_turn() -> None:
    turns: list[int] = []

    construct("- [a]\n" * 5_000, name="test", mapping=dict, yield_to_hub=lambda: turns.append(1))

    assert len(turns) >= 10


def test_an_error_is_reported_by_libyaml_also_where_all_lines_before_are_plain() -> None:
    with pytest.raises(YamlError, match="found conflicting ID 'a'"):
        load("a: 1\na: 2\n")


def test_data_of_equal_lines_in_several_texts_is_not_shared():
    text = "a: [b, c]\nd: {e: f}\ng:\n  - h\n"

    first = read_block(text, dict)
    first["a"].append("changed")
    first["d"]["e"] = first["g"][0] = "changed"

    assert read_block(text, dict) == {"a": ["b", "c"], "d": {"e": "f"}, "g": ["h"]}
