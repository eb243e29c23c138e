import pytest
from hypothesis import given
from hypothesis import strategies as st

from salt_g.wire.packing import SPLIT_ABOVE, pack, pack_bus, unpack
from salt_g.wire.strings import LONG_PART, has_long_part, pack_parts, unpack_strings

LONG = b"\xff" * LONG_PART
FLAT = st.dictionaries(
    st.text(max_size=40), st.one_of(st.text(), st.binary(), st.integers(0, 300)), max_size=15
)


@pytest.mark.parametrize(
    "value", [{"data": LONG, "dest": "a/b"}, {"dest": "", "gzip": 3, "data": LONG + b"1"}]
)
def test_the_parts_of_a_map_are_its_network_form(value):
    assert has_long_part(value)
    parts = pack_parts(value)

    assert b"".join(parts) == pack(value)
    assert any(part is value["data"] for part in parts)


@pytest.mark.parametrize(
    "value", [{}, {"data": LONG[1:]}, [LONG], LONG, None, dict.fromkeys(range(16), LONG)]
)
def test_other_values_have_no_long_parts(value):
    assert not has_long_part(value)


def test_strings_are_read_as_by_the_unpacker():
    value = {"data": LONG, "dest": "ä" * 40, "gzip": 9, "more": "x" * 70_000, "some": b"y" * 300}
    data = b"nonce" + pack(value)

    found = unpack_strings(data, 5, ("data",))

    assert found == unpack(data[5:], binary=("data",))
    assert found["data"] == LONG
    assert found["some"] == "y" * 300


def test_long_bytes_are_not_copied():
    data = bytearray(pack({"data": LONG}))

    assert unpack_strings(data, 0, ("data",))["data"].obj is data


@given(FLAT, st.binary(max_size=8), st.integers(0, 60))
def test_the_fast_reader_agrees_with_the_unpacker(value, after, cut):
    data = pack({**value, "data": b"x" * SPLIT_ABOVE})
    data = data[: len(data) - cut] + after

    found = unpack_strings(data, 0, ("data",))

    assert found is None or found == unpack(data, binary=("data",))


@pytest.mark.parametrize(
    "value",
    [{"data": LONG, "list": []}, {"data": LONG, "more": {}}, {1: LONG}, [LONG], {"data": None}, "x", b"\xff"],
)
def test_messages_of_another_form_are_left_to_the_unpacker(value):
    assert unpack_strings(pack(value), 0, ("data",)) is None


def test_damaged_messages_and_those_in_bus_form_are_left_to_the_unpacker():
    data = pack({"data": LONG, "dest": "x"})

    for damaged in (
        pack_bus({"data": LONG}),
        data[:-1],
        data + b"\0",
        b"",
        b"\x82\xa4data\xdb\xff\xff\xff\xff",
        b"\x81\xc1\xc1",
    ):
        assert unpack_strings(damaged, 0, ("data",)) is None
