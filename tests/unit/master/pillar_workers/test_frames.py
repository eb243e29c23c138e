"""Frames and answers of pillar workers."""

import socket

import pytest

from salt_g.formats.ordered import Ordered
from salt_g.master.pillar_workers import frames


def test_frames_arrive_whole_and_the_end_is_none():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        frames.send(ours, b"one")
        frames.send(ours, b"")
        ours.close()

        assert [frames.receive(theirs) for _ in range(3)] == [b"one", b"", None]


def test_plain_pillar_comes_back_as_it_was_and_in_order():
    pillar = Ordered({"z": [1, 1.5, None, True, "é", b"\xff"], 420: {"a": "\ud800"}})

    number, back = frames.unpack_answer(frames.pack_answer(7, pillar))

    assert (number, back) == (7, pillar)
    assert list(back) == ["z", 420]


@pytest.mark.parametrize("value", [{1, 2}, object(), 2**70])
def test_what_is_no_plain_data_is_refused(value):
    with pytest.raises(ValueError, match="cannot be packed"):
        frames.pack_answer(1, {"a": value})


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x01", b"\x91\x01"])
def test_anything_but_an_answer_is_refused(data):
    with pytest.raises(ValueError, match=r"."):
        frames.unpack_answer(data)
