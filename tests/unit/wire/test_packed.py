"""Values that were packed before their reply."""

from salt_g.wire.packed import packed_map
from salt_g.wire.packing import pack, unpack


def test_a_map_of_packed_values_is_the_packed_map():
    values = {"a": [1, {"b": None}], "ä": "text", "m" * 40: {}}

    assert packed_map({key: pack(value) for key, value in values.items()}).data == pack(values)


def test_maps_of_any_size_are_read_back():
    for size in (0, 1, 15, 16, 70_000):
        values = {str(n): n for n in range(size)}
        assert unpack(packed_map({key: pack(value) for key, value in values.items()}).data) == values
