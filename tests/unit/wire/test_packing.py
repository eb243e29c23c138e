import datetime

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from salt_g.errors import WireError
from salt_g.wire.packing import (
    AFTER_SIGN_IN,
    MessageLimits,
    as_bytes,
    pack,
    pack_bus,
    packed_map,
    unpack,
    unpack_flat,
    unpack_raw,
)

SMALL = MessageLimits(size=10_000, depth=8, entries=100)


def not_utf8(data):
    try:
        data.decode()
    except UnicodeDecodeError:
        return True
    return False


MOMENTS = st.datetimes(min_value=datetime.datetime(1, 1, 1))
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary().filter(not_utf8)
    | MOMENTS
)
KEYS = st.text() | st.integers(-1000, 1000) | st.binary().filter(not_utf8)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=5)
)


@given(VALUES)
def test_packed_values_are_unpacked_again(value):
    assert unpack(pack(value)) == value


@given(st.recursive(LEAVES | st.binary(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_the_bus_form_keeps_text_and_bytes_apart(value):
    assert unpack(pack_bus(value)) == value


@given(st.binary(max_size=300))
def test_no_bytes_raise_anything_but_wire_errors(data):
    try:
        unpack(data, SMALL)
    except WireError:
        pass


@given(VALUES, st.data())
def test_a_damaged_message_raises_nothing_but_wire_errors(value, data):
    packed = bytearray(pack(value))
    place = data.draw(st.integers(0, len(packed) - 1))
    packed[place] = data.draw(st.integers(0, 255))

    try:
        unpack(bytes(packed))
    except WireError:
        pass


@given(VALUES, st.data())
def test_a_truncated_message_is_refused(value, data):
    packed = pack(value)
    end = data.draw(st.integers(0, len(packed) - 1))

    with pytest.raises(WireError):
        unpack(packed[:end])


def test_text_and_bytes_share_the_raw_family():
    assert pack(["a", b"a" * 32]) == b"\x92\xa1a\xda\x00\x20" + b"a" * 32


def test_readers_take_str8_and_bin():
    assert unpack(b"\x92\xd9\x01a\xc4\x01\xff") == ["a", b"\xff"]


def test_named_fields_are_bytes_although_they_look_like_text():
    packed = pack({"load": b"text", "sig": b"\xff", "other": "text"})

    value = unpack(packed, binary=("load", "sig", "missing"))

    assert value == {"load": b"text", "sig": b"\xff", "other": "text"}


@given(
    st.dictionaries(st.sampled_from(["load", "sig", "a", "ü", "b"]) | st.integers(0, 9), VALUES | st.binary())
)
def test_large_messages_are_read_as_small_ones_are(value):
    fill = {"fill": "x" * 3000}
    binary = ("load", "sig")

    small, large = unpack(pack(value), binary=binary), unpack(pack({**value, **fill}), binary=binary)

    assert large == {**small, **fill}
    assert [key for key in large if key not in binary] == [
        *(key for key in small if key not in binary),
        "fill",
    ]


def test_keys_that_cannot_be_are_refused_in_large_messages_too():
    for key in (b"\x90", b"\x80", b"\xd4\x05x"):
        with pytest.raises(WireError):
            unpack(b"\x82" + key + b"\x01" + pack("x") + pack("x" * 3000), binary=("load",))


def test_moments_have_the_form_of_the_specification():
    moment = datetime.datetime(2020, 1, 2, 3, 4, 5, 6)

    assert pack(moment).hex(" ") == "c7 18 4e " + b"20200102T03:04:05.000006".hex(" ")
    assert unpack(pack(datetime.date(2020, 1, 2))) == datetime.datetime(2020, 1, 2)


def test_integers_beyond_64_bits_become_text():
    assert unpack(pack([2**64, -(2**63) - 1])) == [str(2**64), str(-(2**63) - 1)]


def test_tuples_and_sets_become_lists():
    assert unpack(pack([(1, 2), {3}, frozenset({4})])) == [[1, 2], [3], [4]]


def test_file_names_with_odd_bytes_survive():
    name = b"caf\xe9".decode("utf-8", "surrogateescape")

    assert unpack(pack({"name": name})) == {"name": b"caf\xe9"}


def test_a_value_without_a_wire_form_is_refused():
    for value in (object(), {"a": 1j}, "\ud800"):
        with pytest.raises(WireError, match="cannot be sent"):
            pack(value)


def test_a_constant_of_the_program_gives_its_value():
    packed = msgpack.packb(msgpack.ExtType(79, msgpack.packb(["NOT_SET", None])))

    assert unpack(packed) is None


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(msgpack.packb(msgpack.ExtType(5, b"x")), id="unknown extension"),
        pytest.param(msgpack.packb(msgpack.Timestamp(1)), id="time stamp of msgpack"),
        pytest.param(msgpack.packb([{"a": msgpack.Timestamp(1)}]), id="time stamp inside"),
        pytest.param(msgpack.packb(msgpack.ExtType(78, b"20200102T03:04:05.00000x")), id="no moment"),
        pytest.param(msgpack.packb(msgpack.ExtType(78, b"short")), id="short moment"),
        pytest.param(
            msgpack.packb(
                msgpack.ExtType(79, msgpack.packb(["a", msgpack.ExtType(79, msgpack.packb(["b", 1]))]))
            ),
            id="constant in a constant",
        ),
        pytest.param(b"\x81\x90\x01", id="list as a key"),
        pytest.param(b"\x01\x02", id="two messages"),
        pytest.param(b"\xc1", id="reserved byte"),
        pytest.param(b"", id="nothing"),
        pytest.param(b"\x91" * 5000 + b"\x01", id="5000 levels"),
    ],
)
def test_data_outside_of_the_protocol_is_refused(data):
    with pytest.raises(WireError):
        unpack(data)


def test_depth_is_limited():
    fits, deep = [[[[[[[[]]]]]]]], [[[[[[[[[]]]]]]]]]

    assert unpack(pack(fits), SMALL) == fits
    with pytest.raises(WireError, match="deeper than 8"):
        unpack(pack(deep), SMALL)


def test_entries_and_size_are_limited():
    for value in (list(range(101)), dict.fromkeys(range(101)), "x" * 10_000):
        with pytest.raises(WireError):
            unpack(pack(value), SMALL)


def test_announced_entries_cost_nothing_before_they_are_there():
    import tracemalloc

    hostile = b"\xdd\x00\x0f\xff\xff" * 1000
    tracemalloc.start()

    with pytest.raises(WireError):
        unpack(hostile)

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100_000


def test_raw_strings_are_bytes_and_other_things_are_refused():
    assert (as_bytes("é"), as_bytes(b"\xff")) == ("é".encode(), b"\xff")
    with pytest.raises(WireError, match="bytes expected, got int"):
        as_bytes(1)


def test_a_flat_map_is_read_without_a_look_inside():
    packed = pack({"enc": "aes", "load": b"text", "n": 3, "odd": b"\xff"})

    assert unpack_flat(packed, binary=("load",)) == {"enc": "aes", "load": b"text", "n": 3, "odd": b"\xff"}


@given(st.binary(max_size=100) | st.dictionaries(KEYS, VALUES, max_size=20).map(pack))
def test_other_values_than_a_flat_map_are_refused(data):
    try:
        value = unpack_flat(data, SMALL)
    except WireError:
        return

    assert len(value) <= 16 and not any(isinstance(item, (dict, list)) for item in value.values())


def test_a_large_message_of_many_entries_is_refused_at_its_first():
    for hostile in (b"\xdd\x00\xff\xff\xff" + b"\x80" * 0xFFFFFF, b"\x81\xa1a" + b"\x81\x01" * 500 + b"\x01"):
        with pytest.raises(WireError):
            unpack_flat(hostile)


@pytest.mark.parametrize("size", [16 * 1024 - 1, 16 * 1024, 16 * 1024 + 1, 200_000])
def test_a_value_read_in_pieces_is_whole(size):
    value = {
        "a": "ä" * (size // 3),
        "list": [[], {"b": b"\xff", "c": [1.5, None]}] * 2000,
        "tok": b"x" * size,
    }

    assert unpack(pack(value), binary=("tok",)) == value


def test_a_message_in_pieces_ends_where_it_ends():
    packed = pack(list(range(50_000)))

    with pytest.raises(WireError, match="trailing bytes"):
        unpack(packed + b"\xc0")
    with pytest.raises(WireError, match="malformed message"):
        unpack(packed[:-1])


def test_maps_and_lists_of_a_message_are_bounded_together():
    limits = MessageLimits(size=1_000_000, depth=8, entries=1000, total=100_000)

    assert unpack(pack([[0] * 900] * 100), limits)
    with pytest.raises(WireError, match="more entries than one message"):
        unpack(pack([[[]] * 900] * 200), limits)


@pytest.mark.parametrize("form", [pack, pack_bus])
def test_a_long_raw_string_is_cut_out_without_decoding(form):
    assert unpack_raw(form(b"\xff" * 70_000)) == b"\xff" * 70_000


@pytest.mark.parametrize("data", [b"", pack(b"x"), pack({"a": b"x" * 70_000}), pack(b"x" * 70_000) + b"y"])
def test_other_messages_are_left_to_the_reader(data):
    assert unpack_raw(data) is None


def test_a_map_announcing_more_entries_than_permitted_is_refused_before_its_fields_are_split():
    entries = 5000
    data = b"\xdf" + entries.to_bytes(4, "big") + b"\x00\x00" * entries

    with pytest.raises(WireError):
        unpack(data, AFTER_SIGN_IN._replace(entries=entries - 1), binary=("data",))


def test_a_map_of_packed_values_is_the_packed_map():
    values = {"a": [1, {"b": None}], "ä": "text", "m" * 40: {}}

    assert packed_map({key: pack(value) for key, value in values.items()}).data == pack(values)


def test_maps_of_any_size_are_read_back():
    for size in (0, 1, 15, 16, 70_000):
        values = {str(n): n for n in range(size)}
        assert unpack(packed_map({key: pack(value) for key, value in values.items()}).data) == values
