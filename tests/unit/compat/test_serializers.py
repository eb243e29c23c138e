"""Names of `salt.serializers`, for users' plugins."""

import pytest

from salt_g.compat.serializers import DeserializationError, tomlmod, yamlex


def test_yamlex_reads_marks_and_merges_by_them():
    first, second = (yamlex.deserialize(f"a: !aggregate {value}\nb: {value}") for value in (1, 2))

    assert yamlex.merge_recursive(first, second) == {"a": [1, 2], "b": 2}


def test_damaged_text_is_an_error_of_the_format():
    with pytest.raises(DeserializationError):
        yamlex.deserialize("a: [")
    with pytest.raises(DeserializationError):
        tomlmod.deserialize("a = ")
