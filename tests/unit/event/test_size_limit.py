"""Shortening of large events by their largest values."""

from hypothesis import given
from hypothesis import strategies as st

from salt_g.event.size_limit import TRIMMED, trimmed
from salt_g.wire.packing import pack_bus


def test_data_within_the_limit_stays_unchanged():
    data = {"a": 1, "b": {"c": [1, 2]}}

    assert trimmed(data, 1000) == data


def test_the_largest_value_goes_first():
    data = {"id": "m1", "return": {"out": "x" * 5000, "err": "y" * 200}}

    assert trimmed(data, 1000) == {"id": "m1", "return": {"out": TRIMMED, "err": "y" * 200}}


def test_lists_go_as_a_whole():
    assert trimmed({"a": ["x" * 100] * 100, "b": 1}, 1000) == {"a": TRIMMED, "b": 1}


def test_many_small_values_go_when_nothing_else_helps():
    made = trimmed({str(n): "x" * 90 for n in range(100)}, 3000)

    assert set(made.values()) == {TRIMMED}


def test_the_callers_data_stays_as_it_was():
    data = {"a": {"b": "x" * 5000}}

    trimmed(data, 100)

    assert data == {"a": {"b": "x" * 5000}}


VALUES = st.recursive(
    st.text(max_size=400) | st.integers(-5, 5),
    lambda inner: st.dictionaries(st.text(max_size=3), inner, max_size=4),
)


@given(st.dictionaries(st.text(max_size=3), VALUES, max_size=6), st.integers(50, 1000))
def test_it_fits_whenever_replacing_all_large_values_makes_it_fit(data, limit):
    made = trimmed(data, limit)

    def smallest(value):
        if isinstance(value, dict):
            return {key: smallest(inner) for key, inner in value.items()}
        return TRIMMED if len(pack_bus(value)) > len(pack_bus(TRIMMED)) else value

    if len(pack_bus(smallest(data))) <= limit:
        assert len(pack_bus(made)) <= limit
