"""Long texts in messages, which have the same values as without special handling."""

import msgpack
import pytest

from salt_g.errors import WireError
from salt_g.wire import long_strings
from salt_g.wire.long_strings import LONG_TEXT, MOST_HELD, decoded, encoded, pack_in_steps, seems_to_hold_one
from salt_g.wire.packing import unpack

LONG = "\u00e4b" * LONG_TEXT


def packed(value):
    return msgpack.packb(value, use_bin_type=False)


def test_a_long_text_arrives_whole_wherever_it_is():
    value = {"a": [1, {"b": LONG}, None], "c": "short", LONG[: LONG_TEXT + 5]: 2}

    assert unpack(packed(value)) == value


def test_invalid_utf_8_arrives_as_bytes():
    assert decoded(memoryview(b"\xff" * 10)) == b"\xff" * 10
    assert decoded(memoryview("\u00e4".encode()[:1])) == b"\xc3"


def test_a_character_on_the_border_of_two_steps_is_one(monkeypatch):
    monkeypatch.setattr(long_strings, "STEP", 3)
    text = "a\u00e4\u20ac\U0001f600z"

    assert decoded(memoryview(text.encode())) == text
    assert encoded(text) == text.encode()


def test_a_text_that_would_take_too_much_memory_stays_bytes(monkeypatch):
    monkeypatch.setattr(long_strings, "MOST_HELD", 100)

    assert decoded(memoryview(b"a" * 100)) == "a" * 100
    assert decoded(memoryview(("a" * 30 + "\U0001f600").encode())) == ("a" * 30 + "\U0001f600").encode()
    assert MOST_HELD > 100


@pytest.mark.parametrize("use_bin_type", [True, False])
def test_packing_in_steps_gives_what_packing_at_once_gives(use_bin_type):
    value = {"a": [LONG, b"x" * (LONG_TEXT + 1), (1, 2.5)], "b": {}, "c": "\udcff"}
    at_once = msgpack.packb(value, use_bin_type=use_bin_type, unicode_errors="surrogateescape")

    assert pack_in_steps(value, repr, use_bin_type=use_bin_type) == at_once


def test_a_message_with_only_the_header_of_a_long_string_holds_none():
    assert seems_to_hold_one(packed([LONG]))
    assert not seems_to_hold_one(packed(["short"]))
    assert not seems_to_hold_one(b"\xdb\xff\xff\xff\xff" + b"x" * 100)
    assert not seems_to_hold_one(b"\xdb\x00")


@pytest.mark.parametrize(
    "value",
    [
        b"\x82\x90\x01\xa1a" + packed(LONG),
        b"\x82\x80\x01\xa1a" + packed(LONG),
        b"\x92" + packed(LONG),
        b"\xdf\xff\xff\xff\xff" + packed(LONG),
    ],
    ids=["list as key", "map as key", "one is missing", "too many"],
)
def test_a_malformed_message_is_refused(value):
    with pytest.raises(WireError):
        unpack(value)
