"""Processing cost of a value."""

import pytest

from salt_g.wire.value_size import has_few_entries, is_light


@pytest.mark.parametrize("value", [None, 5, 2.5, True, "", b"", [], {}, (), object()])
def test_small_values_are_light(value):
    assert is_light(value, entries=0, size=0)


def test_entries_are_counted_through_all_levels():
    value = {"a": [1, 2, (3, {"b": 4})]}

    assert is_light(value, entries=7)
    assert not is_light(value, entries=6)


def test_texts_and_bytes_are_counted_together_with_keys():
    value = {"key": ["abc", b"de"]}

    assert is_light(value, size=8)
    assert not is_light(value, size=7)


def test_a_list_that_holds_itself_is_heavy():
    value = []
    value.append(value)

    assert not is_light(value, entries=1000)


def test_a_value_of_many_levels_needs_no_stack():
    value = []
    for _ in range(5000):
        value = [value]

    assert is_light(value, entries=5000)


def test_few_entries_may_be_long():
    assert has_few_entries(["x" * 10_000_000], 1)
    assert not has_few_entries([1, 2], 1)
