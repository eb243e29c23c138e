"""Packed data as an SLS."""

import msgpack
import pytest

from salt_g.render.msgpack import render

DATA = {"ä": [1, None], 5: "x"}


@pytest.mark.parametrize("packed", [b"", "", b"#!msgpack\n", b" \n"])
def test_nothing_is_an_empty_mapping(packed):
    assert render(packed, None) == {}


def test_bytes_and_their_text_are_unpacked():
    packed = msgpack.packb(DATA)

    assert render(packed, None) == DATA
    assert render(b"#!msgpack\n" + packed, None) == DATA
    assert render(packed.decode("utf-8", "surrogateescape"), None) == DATA


def test_damaged_bytes_are_an_error():
    with pytest.raises(ValueError, match="max_map_len"):
        render(b"\x82\xa1a", None)
