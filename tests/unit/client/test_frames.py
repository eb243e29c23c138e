"""Frames between command line and master."""

import pytest

from salt_g.client.frames import FrameCutter, frame
from salt_g.errors import WireError

ONE, TWO = {"n": 1, "load": {"fun": "test.ping"}}, {"n": 2, "reply": b"\xff"}


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_messages_come_whole_in_whatever_portions(size):
    data, cutter, found = frame(ONE) + frame(TWO), FrameCutter(), []

    for start in range(0, len(data), size):
        found += cutter.feed(data[start : start + size])

    assert found == [ONE, TWO]


def test_a_frame_above_the_limit_is_refused_before_it_is_there():
    with pytest.raises(WireError, match="a frame has 4294967295 bytes"):
        list(FrameCutter().feed(b"\xff\xff\xff\xff"))
    with pytest.raises(WireError, match="the limit is 10"):
        list(FrameCutter(max_frame=10).feed(frame({"a": "x" * 50})))


@pytest.mark.parametrize("body", [b"\x90", b"\x01", b"\xc1", b"", b"\x81"])
def test_a_frame_without_a_map_is_refused(body):
    with pytest.raises(WireError):
        list(FrameCutter().feed(len(body).to_bytes(4, "big") + body))


def test_messages_before_a_broken_one_are_there():
    found = FrameCutter().feed(frame(ONE) + b"\0\0\0\1\x01")

    assert next(found) == ONE
    with pytest.raises(WireError):
        next(found)
