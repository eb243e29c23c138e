"""Open texts and positions."""

import pytest

from salt_g.language_server.documents import (
    MAX_TEXT,
    Document,
    Position,
    offset_of,
    path_of,
    position_of,
    span,
    units_of,
    uri_of,
)


def change(text, start, end):
    return {
        "text": text,
        "range": {
            "start": {"line": start[0], "character": start[1]},
            "end": {"line": end[0], "character": end[1]},
        },
    }


def test_changes_apply_one_after_the_other():
    document = Document("file:///a", 1, "one\ntwo\n")

    document.change(
        2, [change("2", (1, 0), (1, 3)), change("0\n", (0, 0), (0, 0)), change("", (1, 3), (2, 0))]
    )

    assert (document.text, document.version) == ("0\none2\n", 2)
    document.change(3, [{"text": "new"}])
    assert document.text == "new"


def test_a_wrong_change_leaves_the_text_as_it_is():
    document = Document("file:///a", 1, "one\n")
    for wrong in ({}, change("x", (1, 0), (0, 0)), {"text": "x", "range": {"start": 1, "end": 2}}):
        with pytest.raises(ValueError):
            document.change(2, [{"text": "other"}, wrong])

    assert document.text == "one\n"


def test_texts_are_bounded():
    with pytest.raises(ValueError, match="more than"):
        Document("file:///a", 1, "x" * (MAX_TEXT + 1))


@pytest.mark.parametrize(
    ("text", "position", "offset"),
    [
        ("ab\ncd", (1, 1), 4),
        ("ab\r\ncd", (1, 1), 5),
        ("ab\rcd", (1, 0), 3),
        ("ab\ncd", (0, 99), 2),
        ("ab\ncd", (99, 0), 5),
        ("😀x", (0, 2), 1),
        ("é😀x", (0, 3), 2),
    ],
)
def test_characters_are_utf_16_units(text, position, offset):
    assert offset_of(text, Position(*position)) == offset


def test_ranges_are_utf_16_units():
    assert units_of("é😀x", 3) == 4
    assert span("😀x", 7, 1, 2) == {"start": {"line": 7, "character": 2}, "end": {"line": 7, "character": 3}}


@pytest.mark.parametrize("value", [None, {}, {"line": -1, "character": 0}, {"line": True, "character": 0}])
def test_wrong_positions(value):
    with pytest.raises(ValueError):
        position_of(value)


def test_uris():
    for path in ("/a b/é.sls", "/x#y%z", "/caf\udce9"):
        assert path_of(uri_of(path)) == path
    for uri in ("untitled:1", "http://x/a", "file://host/a", "file:///a%00b", "file://[", ""):
        assert path_of(uri) == ""
