import pytest

from salt_g.errors import WireError
from salt_g.wire.long_strings import LONG_TEXT, MOST_HELD
from salt_g.wire.packing import FROM_MINION, pack, pack_bus, pack_large, pack_network, unpack
from salt_g.wire.value_size import LIGHT_ENTRIES, LIGHT_SIZE, has_few_entries, is_light

LONG = LONG_TEXT + 3
VALUES = [
    {"a": [1, -2.5, None, True, "x" * 100, b"\xff" * 10, {"x": ["y", {}]}], "b": "\u00fc" * LONG},
    ["\u20ac" * LONG, b"\xff" * LONG, "a" * LONG],
    {"k" * LONG: [[], {}], 5: "\U0001f600" * (LONG_TEXT // 2)},
    "x" * LONG,
]


@pytest.mark.parametrize("value", VALUES)
def test_long_texts_are_written_as_all_others_and_read_as_they_were(value):
    assert pack_large(value) == pack_bus(value)
    assert pack_network(value) == pack(value)
    assert unpack(pack_bus(value), FROM_MINION) == value


def test_a_long_string_of_invalid_utf_8_arrives_as_bytes():
    assert unpack(pack({"return": b"\xff" * LONG}), FROM_MINION) == {"return": b"\xff" * LONG}


def test_a_text_that_would_take_too_much_memory_arrives_as_bytes():
    text = "a" * (MOST_HELD // 4) + "\U0001f600"

    assert unpack(pack([text]), FROM_MINION) == [text.encode()]


@pytest.mark.parametrize(
    "value",
    [
        [[]] * 200_001,
        [{}] * 200_001,
        {str(number): number for number in range(320_000)},
        ["x" * LONG, [[]] * 200_001],
        [[[]] * 100_001, [{}] * 100_001],
    ],
)
def test_maps_and_lists_of_a_minion_are_bounded(value):
    with pytest.raises(WireError, match="than one message may"):
        unpack(pack(value), FROM_MINION)


def test_a_message_within_the_bounds_arrives():
    states = {f"file_|-{n}_|-{n}_|-managed": {"name": str(n), "changes": {}} for n in range(10_000)}

    assert unpack(pack(states), FROM_MINION) == states
    assert len(unpack(pack(["x"] * 1_000_000), FROM_MINION)) == 1_000_000


@pytest.mark.parametrize(
    ("value", "light"),
    [
        ({"a": [1] * 100, "b": "x"}, True),
        ([[]] * (LIGHT_ENTRIES + 1), False),
        ([[[]] * 5001] * 2, False),
        ({"x" * (LIGHT_SIZE + 1): 1}, False),
        (["x" * LIGHT_SIZE, b"yy"], False),
        (5, True),
    ],
)
def test_lightness_is_judged_by_size(value, light):
    assert is_light(value) is light


def test_texts_are_not_entries():
    assert has_few_entries(["x" * 10**6] * 10) and not has_few_entries([0] * 11, 10)
