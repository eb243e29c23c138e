"""Incremental unpacking of messages, with counts."""

import msgpack
import pytest

from salt_g.wire.incremental_unpack import KEYED, PIECE, Count, IncrementalUnpacker, MessageLimits


def limits(total=100, containers=100):
    return MessageLimits(size=1 << 20, depth=10, entries=1000, total=total, containers=containers)


@pytest.mark.parametrize("size", [0, 1, PIECE - 10, PIECE, PIECE + 1, 5 * PIECE])
def test_a_message_of_any_size_comes_back_whole(size):
    value = [b"x" * size, {"a": size}]
    pieces = IncrementalUnpacker(msgpack.packb(value))

    assert pieces.read(pieces.unpacker.unpack) == value
    assert pieces.is_done


def test_data_after_a_message_is_left_for_the_next_read():
    data = msgpack.packb("first") + msgpack.packb(b"x" * (2 * PIECE)) + msgpack.packb("last")
    pieces = IncrementalUnpacker(data)

    assert pieces.read(pieces.unpacker.unpack) == "first"
    assert not pieces.is_done
    assert len(pieces.read(pieces.unpacker.unpack)) == 2 * PIECE
    assert pieces.read(pieces.unpacker.unpack) == "last"
    assert pieces.is_done


@pytest.mark.parametrize("data", [b"", msgpack.packb([1, 2, 3])[:-1], msgpack.packb(b"x" * (3 * PIECE))[:-1]])
def test_a_message_that_is_cut_off_ends(data):
    pieces = IncrementalUnpacker(data)

    with pytest.raises(msgpack.OutOfData):
        pieces.read(pieces.unpacker.unpack)
    assert pieces.is_done


def test_entries_count_up_to_the_total_and_no_further():
    count = Count(limits(total=8))

    assert count([1, 2, 3]) == [1, 2, 3]
    assert count([1, 2, 3]) == [1, 2, 3]
    with pytest.raises(ValueError, match="more entries"):
        count([])


def test_an_entry_of_a_map_weighs_more():
    Count(limits(total=1 + KEYED))({"a": 1})

    with pytest.raises(ValueError, match="more entries"):
        Count(limits(total=KEYED))({"a": 1})


def test_maps_and_lists_count_themselves_even_if_they_are_empty():
    count = Count(limits(containers=2))
    count([])
    count({})

    with pytest.raises(ValueError, match="more maps and lists"):
        count([])
